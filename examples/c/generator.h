// A small move generator for chess and Chess960, on bitboards. GCC and Clang compile it.
// Compiled with -DWRONG it castles over an attacked square.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NONE };
typedef struct {
    uint64_t of[2], kind[6]; // one bit a square, a1 first: the pieces of Black and of White, and those of each kind
    uint64_t rooks;          // those that may castle
    int white, ep, half, full, chess960; // ep is -1 or a square
} Board;
typedef struct { unsigned char from, to; char into; } Move; // castling is king takes rook; into: n, b, r, q or 0
typedef struct { Move *moves; int n; uint64_t doubtful; } List; // doubtful: pieces that may uncover the king

enum { MOST_MOVES = 1024, MOST_FEN = 128 };
#define BIT(square) (1ull << (square))
#define EACH(square, bits) (uint64_t left = (bits); left && (square = __builtin_ctzll(left), 1); left &= left - 1)
#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// The squares in each direction, first four upwards: north, east, north-east, north-west, and their opposites.
static uint64_t rays[8][64], knights[64], kings[64], captures[2][64];

static uint64_t at(int file, int rank) { return file < 0 || file > 7 || rank < 0 || rank > 7 ? 0 : BIT(rank * 8 + file); }

static void fill_tables(void) {
    static const int RIGHT[4] = {0, 1, 1, -1}, UP[4] = {1, 0, 1, 1}, LONG[8] = {1, 1, 2, 2, -1, -1, -2, -2},
                     SHORT[8] = {2, -2, 1, -1, 2, -2, 1, -1};
    for (int from = 0; from < 64; from++) {
        int file = from % 8, rank = from / 8;
        for (int d = 0; d < 8; d++) {
            int sign = d < 4 ? 1 : -1, right = RIGHT[d % 4] * sign, up = UP[d % 4] * sign;
            for (int n = 1; n < 8; n++) rays[d][from] |= at(file + n * right, rank + n * up);
            kings[from] |= at(file + right, rank + up);
            knights[from] |= at(file + LONG[d], rank + SHORT[d]);
        }
        for (int white = 0; white < 2; white++)
            captures[white][from] = at(file - 1, rank + 2 * white - 1) | at(file + 1, rank + 2 * white - 1);
    }
}

static uint64_t ray(int d, int from, uint64_t all) { // up to the first piece; no ray goes beyond a corner
    uint64_t met = rays[d][from] & all;
    return rays[d][from] ^ rays[d][d < 4 ? __builtin_ctzll(met | BIT(63)) : 63 - __builtin_clzll(met | 1)];
}
static uint64_t rook_lines(int from, uint64_t all) {
    return ray(0, from, all) | ray(1, from, all) | ray(4, from, all) | ray(5, from, all);
}
static uint64_t bishop_lines(int from, uint64_t all) {
    return ray(2, from, all) | ray(3, from, all) | ray(6, from, all) | ray(7, from, all);
}
static uint64_t sliders(const Board *b, int square, uint64_t all) { // those whose lines lead to a square
    return (rook_lines(square, all) & (b->kind[ROOK] | b->kind[QUEEN])) |
           (bishop_lines(square, all) & (b->kind[BISHOP] | b->kind[QUEEN]));
}
static uint64_t attackers(const Board *b, int square, int white, uint64_t all) {
    return b->of[white] & ((knights[square] & b->kind[KNIGHT]) | (kings[square] & b->kind[KING]) |
                           (captures[!white][square] & b->kind[PAWN]) | sliders(b, square, all));
}

static uint64_t everybody(const Board *b) { return b->of[0] | b->of[1]; }
static int king(const Board *b, int white) { return __builtin_ctzll(b->kind[KING] & b->of[white]); }
static int kind_at(const Board *b, int square) {
    int kind = 0;
    while (kind < NONE && !(b->kind[kind] & BIT(square))) kind++;
    return kind;
}
static void take_off(Board *b, int square) {
    for (int kind = 0; kind < NONE; kind++) b->kind[kind] &= ~BIT(square);
    b->of[0] &= ~BIT(square), b->of[1] &= ~BIT(square);
}
static void put(Board *b, int square, int kind, int white) { b->kind[kind] |= BIT(square), b->of[white] |= BIT(square); }

static void play(Board *b, Move m) {
    int us = b->white, up = us ? 8 : -8, kind = kind_at(b, m.from), castles = b->of[us] >> m.to & 1, right = m.to > m.from;
    int takes = !castles && b->of[!us] >> m.to & 1, home = m.from & 56;
    b->half = kind == PAWN || takes ? 0 : b->half + 1;
    b->full += !us, b->white = !us;
    b->rooks &= ~(BIT(m.from) | BIT(m.to) | (kind == KING ? 0xFFull << (us ? 0 : 56) : 0));
    if (kind == PAWN && m.to == b->ep) take_off(b, m.to - up);
    b->ep = kind == PAWN && m.to - m.from == 2 * up ? m.from + up : -1;
    take_off(b, m.from);
    take_off(b, m.to);
    if (castles) {
        put(b, home + (right ? 6 : 2), KING, us);
        put(b, home + (right ? 5 : 3), ROOK, us);
    } else put(b, m.to, m.into ? (int)(strchr("pnbrqk", m.into) - "pnbrqk") : kind, us);
}

static int is_safe(const Board *b, int from, int to, uint64_t victim) { // the own king, after a move
    int us = b->white, at = king(b, us);
    uint64_t all = ((everybody(b) ^ BIT(from)) | BIT(to)) & ~victim;
    return !(attackers(b, from == at ? to : at, !us, all) & ~victim & ~BIT(to));
}

static void add(const Board *b, List *list, int from, uint64_t targets) {
    int to;
    for EACH (to, targets)
        if (!(list->doubtful & BIT(from)) || is_safe(b, from, to, 0)) list->moves[list->n++] = (Move){from, to, 0};
}

// In check all pieces are, else the king, and if a slider stands behind a piece beside it, such pieces.
static uint64_t doubtful(const Board *b) {
    int us = b->white, at = king(b, us);
    uint64_t all = everybody(b), beside = (rook_lines(at, all) | bishop_lines(at, all)) & b->of[us];
    if (attackers(b, at, !us, all)) return ~0ull;
    return BIT(at) | (sliders(b, at, all ^ beside) & b->of[!us] ? beside : 0);
}

static void pawn_moves(const Board *b, List *list, int from) {
    int us = b->white, up = us ? 8 : -8;
    uint64_t all = everybody(b), targets = captures[us][from] & b->of[!us];
    if (!(all & BIT(from + up))) {
        targets |= BIT(from + up);
        if (from / 8 == (us ? 1 : 6) && !(all & BIT(from + 2 * up))) targets |= BIT(from + 2 * up);
    }
    int first = list->n;
    add(b, list, from, targets);
    if (from / 8 == (us ? 6 : 1))
        for (int i = first, end = list->n; i < end; i++) {
            list->moves[i].into = 'q';
            for (const char *into = "rbn"; *into; into++) list->moves[list->n++] = (Move){from, list->moves[i].to, *into};
        }
    if (b->ep >= 0 && captures[us][from] & BIT(b->ep) && is_safe(b, from, b->ep, BIT(b->ep - up)))
        list->moves[list->n++] = (Move){from, b->ep, 0};
}

static uint64_t span(int one, int other) { // the squares from one to another on a rank, both included
    int low = one < other ? one : other, high = one < other ? other : one;
    return (2 * BIT(high)) - BIT(low);
}

static void castling_moves(const Board *b, List *list, int from) {
    int us = b->white, rook, square;
    for EACH (rook, b->rooks & b->of[us]) {
        int king_to = (from & 56) + (rook > from ? 6 : 2), rook_to = (from & 56) + (rook > from ? 5 : 3), is_free = 1;
        uint64_t all = everybody(b) & ~BIT(from) & ~BIT(rook), passed = span(from, king_to);
        if ((passed | span(rook, rook_to)) & all) continue;
#ifdef WRONG
        passed = BIT(from) | BIT(king_to);
#endif
        for EACH (square, passed) is_free &= !attackers(b, square, !us, square == king_to ? all | BIT(rook_to) : everybody(b));
        if (is_free) list->moves[list->n++] = (Move){from, rook, 0};
    }
}

static int legal_moves(const Board *b, Move *moves) {
    List list = {moves, 0, doubtful(b)};
    uint64_t all = everybody(b), own = b->of[b->white], queens = b->kind[QUEEN];
    int from;
    for EACH (from, own & b->kind[PAWN]) pawn_moves(b, &list, from);
    for EACH (from, own & b->kind[KNIGHT]) add(b, &list, from, knights[from] & ~own);
    for EACH (from, own & (b->kind[BISHOP] | queens)) add(b, &list, from, bishop_lines(from, all) & ~own);
    for EACH (from, own & (b->kind[ROOK] | queens)) add(b, &list, from, rook_lines(from, all) & ~own);
    for EACH (from, own & b->kind[KING]) {
        add(b, &list, from, kings[from] & ~own);
        if (list.doubtful != ~0ull) castling_moves(b, &list, from);
    }
    return list.n;
}

static long long perft(const Board *b, int depth) {
    Move moves[MOST_MOVES];
    int n = legal_moves(b, moves);
    if (depth == 1) return n;
    long long nodes = 0;
    for (int i = 0; i < n; i++) {
        Board after = *b;
        play(&after, moves[i]);
        nodes += perft(&after, depth - 1);
    }
    return nodes;
}

static int square(const char *name) { return name[0] - 'a' + 8 * (name[1] - '1'); }

static void write_move(const Board *b, Move m, char *out) { // six bytes
    if (b->of[b->white] & BIT(m.to) && !b->chess960) m.to = (m.from & 56) + (m.to > m.from ? 6 : 2);
    char text[6] = {'a' + m.from % 8, '1' + m.from / 8, 'a' + m.to % 8, '1' + m.to / 8, m.into, 0};
    memcpy(out, text, 6);
}

static int read_move(const Board *b, const char *text, Move *found) { // whether it is legal
    Move moves[MOST_MOVES];
    char name[6];
    for (int i = legal_moves(b, moves); i-- > 0;) {
        write_move(b, *found = moves[i], name);
        size_t length = strlen(name);
        if (!strncmp(name, text, length) && (unsigned char)text[length] <= ' ') return 1;
    }
    return 0;
}

static int kind_of(char letter) {
    switch (letter | 32) {
        case 'p': return PAWN;
        case 'n': return KNIGHT;
        case 'b': return BISHOP;
        case 'r': return ROOK;
        case 'q': return QUEEN;
        case 'k': return KING;
        default: return NONE;
    }
}

static const char *read_pieces(Board *b, const char *c) { // what follows, or NULL
    int at = 56, end = 64;
    for (; *c && *c != ' '; c++) {
        int kind = kind_of(*c);
        if (*c == '/' && at == end && end > 8) at -= 16, end -= 8;
        else if (*c >= '1' && *c <= '8' && at + *c - '0' <= end) at += *c - '0';
        else if (kind != NONE && at < end) put(b, at++, kind, *c < 'a');
        else return NULL;
    }
    for (int white = 0; white < 2; white++)
        if (__builtin_popcountll(b->kind[KING] & b->of[white]) != 1) return NULL;
    return at == 8 && end == 8 && !(b->kind[PAWN] & 0xFF000000000000FF) ? c : NULL;
}

static int read_right(Board *b, char letter) { // K is the outermost rook on that side, H the rook on the h-file
    int white = letter < 'a', at = king(b, white), side = letter | 32;
    uint64_t home = 0xFFull << (white ? 0 : 56), rooks = b->kind[ROOK] & b->of[white] & home, right = -2ull << at;
    if (!(BIT(at) & home)) return 0;
    if (side >= 'a' && side <= 'h') rooks &= 0x0101010101010101ull << (side - 'a'), b->chess960 = 1;
    else if (side == 'k' && (rooks &= right)) rooks = BIT(63 - __builtin_clzll(rooks));
    else if (side == 'q' && (rooks &= ~right)) rooks &= -rooks;
    b->rooks |= rooks;
    return rooks != 0;
}

static int read_fen(Board *b, const char *fen) { // whether it is a position of chess
    if (!kings[0]) fill_tables();
    *b = (Board){.ep = -1, .full = 1};
    const char *c = read_pieces(b, fen);
    if (!c || c[0] != ' ' || (c[1] != 'w' && c[1] != 'b') || c[2] != ' ') return 0;
    b->white = c[1] == 'w';
    for (c += 3; *c && *c != ' '; c++)
        if (*c != '-' && !read_right(b, *c)) return 0;
    if (*c == ' ' && c[1] >= 'a' && c[1] <= 'h' && c[2] == (b->white ? '6' : '3')) b->ep = square(c + 1);
    if (*c == ' ' && (c = strchr(c + 1, ' '))) b->half = atoi(c + 1), c = strchr(c + 1, ' ');
    if (c && *c == ' ') b->full = atoi(c + 1);
    return !attackers(b, king(b, !b->white), b->white, everybody(b));
}

static int write_rights(const Board *b, char *out) { // returns the length
    int n = 0;
    for (int white = 1; white >= 0; white--)
        for (int at = white ? 7 : 63; at >= (white ? 0 : 56); at--)
            if (b->rooks & BIT(at))
                out[n++] = (b->chess960 ? 'A' + at % 8 : at > king(b, white) ? 'K' : 'Q') | (white ? 0 : 32);
    if (!n) out[n++] = '-';
    return n;
}

static int write_fen(const Board *b, char *out) { // MOST_FEN bytes; returns the length
    int n = 0;
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0, empty = 0; file < 8; file++) {
            int at = rank * 8 + file, kind = kind_at(b, at);
            empty += kind == NONE;
            if (empty && (kind != NONE || file == 7)) out[n++] = '0' + empty, empty = 0;
            if (kind != NONE) out[n++] = "pnbrqk"[kind] & (b->of[1] & BIT(at) ? ~32 : ~0);
        }
        out[n++] = rank ? '/' : ' ';
    }
    n += sprintf(out + n, "%c ", b->white ? 'w' : 'b');
    n += write_rights(b, out + n);
    char ep[3] = {b->ep < 0 ? '-' : 'a' + b->ep % 8, b->ep < 0 ? 0 : '1' + b->ep / 8, 0};
    return n + sprintf(out + n, " %s %d %d", ep, b->half, b->full);
}
