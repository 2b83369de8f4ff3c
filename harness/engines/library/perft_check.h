/* perft_check.h: the C interface by which perft-check asks a move generator in a shared library.
 *
 * Copyright (c) 2026 the authors of perft-check. This file alone is under the MIT License, so that any engine may copy it:
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
 * rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
 * persons to whom the Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 *
 * Only perft_check_perft is required. A function that the library does not export is not asked.
 *
 *   cc -O2 -shared -fPIC -o libmine.so mine.c        perft-check -e lib:./libmine.so
 *
 * Threads: calls come from one thread, one after the other, in a process that does nothing else.
 * Memory:  the caller owns every text and array that it passes; they are valid until the function returns. The library
 *          owns the text that perft_check_error returns.
 * FENs:    six fields. A position of Chess960 names the files of the rooks that may castle (HAha, Shredder-FEN); one of
 *          standard chess has KQkq.
 * Moves:   UCI text: e2e4, e7e8q. Castling in Chess960 is king takes rook (e1h1); in standard chess e1g1 does as well.
 * Errors:  a negative number says that the position is rejected.
 */
#ifndef PERFT_CHECK_H
#define PERFT_CHECK_H

#include <stddef.h>
#include <stdint.h>

#define PERFT_CHECK_VERSION 1

#define PERFT_CHECK_REJECTED (-1)    /* the position is not accepted */
#define PERFT_CHECK_UNSUPPORTED (-2) /* perft_check_moves: moves of this kind are not offered */

#if defined(_WIN32)
#define PERFT_CHECK_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define PERFT_CHECK_EXPORT __attribute__((visibility("default")))
#else
#define PERFT_CHECK_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A root move: 16 bytes. */
typedef struct {
    char move[8];   /* UCI text with its terminating zero */
    uint64_t count; /* the leaf nodes below it; 1 at depth 1 */
} perft_check_move;

/* The kinds of moves that perft_check_moves may be asked for. docs/gentypes.md of perft-check defines them. */
enum {
    PERFT_CHECK_CAPTURES = 0,
    PERFT_CHECK_QUIETS = 1,
    PERFT_CHECK_QUIET_CHECKS = 2,
    PERFT_CHECK_EVASIONS = 3,
    PERFT_CHECK_NON_EVASIONS = 4,
    PERFT_CHECK_LEGAL = 5
};

/* Required. Returns the number of leaf nodes at this depth, which is at least 1; or a negative number. */
PERFT_CHECK_EXPORT int64_t perft_check_perft(const char *fen, int depth);

/* Optional. Writes the root moves, in any order, and the leaf nodes below each. Returns how many there are, or a negative
 * number. Writes no more than `room` of them. */
PERFT_CHECK_EXPORT int64_t perft_check_divide(const char *fen, int depth, perft_check_move *out, size_t room);

/* Optional. Writes the moves of a kind, in any order; `count` is not looked at. Returns how many there are, or a negative
 * number. Writes no more than `room` of them. */
PERFT_CHECK_EXPORT int64_t perft_check_moves(const char *fen, int kind, perft_check_move *out, size_t room);

/* Optional. Plays UCI moves with spaces between them, from a FEN, and writes the FEN of the position that they lead to,
 * with a terminating zero. Returns its length without the zero, or a negative number. Writes no more than `size` bytes. */
PERFT_CHECK_EXPORT int64_t perft_check_fen_after(const char *fen, const char *moves, char *out, size_t size);

/* Optional predicates, and the hash key. Each plays UCI moves with spaces between them from a FEN, and answers about the
 * position that they lead to: 1 or 0, or a negative number if the position or the move is rejected. docs/predicates.md of
 * perft-check says what is compared. */
PERFT_CHECK_EXPORT int perft_check_is_check(const char *fen, const char *moves);
PERFT_CHECK_EXPORT int perft_check_is_checkmate(const char *fen, const char *moves);
PERFT_CHECK_EXPORT int perft_check_is_stalemate(const char *fen, const char *moves);
PERFT_CHECK_EXPORT int perft_check_is_insufficient_material(const char *fen, const char *moves);
PERFT_CHECK_EXPORT int perft_check_is_twofold_repetition(const char *fen, const char *moves);
PERFT_CHECK_EXPORT int perft_check_is_threefold_repetition(const char *fen, const char *moves);
PERFT_CHECK_EXPORT int perft_check_is_repetition(const char *fen, const char *moves); /* twice or three times */
PERFT_CHECK_EXPORT int perft_check_is_fifty_moves(const char *fen, const char *moves);

/* `move` is any UCI text: each origin, target and promotion. gives_check is asked about legal moves only. */
PERFT_CHECK_EXPORT int perft_check_gives_check(const char *fen, const char *moves, const char *move);
PERFT_CHECK_EXPORT int perft_check_is_legal(const char *fen, const char *moves, const char *move);
PERFT_CHECK_EXPORT int perft_check_is_pseudo_legal(const char *fen, const char *moves, const char *move);

/* san writes the algebraic notation of a UCI move, parse_san the UCI text of what san has written, both with a terminating
 * zero. They return its length without the zero, or a negative number, and write no more than `size` bytes. */
PERFT_CHECK_EXPORT int64_t perft_check_san(const char *fen, const char *moves, const char *text, char *out, size_t size);
PERFT_CHECK_EXPORT int64_t perft_check_parse_san(const char *fen, const char *moves, const char *text, char *out,
                                                 size_t size);

/* Writes the hash key of the position, updated by the moves. Returns 0 or a negative number. */
PERFT_CHECK_EXPORT int perft_check_key(const char *fen, const char *moves, uint64_t *key);

/* Optional. Returns whether positions of Chess960 may be asked about: 1 or 0. Without it they are not. */
PERFT_CHECK_EXPORT int perft_check_chess960(void);

/* Optional. Returns why the last call returned a negative number, or NULL. Valid until the next call. */
PERFT_CHECK_EXPORT const char *perft_check_error(void);

/* Optional. Returns PERFT_CHECK_VERSION. Without it, version 1 is assumed. */
PERFT_CHECK_EXPORT int perft_check_version(void);

#ifdef __cplusplus
}
#endif

#endif
