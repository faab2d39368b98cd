/* A tokenizer for ECMAScript 2023 (and, as far as its tokens go, TypeScript).
 *
 * It does not parse, but follows brackets and statements closely enough to tell a regular
 * expression from a division, a block from an object literal and a property name from an
 * identifier. It accepts any bytes: what begins no token becomes a PROGRAM_TOKEN_ERROR, and the
 * next token follows it. It runs in linear time, without recursion and without allocation, and
 * copies nothing.
 *
 * Positions: `start` and `end` are byte offsets. `line` and `column` begin at 1. A line ends where
 * ECMAScript says: LF, CR LF, CR, U+2028, U+2029. A column counts Unicode code points, as people,
 * Python and QuickJS count them; it differs from an editor that counts UTF-16 units only behind
 * characters above U+FFFF. A byte that is not well-formed UTF-8 counts as the start of a character
 * unless it looks like the continuation of one.
 *
 * Brackets nested deeper than PROGRAM_DEPTH_MAX are still tokens, but what stands inside them is
 * classified by guess; no engine parses such a program. */
#ifndef PROGRAM_TOKEN_H
#define PROGRAM_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_DEPTH_MAX 4095

enum program_token_type {
    PROGRAM_TOKEN_END,        /* the text has ended; comes for ever */
    PROGRAM_TOKEN_ERROR,      /* see `problem` */
    PROGRAM_TOKEN_NAME,       /* identifiers and every reserved word */
    PROGRAM_TOKEN_PRIVATE,    /* #name */
    PROGRAM_TOKEN_NUMBER,     /* BigInt included */
    PROGRAM_TOKEN_STRING,     /* with its quotes */
    PROGRAM_TOKEN_TEMPLATE,   /* a piece of one: `…`  `…${  }…${  }…` */
    PROGRAM_TOKEN_REGEXP,     /* with its flags */
    PROGRAM_TOKEN_PUNCTUATOR, /* the longest that fits; `@` is one too */
};

/* What the text before a token makes possible at it. */
enum program_position {
    PROGRAM_AT_STATEMENT, /* a statement can begin */
    PROGRAM_AT_OPERAND,   /* an expression, or the rest of one, must begin */
    PROGRAM_AT_OPERATOR,  /* an expression has just ended */
    PROGRAM_AT_MEMBER,    /* a member of an object literal or a class can begin */
};

enum program_bracket {
    PROGRAM_IN_PROGRAM,    /* none */
    PROGRAM_IN_BLOCK,      /* {} of statements */
    PROGRAM_IN_FUNCTION,   /* {} of a function, method, arrow or static block */
    PROGRAM_IN_CLASS,      /* {} of a class */
    PROGRAM_IN_OBJECT,     /* {} of an object literal or a pattern */
    PROGRAM_IN_HEADER,     /* () of if, for, while, with, switch */
    PROGRAM_IN_PARAMETERS, /* () of a function, method or catch; not of an arrow */
    PROGRAM_IN_ARGUMENTS,  /* () behind an expression: a call, or what follows `async` */
    PROGRAM_IN_GROUP,      /* () where an operand can stand, so those of an arrow, too */
    PROGRAM_IN_ARRAY,      /* [] where an operand can stand */
    PROGRAM_IN_INDEX,      /* [] behind an expression, or of a computed member name */
    PROGRAM_IN_TEMPLATE,   /* ${} */
};

struct program_token {
    enum program_token_type type;
    enum program_position position;
    enum program_bracket
        bracket; /* of an opening or closing bracket that one, else the enclosing */
    size_t start, end;
    uint32_t line, column;
    bool newline_before; /* a line ended between the previous token and this one */
    bool property_name;  /* `x.NAME`, `{NAME: 1}`, `{NAME() {}}`, `class {NAME = 1}` */
    bool shorthand;      /* {NAME}, {NAME = 1}: a key and an identifier at once */
    bool awaits;         /* the word `await` where an expression to be awaited follows */
    bool declares;       /* the word `let` where a declaration follows; var, const always */
    bool unmatched;      /* a closing bracket that closes nothing */
    const char *problem; /* of an error: what is wrong, in words; static storage */
};

struct program_frame {
    unsigned bracket : 4;
    unsigned after : 2;     /* enum program_position behind the closing bracket */
    unsigned then_body : 3; /* the body that follows this `)` */
    unsigned body : 3;      /* a body that is due inside this bracket */
    unsigned function : 2;  /* `function` seen, its parameters are due */
    unsigned classes : 3;   /* `class` seen, its body is due; counts nested heads */
    unsigned class_declares : 1;
    unsigned named : 1; /* inside an object or class: a member's name has been read */
    unsigned for_header : 1;
    unsigned questions : 10; /* `?` that wait for their `:` */
};

/* Private to token.c; it stands here so that it can live on the stack (about 16 KiB). */
struct program_tokenizer {
    const char *text;
    size_t length, offset;
    size_t column_offset; /* where `column` was last known */
    uint32_t line, column;
    enum program_position position;
    struct program_token previous;
    uint8_t previous_word;
    bool await_is_name; /* the program has declared a variable of that name */
    size_t depth, too_deep;
    struct program_frame frames[PROGRAM_DEPTH_MAX + 1];
};

/* `text` must stay valid while the tokenizer is used; it needs no terminating zero. [any thread,
 * each tokenizer on one at a time] */
void program_tokenizer_start(struct program_tokenizer *tokenizer, const char *text, size_t length);
void program_tokenizer_next(struct program_tokenizer *tokenizer, struct program_token *token);

/* The line and column of the byte at `offset` (at most `length`), counted as for tokens. */
void program_place_at(const char *text, size_t length, size_t offset, uint32_t *line,
                      uint32_t *column);

/* Whether the token's text is exactly `text`. */
bool program_token_is(const struct program_tokenizer *tokenizer, const struct program_token *token,
                      const char *text);
/* Whether the token is that word, and not a property's name. */
bool program_token_is_word(const struct program_tokenizer *tokenizer,
                           const struct program_token *token, const char *word);
/* Whether the token is that punctuator. */
bool program_token_is_mark(const struct program_tokenizer *tokenizer,
                           const struct program_token *token, const char *mark);

#endif
