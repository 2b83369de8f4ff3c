// A toy engine: it plays by the rules of standard chess and answers `position fen ... moves ...` and `go perft N`.
// Compiled with -DWRONG it castles over an attacked square.
#include "generator.h" // of examples/c

static void divide(const Board *b, int depth) {
    Move moves[MOST_MOVES];
    int n = legal_moves(b, moves);
    long long total = 0;
    for (int i = 0; i < n; i++) {
        Board after = *b;
        char name[6];
        play(&after, moves[i]);
        long long nodes = depth > 1 ? perft(&after, depth - 1) : 1;
        write_move(b, moves[i], name);
        printf("%s: %lld\n", name, nodes);
        total += nodes;
    }
    printf("\nNodes searched: %lld\n\n", total);
}

static void set_up(Board *b, const char *fen, char *moves) {
    Move move;
    read_fen(b, fen);
    for (char *text = moves ? strtok(moves, " \n") : NULL; text && read_move(b, text, &move); text = strtok(NULL, " \n"))
        play(b, move);
}

int main(void) {
    static char line[1 << 16];
    Board b;
    set_up(&b, START, NULL);
    while (fgets(line, sizeof line, stdin)) {
        char *fen = strstr(line, "fen "), *moves = strstr(line, " moves ");
        int depth;
        if (!strncmp(line, "uci\n", 4)) puts("id name Toy\nuciok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "quit", 4)) return 0;
        else if (!strncmp(line, "position ", 9)) set_up(&b, fen ? fen + 4 : START, moves ? moves + 7 : NULL);
        else if (sscanf(line, "go perft %d", &depth) == 1) divide(&b, depth);
        fflush(stdout);
    }
    return 0;
}
