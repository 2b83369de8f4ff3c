// The example library with optional predicates and a hash key. Build it like library.c:
// cc -O2 -shared -fPIC -I PATH_OF_perft_check.h -o libexample.so predicates.c
#include "library.c"

enum { MOST_PLIES = 1024 };
typedef struct { Board at[MOST_PLIES]; uint64_t keys[MOST_PLIES]; int n; } Game; // the last position is at[n - 1]

static uint64_t word(uint64_t feature) { // a random word for each feature of a position (splitmix64)
    feature = (feature + 1) * 0x9E3779B97F4A7C15;
    feature = (feature ^ feature >> 30) * 0xBF58476D1CE4E5B9;
    feature = (feature ^ feature >> 27) * 0x94D049BB133111EB;
    return feature ^ feature >> 31;
}
static uint64_t piece_word(const Board *b, int at) { return word((b->of[1] >> at & 1) * 512 + kind_at(b, at) * 64 + at); }
static uint64_t right_word(int rook) { return word(1024 + rook); }
static int is_ep_usable(const Board *b) {
    Move moves[MOST_MOVES];
    for (int i = legal_moves(b, moves); b->ep >= 0 && i-- > 0;)
        if (moves[i].to == b->ep && b->kind[PAWN] & BIT(moves[i].from)) return 1;
    return 0;
}
static uint64_t ep_word(const Board *b) { return is_ep_usable(b) ? word(1088 + b->ep) : 0; }

static uint64_t key_of(const Board *b) {
    uint64_t key = b->white ? word(1152) : 0;
    int at;
    for EACH (at, everybody(b)) key ^= piece_word(b, at);
    for EACH (at, b->rooks) key ^= right_word(at);
    return key ^ ep_word(b);
}
static uint64_t updated(uint64_t key, const Board *before, const Board *after) { // by what a move has changed
    int at;
    for EACH (at, everybody(before) | everybody(after)) {
        uint64_t was = everybody(before) >> at & 1 ? piece_word(before, at) : 0;
        uint64_t is = everybody(after) >> at & 1 ? piece_word(after, at) : 0;
        key ^= was ^ is;
    }
    for EACH (at, before->rooks ^ after->rooks) key ^= right_word(at);
    return key ^ word(1152) ^ ep_word(before) ^ ep_word(after);
}

static const Board *last(const Game *game) { return &game->at[game->n - 1]; }
static int is_played(Game *game, const char *fen, const char *moves) { // whether the moves are legal
    if (!is_read(&game->at[0], fen)) return 0;
    game->n = 1, game->keys[0] = key_of(&game->at[0]);
    for (const char *text = moves; text && *text && game->n < MOST_PLIES; text = strchr(text, ' ')) {
        Move move;
        text += *text == ' ';
        if (!read_move(last(game), text, &move)) {
            why = "one of the moves is not legal";
            return 0;
        }
        Board *after = &game->at[game->n];
        *after = *last(game);
        play(after, move);
        game->keys[game->n] = updated(game->keys[game->n - 1], after - 1, after);
        game->n++;
    }
    return 1;
}

static int in_check(const Board *b) { return attackers(b, king(b, b->white), !b->white, everybody(b)) != 0; }
static int has_moves(const Board *b) {
    Move moves[MOST_MOVES];
    return legal_moves(b, moves) > 0;
}
static int is_insufficient(const Board *b) {
    return !(b->kind[PAWN] | b->kind[ROOK] | b->kind[QUEEN]) && __builtin_popcountll(everybody(b)) <= 3;
}
static int occurrences(const Game *game) {
    int n = 0;
    for (int i = 0; i < game->n; i++) n += game->keys[i] == game->keys[game->n - 1];
    return n;
}

static Game game;
#define PREDICATE(name, value) \
    int perft_check_##name(const char *fen, const char *moves) { \
        if (!is_played(&game, fen, moves)) return PERFT_CHECK_REJECTED; \
        const Board *b = last(&game); \
        (void)b; \
        return (value) != 0; \
    }
PREDICATE(is_check, in_check(b))
PREDICATE(is_checkmate, in_check(b) && !has_moves(b))
PREDICATE(is_stalemate, !in_check(b) && !has_moves(b))
PREDICATE(is_insufficient_material, is_insufficient(b))
PREDICATE(is_twofold_repetition, occurrences(&game) >= 2)
PREDICATE(is_threefold_repetition, occurrences(&game) >= 3)
PREDICATE(is_fifty_moves, b->half >= 100)

static int find(const Board *b, const char *text, Move *move) { // whether a whole text is a legal move
    return strlen(text) >= 4 && strlen(text) <= 5 && read_move(b, text, move);
}

int perft_check_is_legal(const char *fen, const char *moves, const char *text) {
    Move move;
    if (!is_played(&game, fen, moves)) return PERFT_CHECK_REJECTED;
    return find(last(&game), text, &move);
}

int perft_check_gives_check(const char *fen, const char *moves, const char *text) {
    Move move;
    if (!is_played(&game, fen, moves) || !find(last(&game), text, &move)) return PERFT_CHECK_REJECTED;
    Board after = *last(&game);
    play(&after, move);
    return in_check(&after);
}

static int write_san(const Board *b, Move move, char *out) { // returns the length
    Move moves[MOST_MOVES];
    int n = 0, kind = kind_at(b, move.from), castles = b->of[b->white] >> move.to & 1, alike = 0, file = 0, rank = 0;
    int takes = everybody(b) >> move.to & 1 || (kind == PAWN && move.to == b->ep);
    for (int i = legal_moves(b, moves); i-- > 0;) {
        if (moves[i].to != move.to || moves[i].from == move.from || kind_at(b, moves[i].from) != kind) continue;
        alike++, file += moves[i].from % 8 == move.from % 8, rank += moves[i].from / 8 == move.from / 8;
    }
    if (castles) n = sprintf(out, move.to > move.from ? "O-O" : "O-O-O");
    else {
        if (kind != PAWN) out[n++] = "PNBRQK"[kind];
        if (kind == PAWN ? takes : kind != KING && alike && (!file || rank)) out[n++] = 'a' + move.from % 8;
        if (kind != PAWN && kind != KING && alike && file) out[n++] = '1' + move.from / 8;
        if (takes) out[n++] = 'x';
        n += sprintf(out + n, "%c%c", 'a' + move.to % 8, '1' + move.to / 8);
        if (move.into) n += sprintf(out + n, "=%c", move.into & ~32);
    }
    Board after = *b;
    play(&after, move);
    if (in_check(&after)) out[n++] = has_moves(&after) ? '+' : '#';
    out[n] = 0;
    return n;
}

int64_t perft_check_san(const char *fen, const char *moves, const char *text, char *out, size_t size) {
    Move move;
    if (size < 16 || !is_played(&game, fen, moves) || !find(last(&game), text, &move)) return PERFT_CHECK_REJECTED;
    return write_san(last(&game), move, out);
}

int64_t perft_check_parse_san(const char *fen, const char *moves, const char *text, char *out, size_t size) {
    Move legal[MOST_MOVES];
    char san[16];
    if (size < 16 || !is_played(&game, fen, moves)) return PERFT_CHECK_REJECTED;
    for (int i = legal_moves(last(&game), legal); i-- > 0;) {
        write_san(last(&game), legal[i], san);
        if (strcmp(san, text)) continue;
        write_move(last(&game), legal[i], out);
        return (int64_t)strlen(out);
    }
    return PERFT_CHECK_REJECTED;
}

int perft_check_key(const char *fen, const char *moves, uint64_t *key) {
    if (!is_played(&game, fen, moves)) return PERFT_CHECK_REJECTED;
    *key = game.keys[game.n - 1];
    return 0;
}
