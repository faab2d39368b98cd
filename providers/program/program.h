/* What JavaScript engines share: steps on text, and tables. No engine, nothing of pawl, no state.
 *
 *   prepare.h      a program as it comes, made into text for an engine; positions taken back
 *   await.h        `await` erased, for javascript-es5
 *   es5.h          which syntax is newer than ECMAScript 5
 *   brackets.h     whether brackets match
 *   modules.h      import, require, export: what is not there to be used
 *   typescript.h   TypeScript: whether there is any, and what of it cannot be removed
 *   suggest.h      what to do about a failure; its table stands in suggest.c
 *   nearest.h      which function a wrong name may have meant
 *   unawaited.h    calls whose promise is taken for their value
 *   json_text.h    writing JSON strings, checking JSON text
 *   number.h       doubles as ECMAScript prints and reads them
 *   path.h         the name of a place in a value
 *   token.h        the tokenizer under all that read programs
 *   buffer.h, utf8.h, error.h
 *
 * (bignum.h, context.h, fence.h, scan.h, shape.h and word.h are internal.)
 *
 * Only prepare and buffer allocate: from malloc, reporting when it fails, and only into what the
 * caller was given. Everything is reentrant and independent of the locale, runs in linear time in
 * its text, does not recurse, and needs at most 24 KiB of stack. */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "await.h"
#include "brackets.h"
#include "buffer.h"
#include "es5.h"
#include "json_text.h"
#include "modules.h"
#include "nearest.h"
#include "number.h"
#include "path.h"
#include "prepare.h"
#include "suggest.h"
#include "token.h"
#include "typescript.h"
#include "unawaited.h"
#include "utf8.h"

#endif
