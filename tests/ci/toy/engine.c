// A toy engine: it plays by the rules of standard chess and answers `position fen ... moves ...` and `go perft N`.
// Compiled with -DWRONG it castles over an attacked square.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char at[64]; int white, rights, ep; } Board; // a1 is 0; rights: 1 K, 2 Q, 4 k, 8 q; ep is -1 or a square
typedef struct { int from, to; char into; } Move;             // into: the piece of a promotion in lower case, or 0

static int is_white(char piece) { return piece >= 'A' && piece <= 'Z'; }
static char lower(char piece) { return piece | 32; }
static int own(const Board *b, int square) { return b->at[square] != '.' && is_white(b->at[square]) == b->white; }
static int file(int square) { return square % 8; }
static int step(int square, int right, int up) { // the square beyond, or -1 off the board
    int f = file(square) + right, r = square / 8 + up;
    return f < 0 || f > 7 || r < 0 || r > 7 ? -1 : r * 8 + f;
}
static const int DIRECTIONS[16][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1},
                                      {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static int attacked(const Board *b, int square, int by_white) {
    for (int d = 0; d < 16; d++) {
        int to = square;
        for (int distance = 1; (to = step(to, DIRECTIONS[d][0], DIRECTIONS[d][1])) >= 0; distance++) {
            char piece = b->at[to], kind = lower(piece);
            if (piece != '.' && is_white(piece) == by_white) {
                if (d >= 8 ? kind == 'n' : kind == 'q' || kind == (d < 4 ? 'r' : 'b')) return 1;
                if (d < 8 && distance == 1 && kind == 'k') return 1;
                if (d >= 4 && d < 8 && distance == 1 && kind == 'p' && (DIRECTIONS[d][1] < 0) == by_white) return 1;
            }
            if (piece != '.' || d >= 8) break;
        }
    }
    return 0;
}

static int king(const Board *b, int white) { return (int)((char *)memchr(b->at, white ? 'K' : 'k', 64) - b->at); }

static void play(Board *b, Move m) {
    static const int CORNERS[4] = {7, 0, 63, 56};
    char piece = b->at[m.from], kind = lower(piece);
    int up = b->white ? 8 : -8;
    if (kind == 'p' && m.to == b->ep) b->at[m.to - up] = '.';
    if (kind == 'k' && abs(m.to - m.from) == 2) { // the rook goes to the square that the king passes
        int rook = m.to > m.from ? m.to + 1 : m.to - 2;
        b->at[(m.from + m.to) / 2] = b->at[rook];
        b->at[rook] = '.';
    }
    b->at[m.to] = m.into ? (b->white ? m.into - 32 : m.into) : piece;
    b->at[m.from] = '.';
    if (kind == 'k') b->rights &= b->white ? ~3 : ~12;
    for (int corner = 0; corner < 4; corner++)
        if (m.from == CORNERS[corner] || m.to == CORNERS[corner]) b->rights &= ~(1 << corner);
    b->ep = kind == 'p' && abs(m.to - m.from) == 16 ? (m.from + m.to) / 2 : -1;
    b->white = !b->white;
}

static int add(const Board *b, Move *list, int n, int from, int to, char into) {
    Board after = *b;
    play(&after, (Move){from, to, into});
    if (attacked(&after, king(&after, b->white), !b->white)) return n;
    list[n] = (Move){from, to, into};
    return n + 1;
}

static int pawn_moves(const Board *b, Move *list, int n, int from) {
    int up = b->white ? 1 : -1;
    for (int right = -1; right <= 1; right++) {
        int to = step(from, right, up);
        if (to < 0 || (right ? (b->at[to] == '.' && to != b->ep) || own(b, to) : b->at[to] != '.')) continue;
        for (const char *into = to / 8 % 7 ? "" : "qrbn"; ; into++) {
            n = add(b, list, n, from, to, *into);
            if (!*into || !into[1]) break;
        }
        if (!right && from / 8 == (b->white ? 1 : 6) && b->at[to + 8 * up] == '.') n = add(b, list, n, from, to + 8 * up, 0);
    }
    return n;
}

static int castling_moves(const Board *b, Move *list, int n, int from) {
    for (int side = 0; side < 2; side++) {
        int forward = side ? -1 : 1, empty = 1;
        if (!(b->rights & (b->white ? 1 : 4) << side) || attacked(b, from, !b->white)) continue;
        for (int i = 1; i <= (side ? 3 : 2); i++) empty &= b->at[from + i * forward] == '.';
#ifndef WRONG
        if (empty && attacked(b, from + forward, !b->white)) continue;
#endif
        if (empty) n = add(b, list, n, from, from + 2 * forward, 0);
    }
    return n;
}

static int moves(const Board *b, Move *list) {
    int n = 0;
    for (int from = 0; from < 64; from++) {
        if (!own(b, from)) continue;
        char kind = lower(b->at[from]);
        if (kind == 'p') { n = pawn_moves(b, list, n, from); continue; }
        int first = kind == 'n' ? 8 : kind == 'b' ? 4 : 0, end = kind == 'n' ? 16 : kind == 'r' ? 4 : 8;
        for (int d = first; d < end; d++)
            for (int to = from; (to = step(to, DIRECTIONS[d][0], DIRECTIONS[d][1])) >= 0 && !own(b, to);) {
                n = add(b, list, n, from, to, 0);
                if (b->at[to] != '.' || kind == 'n' || kind == 'k') break;
            }
        if (kind == 'k') n = castling_moves(b, list, n, from);
    }
    return n;
}

static long long perft(const Board *b, int depth) {
    Move list[256];
    int n = moves(b, list);
    if (depth == 1) return n;
    long long nodes = 0;
    for (int i = 0; i < n; i++) {
        Board after = *b;
        play(&after, list[i]);
        nodes += perft(&after, depth - 1);
    }
    return nodes;
}

static int square(const char *name) { return name[0] - 'a' + 8 * (name[1] - '1'); }

static void set_up(Board *b, char *text) {
    char pieces[100] = "", turn[8] = "w", rights[8] = "-", ep[8] = "-";
    sscanf(text, "%99s %7s %7s %7s", pieces, turn, rights, ep);
    memset(b->at, '.', 64);
    int at = 56;
    for (char *c = pieces; *c; c++) {
        if (*c == '/') at -= 16;
        else if (*c >= '1' && *c <= '8') at += *c - '0';
        else b->at[at++] = *c;
    }
    b->white = *turn == 'w', b->rights = 0;
    for (int i = 0; i < 4; i++) b->rights |= strchr(rights, "KQkq"[i]) ? 1 << i : 0;
    b->ep = *ep == '-' ? -1 : square(ep);
}

static void divide(const Board *b, int depth) {
    Move list[256];
    int n = moves(b, list);
    long long total = 0;
    for (int i = 0; i < n; i++) {
        Board after = *b;
        play(&after, list[i]);
        long long nodes = depth > 1 ? perft(&after, depth - 1) : 1;
        Move m = list[i];
        printf("%c%d%c%d%.1s: %lld\n", 'a' + file(m.from), m.from / 8 + 1, 'a' + file(m.to), m.to / 8 + 1, &m.into, nodes);
        total += nodes;
    }
    printf("\nNodes searched: %lld\n\n", total);
}

int main(void) {
    static char line[1 << 16];
    Board b;
    set_up(&b, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    while (fgets(line, sizeof line, stdin)) {
        char *fen = strstr(line, "fen "), *played = strstr(line, " moves ");
        int depth;
        if (!strncmp(line, "uci\n", 4)) puts("id name Toy\nuciok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "quit", 4)) return 0;
        else if (!strncmp(line, "position ", 9)) {
            set_up(&b, fen ? fen + 4 : "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
            for (char *move = played ? strtok(played + 7, " \n") : NULL; move; move = strtok(NULL, " \n"))
                play(&b, (Move){square(move), square(move + 2), move[4]});
        } else if (sscanf(line, "go perft %d", &depth) == 1) divide(&b, depth);
        fflush(stdout);
    }
    return 0;
}
