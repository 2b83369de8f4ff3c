// The generator as a shared library: c++ -std=c++17 -O2 -shared -fPIC -I FOLDER_OF_perft_check.h -o libexample.so library.cpp
#include <cstring>

#include "generator.hpp"
#include "perft_check.h"

namespace {
std::string why;

// No exception may leave a function of C.
template <class Answer> int64_t answered(const char *fen, Answer answer) {
    try {
        return answer(Board(fen));
    } catch (const std::exception &refusal) {
        why = refusal.what();
        return PERFT_CHECK_REJECTED;
    }
}
} // namespace

int64_t perft_check_perft(const char *fen, int depth) {
    return answered(fen, [&](const Board &board) { return int64_t(board.perft(depth)); });
}

int64_t perft_check_divide(const char *fen, int depth, perft_check_move *out, size_t room) {
    return answered(fen, [&](const Board &board) {
        auto moves = board.legal_moves();
        for (size_t i = 0; i < moves.size() && i < room; i++) {
            std::strcpy(out[i].move, moves[i].uci().c_str());
            out[i].count = depth > 1 ? board.after(moves[i]).perft(depth - 1) : 1;
        }
        return int64_t(moves.size());
    });
}

const char *perft_check_error() { return why.c_str(); }
