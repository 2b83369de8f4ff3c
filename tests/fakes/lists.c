// Lists of moves by GenType, out of the example in C: legal, captures and all promotions, then the rest.
// Compiled with -DQUIET_EN_PASSANT it takes en passant captures for quiet, with -DCRASHES it dies at evasions.
#include "library.c"

static int is_loud(const Board *b, Move m) {
    int castles = b->of[b->white] >> m.to & 1;
#ifndef QUIET_EN_PASSANT
    if (b->kind[PAWN] >> m.from & 1 && m.to == b->ep) return 1;
#endif
    return m.into || (!castles && b->of[!b->white] >> m.to & 1);
}

static int gives_check(const Board *b, Move m) {
    Board after = *b;
    play(&after, m);
    return attackers(&after, king(&after, after.white), !after.white, everybody(&after)) != 0;
}

int64_t perft_check_moves(const char *fen, int kind, perft_check_move *out, size_t room) {
    Board b;
    Move moves[MOST_MOVES];
    size_t found = 0;
    if (!is_read(&b, fen)) return PERFT_CHECK_REJECTED;
#ifdef CRASHES
    if (kind == PERFT_CHECK_EVASIONS) abort();
#endif
    int n = legal_moves(&b, moves);
    for (int i = 0; i < n && found < room; i++) {
        int loud = is_loud(&b, moves[i]);
        if (kind == PERFT_CHECK_CAPTURES && !loud) continue;
        if ((kind == PERFT_CHECK_QUIETS || kind == PERFT_CHECK_QUIET_CHECKS) && loud) continue;
        if (kind == PERFT_CHECK_QUIET_CHECKS && !gives_check(&b, moves[i])) continue;
        write_move(&b, moves[i], out[found++].move);
    }
    return found;
}
