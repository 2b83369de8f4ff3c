// The generator as a shared library for perft-check: cc -O2 -shared -fPIC -I PATH_OF_perft_check.h -o libexample.so library.c
#include "generator.h"
#include "perft_check.h"

static const char *why;

static int is_read(Board *b, const char *fen) {
    why = read_fen(b, fen) ? NULL : "this FEN is no position of chess";
    return !why;
}

int64_t perft_check_perft(const char *fen, int depth) {
    Board b;
    return is_read(&b, fen) ? perft(&b, depth) : PERFT_CHECK_REJECTED;
}

int64_t perft_check_divide(const char *fen, int depth, perft_check_move *out, size_t room) {
    Board b;
    Move moves[MOST_MOVES];
    if (!is_read(&b, fen)) return PERFT_CHECK_REJECTED;
    int n = legal_moves(&b, moves);
    for (int i = 0; i < n && (size_t)i < room; i++) {
        Board after = b;
        if (depth > 1) play(&after, moves[i]);
        write_move(&b, moves[i], out[i].move);
        out[i].count = depth > 1 ? perft(&after, depth - 1) : 1;
    }
    return n;
}

int64_t perft_check_moves(const char *fen, int kind, perft_check_move *out, size_t room) {
    return kind == PERFT_CHECK_LEGAL ? perft_check_divide(fen, 1, out, room) : PERFT_CHECK_UNSUPPORTED;
}

int64_t perft_check_fen_after(const char *fen, const char *moves, char *out, size_t size) {
    Board b;
    if (!is_read(&b, fen) || size < MOST_FEN) return PERFT_CHECK_REJECTED;
    for (const char *text = moves; text && *text; text = strchr(text, ' ')) {
        Move move;
        text += *text == ' ';
        if (!read_move(&b, text, &move)) {
            why = "one of the moves is not legal";
            return PERFT_CHECK_REJECTED;
        }
        play(&b, move);
    }
    return write_fen(&b, out);
}

int perft_check_chess960(void) { return 1; }

const char *perft_check_error(void) { return why; }

int perft_check_version(void) { return PERFT_CHECK_VERSION; }
