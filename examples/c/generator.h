// A small move generator for chess and Chess960, on an array of 64 squares.
// Compiled with -DWRONG it castles over an attacked square.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char at[64];                            // a1 is 0
    int white, ep, king[2], half, full;     // ep is -1 or a square; the kings of Black and White
    int chess960;
    uint64_t rooks;                         // one bit for each rook that may castle
} Board;
typedef struct { unsigned char from, to; char into; } Move; // castling is king takes rook; into: n, b, r, q or 0

enum { MOST_MOVES = 256, MOST_FEN = 128, END = 64 };
#define BIT(square) (1ull << (square))
#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

static int is_white(char piece) { return piece < 'a'; }
static char lower(char piece) { return piece | 32; }
static int own(const Board *b, int square) { return b->at[square] != '.' && is_white(b->at[square]) == b->white; }

// The squares from each square in each direction, up to END: 0 to 3 along ranks and files, 4 to 7 diagonally, 8 to 15
// knights.
static unsigned char lines[64][16][8];
static const int DIRECTIONS[16][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1},
                                      {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static void draw_lines(void) {
    for (int from = 0; from < 64; from++)
        for (int d = 0; d < 16; d++) {
            int file = from % 8, rank = from / 8, n = 0;
            do {
                file += DIRECTIONS[d][0], rank += DIRECTIONS[d][1];
                if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
                lines[from][d][n++] = rank * 8 + file;
            } while (d < 8);
            lines[from][d][n] = END;
        }
}

static int attacked(const Board *b, int square, int by_white) {
    static const char SLIDERS[2][2] = {{'r', 'b'}, {'R', 'B'}};
    const char queen = by_white ? 'Q' : 'q', king = by_white ? 'K' : 'k', pawn = by_white ? 'P' : 'p';
    for (int d = 0; d < 8; d++)
        for (const unsigned char *to = lines[square][d]; *to != END; to++) {
            char piece = b->at[*to];
            if (piece == '.') continue;
            if (piece == queen || piece == SLIDERS[by_white][d >= 4]) return 1;
            if (to == lines[square][d]) {
                if (piece == king) return 1;
                if (piece == pawn && d >= 4 && (DIRECTIONS[d][1] < 0) == by_white) return 1;
            }
            break;
        }
    for (int d = 8; d < 16; d++)
        if (lines[square][d][0] != END && b->at[lines[square][d][0]] == (by_white ? 'N' : 'n')) return 1;
    return 0;
}

static void play(Board *b, Move m) {
    char piece = b->at[m.from], kind = lower(piece), taken = b->at[m.to];
    int us = b->white, up = us ? 8 : -8, ep = b->ep, castles = kind == 'k' && taken == (us ? 'R' : 'r');
    b->half = kind == 'p' || (taken != '.' && !castles) ? 0 : b->half + 1;
    b->ep = -1, b->full += !us, b->white = !us;
    b->rooks &= ~(BIT(m.from) | BIT(m.to));
    if (kind == 'k') b->rooks &= us ? ~0xFFull : ~0ull >> 8;
    b->at[m.from] = '.';
    if (castles) {
        int home = m.from & 56, right = m.to > m.from;
        b->at[m.to] = '.';
        b->at[home + (right ? 5 : 3)] = taken;
        b->at[b->king[us] = home + (right ? 6 : 2)] = piece;
        return;
    }
    if (kind == 'k') b->king[us] = m.to;
    if (kind == 'p' && m.to == ep) b->at[m.to - up] = '.';
    if (kind == 'p' && m.to - m.from == 2 * up) b->ep = m.from + up;
    b->at[m.to] = m.into ? (us ? m.into - 32 : m.into) : piece;
}

typedef struct { Move *moves; int n; uint64_t doubtful; } List; // doubtful: squares whose pieces may uncover the king

static void add(const Board *b, List *list, int from, int to, char into) {
    if (list->doubtful & BIT(from) || (to == b->ep && lower(b->at[from]) == 'p')) {
        Board after = *b;
        play(&after, (Move){from, to, into});
        if (attacked(&after, after.king[b->white], !b->white)) return;
    }
    list->moves[list->n++] = (Move){from, to, into};
}

// In check every piece is doubtful, else the king and the pieces that alone stand between it and a slider.
static uint64_t doubtful(const Board *b) {
    int king = b->king[b->white];
    uint64_t found = BIT(king);
    if (attacked(b, king, !b->white)) return ~0ull;
    for (int d = 0; d < 8; d++) {
        int between = END;
        for (const unsigned char *to = lines[king][d]; *to != END; to++) {
            if (b->at[*to] == '.') continue;
            char kind = lower(b->at[*to]);
            if (between == END && own(b, *to)) { between = *to; continue; }
            if (between != END && !own(b, *to) && (kind == 'q' || kind == (d < 4 ? 'r' : 'b'))) found |= BIT(between);
            break;
        }
    }
    return found;
}

static void pawn_moves(const Board *b, List *list, int from) {
    int up = b->white ? 8 : -8, file = from & 7;
    for (int right = -1; right <= 1; right++) {
        int to = from + up + right;
        if (file + right < 0 || file + right > 7) continue;
        if (right ? (b->at[to] == '.' && to != b->ep) || own(b, to) : b->at[to] != '.') continue;
        for (const char *into = to / 8 % 7 ? "" : "qrbn"; ; into++) {
            add(b, list, from, to, *into);
            if (!*into || !into[1]) break;
        }
        if (!right && from / 8 == (b->white ? 1 : 6) && b->at[to + up] == '.') add(b, list, from, to + up, 0);
    }
}

static void castling_moves(const Board *b, List *list, int from) {
    for (int rook = from & 56; rook <= (from | 7); rook++) {
        if (!(b->rooks & BIT(rook)) || !own(b, rook) || list->doubtful == ~0ull) continue;
        int right = rook > from, king_to = (from & 56) + (right ? 6 : 2), rook_to = (from & 56) + (right ? 5 : 3);
        int first = from < rook ? from : rook, last = from < rook ? rook : from, free = 1;
        if (king_to < first || rook_to < first) first = king_to < rook_to ? king_to : rook_to;
        if (king_to > last || rook_to > last) last = king_to > rook_to ? king_to : rook_to;
        for (int square = first; square <= last; square++)
            free &= square == from || square == rook || b->at[square] == '.';
#ifndef WRONG
        int step = king_to > from ? 1 : -1;
        for (int square = from; free && square != king_to; square += step) free = !attacked(b, square, !b->white);
#endif
        if (free) add(b, list, from, rook, 0);
    }
}

static int legal_moves(const Board *b, Move *moves) {
    List list = {moves, 0, doubtful(b)};
    for (int from = 0; from < 64; from++) {
        if (!own(b, from)) continue;
        char kind = lower(b->at[from]);
        if (kind == 'p') { pawn_moves(b, &list, from); continue; }
        int first = kind == 'n' ? 8 : kind == 'b' ? 4 : 0, end = kind == 'n' ? 16 : kind == 'r' ? 4 : 8;
        for (int d = first; d < end; d++)
            for (const unsigned char *to = lines[from][d]; *to != END && !own(b, *to); to++) {
                add(b, &list, from, *to, 0);
                if (b->at[*to] != '.' || kind == 'k') break;
            }
        if (kind == 'k') castling_moves(b, &list, from);
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
    if (lower(b->at[m.from]) == 'k' && own(b, m.to) && !b->chess960) m.to = (m.from & 56) + (m.to > m.from ? 6 : 2);
    char text[6] = {'a' + m.from % 8, '1' + m.from / 8, 'a' + m.to % 8, '1' + m.to / 8, m.into, 0};
    memcpy(out, text, 6);
}

static int read_move(const Board *b, const char *text, Move *found) { // whether it is legal
    Move moves[MOST_MOVES];
    char name[6];
    for (int i = legal_moves(b, moves); i-- > 0;) {
        write_move(b, *found = moves[i], name);
        if (!strncmp(name, text, strlen(name)) && (text[strlen(name)] == ' ' || !text[strlen(name)])) return 1;
    }
    return 0;
}

static const char *read_pieces(Board *b, const char *c) { // what follows, or NULL
    int at = 56, end = 64;
    for (; *c && *c != ' '; c++) {
        if (*c == '/' && at == end && end > 8) at -= 16, end -= 8;
        else if (*c >= '1' && *c <= '8' && at + *c - '0' <= end) at += *c - '0';
        else if (strchr("PNBRQKpnbrqk", *c) && at < end) {
            if (lower(*c) == 'k') {
                if (b->king[*c == 'K'] != END) return NULL;
                b->king[*c == 'K'] = at;
            }
            if (lower(*c) == 'p' && (at < 8 || at > 55)) return NULL;
            b->at[at++] = *c;
        } else return NULL;
    }
    return at == 8 && end == 8 && b->king[0] != END && b->king[1] != END ? c : NULL;
}

static int read_right(Board *b, char letter) { // K is the outermost rook on that side, H the rook on the h-file
    int white = is_white(letter), king = b->king[white], home = king & 56;
    char side = lower(letter), rook = white ? 'R' : 'r';
    int found = END;
    if (side >= 'a' && side <= 'h') found = home + side - 'a', b->chess960 = 1;
    else if (side == 'k') for (int at = home + 7; at > king && found == END; at--) found = b->at[at] == rook ? at : END;
    else if (side == 'q') for (int at = home; at < king && found == END; at++) found = b->at[at] == rook ? at : END;
    if (found == END || b->at[found] != rook || home != (white ? 0 : 56)) return 0;
    b->rooks |= BIT(found);
    return 1;
}

static int read_fen(Board *b, const char *fen) { // whether it is one
    if (lines[0][0][0] == 0) draw_lines();
    *b = (Board){.white = 1, .ep = -1, .king = {END, END}, .full = 1};
    memset(b->at, '.', 64);
    const char *c = read_pieces(b, fen);
    if (!c || (strncmp(c, " w ", 3) && strncmp(c, " b ", 3))) return 0;
    b->white = c[1] == 'w';
    for (c += 3; *c && *c != ' '; c++)
        if (*c != '-' && !read_right(b, *c)) return 0;
    if (*c == ' ' && c[1] >= 'a' && c[1] <= 'h' && c[2] == (b->white ? '6' : '3')) b->ep = square(c + 1);
    if (*c == ' ' && (c = strchr(c + 1, ' '))) b->half = atoi(c + 1), c = strchr(c + 1, ' ');
    if (c && *c == ' ') b->full = atoi(c + 1);
    return !attacked(b, b->king[!b->white], b->white);
}

static int write_rights(const Board *b, char *out) {
    int n = 0;
    for (int black = 0; black < 2; black++)
        for (int file = 7; file >= 0; file--) {
            int at = file + 56 * black;
            if (!(b->rooks & BIT(at))) continue;
            char letter = b->chess960 ? 'A' + file : at > b->king[!black] ? 'K' : 'Q';
            out[n++] = black ? lower(letter) : letter;
        }
    if (!n) out[n++] = '-';
    return n;
}

static int write_fen(const Board *b, char *out) { // MOST_FEN bytes; returns the length
    int n = 0;
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0, empty = 0; file < 8; file++) {
            empty += b->at[rank * 8 + file] == '.';
            if (empty && (file == 7 || b->at[rank * 8 + file + 1] != '.')) out[n++] = '0' + empty, empty = 0;
            if (b->at[rank * 8 + file] != '.') out[n++] = b->at[rank * 8 + file];
        }
        out[n++] = rank ? '/' : ' ';
    }
    n += sprintf(out + n, "%c ", b->white ? 'w' : 'b');
    n += write_rights(b, out + n);
    char ep[3] = {b->ep < 0 ? '-' : 'a' + b->ep % 8, b->ep < 0 ? 0 : '1' + b->ep / 8, 0};
    return n + sprintf(out + n, " %s %d %d", ep, b->half, b->full);
}
