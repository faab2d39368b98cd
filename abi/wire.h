/*
 * pawl/wire.h - the numbers of the protocol between an isolating provider (the parent) and the
 * program that it starts (the child). abi/wire.md says what they mean.
 */
#ifndef PAWL_WIRE_H
#define PAWL_WIRE_H

#define PAWL_WIRE_PROTOCOL 1u

/* The child's file descriptors. Each is one end of a one-way pipe. */
#define PAWL_WIRE_FD_LAUNCH  0 /* in: launch, program */
#define PAWL_WIRE_FD_REPORT  1 /* out: ready, facts, the end */
#define PAWL_WIRE_FD_STDERR  2 /* out: any text; the parent keeps the last of it */
#define PAWL_WIRE_FD_CALLS   3 /* out: what the program does: calls, logs, questions */
#define PAWL_WIRE_FD_ANSWERS 4 /* in: settlements, answers, ended */
#define PAWL_WIRE_FDS        5

/* A command that is confined has one more: a socket over which it asks for connections to the
 * proxy. */
#define PAWL_WIRE_FD_GATEWAY 5

/* A frame: the size of its text as a 32-bit little-endian number, one byte for its type, the text
 * (one JSON object in UTF-8). */
#define PAWL_WIRE_HEADER 5u

/* Parent to child, on LAUNCH. */
#define PAWL_WIRE_LAUNCH   'L'
#define PAWL_WIRE_PROGRAM  'P'
#define PAWL_WIRE_SUPPORTS 'Q'
/* Parent to child, on ANSWERS. */
#define PAWL_WIRE_SETTLED 'S'
#define PAWL_WIRE_ANSWER  'A'
#define PAWL_WIRE_ENDED   'E'
/* Child to parent, on REPORT. */
#define PAWL_WIRE_READY     'r'
#define PAWL_WIRE_ERROR     'x'
#define PAWL_WIRE_FACT      'k'
#define PAWL_WIRE_VALUE     'v'
#define PAWL_WIRE_FAILURE   'f'
#define PAWL_WIRE_STOPPED   's'
#define PAWL_WIRE_SUPPORTED 'q'
#define PAWL_WIRE_IMAGE     'i'
/* Child to parent, on CALLS. */
#define PAWL_WIRE_CALL     'c'
#define PAWL_WIRE_LOG      'l'
#define PAWL_WIRE_DISCOVER 'd'
#define PAWL_WIRE_CLOCK    't'
#define PAWL_WIRE_RANDOM   'n'
#define PAWL_WIRE_NEXT     'w'

/* Limits. Sizes are in bytes of a frame's text. */
#define PAWL_WIRE_FRAME_DEFAULT 0x110000u   /* child to parent, unless launch says otherwise */
#define PAWL_WIRE_FRAME_LEAST   0x1000u     /* least that launch may say */
#define PAWL_WIRE_FRAME_MOST    0x40000000u /* most that launch may say; parent to child */
#define PAWL_WIRE_DEPTH \
    10016u /* of arrays and objects inside each other: 10,000 of a value, and the frame's */
#define PAWL_WIRE_IN_FLIGHT   1024u /* calls begun whose settlement was not yet sent */
#define PAWL_WIRE_RANDOM_MOST 4096u /* bytes in one answer */
#define PAWL_WIRE_SUGGESTIONS 16u   /* in one failure */

#endif
