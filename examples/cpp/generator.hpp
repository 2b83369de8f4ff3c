// A small move generator for standard chess, on an array of 64 squares. A move is legal if the king is safe after it.
#pragma once
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Move {
    int from, to;
    char into; // n, b, r, q or 0

    std::string uci() const {
        std::string text{char('a' + from % 8), char('1' + from / 8), char('a' + to % 8), char('1' + to / 8)};
        return into ? text + into : text;
    }
};

class Board {
public:
    explicit Board(const std::string &fen) { // throws std::invalid_argument
        std::istringstream fields(fen);
        std::string pieces, turn, castling, passed;
        fields >> pieces >> turn >> castling >> passed;
        put_pieces(pieces);
        white_ = turn == "w";
        for (char letter : castling)
            if (auto place = RIGHTS.find(letter); place != std::string::npos) may_castle_[place] = true;
        if (passed.size() == 2) passed_ = passed[0] - 'a' + 8 * (passed[1] - '1');
        if (is_attacked(king_of(!white_), white_)) throw std::invalid_argument("the side to move could take the king");
    }

    std::vector<Move> legal_moves() const {
        std::vector<Move> moves;
        for (int from = 0; from < 64; from++) {
            if (!is_of(at_[from], white_)) continue;
            if (kind(from) == 'p') pawn_moves(from, moves);
            else piece_moves(from, moves);
            if (kind(from) == 'k') castling(from, moves);
        }
        return moves;
    }

    Board after(Move move) const {
        Board next = *this;
        int up = white_ ? 8 : -8;
        char piece = at_[move.from];
        next.at_[move.from] = '.';
        next.at_[move.to] = !move.into ? piece : white_ ? char(std::toupper(move.into)) : move.into;
        if (kind(move.from) == 'p' && move.to == passed_) next.at_[move.to - up] = '.';
        if (kind(move.from) == 'k' && std::abs(move.to - move.from) == 2) { // the rook goes where the king has passed
            int rook = move.to > move.from ? move.to + 1 : move.to - 2;
            next.at_[(move.from + move.to) / 2] = at_[rook];
            next.at_[rook] = '.';
        }
        for (int right = 0; right < 4; right++)
            for (int square : {move.from, move.to})
                if (square == CORNERS[right] || square == KINGS[right]) next.may_castle_[right] = false;
        next.passed_ = kind(move.from) == 'p' && move.to - move.from == 2 * up ? move.from + up : NOWHERE;
        next.white_ = !white_;
        return next;
    }

    uint64_t perft(int depth) const {
        auto moves = legal_moves();
        if (depth <= 1) return moves.size();
        uint64_t nodes = 0;
        for (Move move : moves) nodes += after(move).perft(depth - 1);
        return nodes;
    }

private:
    static constexpr int NOWHERE = -1;
    static inline const std::string RIGHTS = "KQkq";
    static constexpr int CORNERS[4] = {7, 0, 63, 56}, KINGS[4] = {4, 4, 60, 60};
    // Along ranks and files, diagonally, and the jumps of a knight: files to the right, ranks up.
    static constexpr int DIRECTIONS[16][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1},
                                              {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    std::array<char, 64> at_{};
    std::array<bool, 4> may_castle_{};
    bool white_ = true;
    int passed_ = NOWHERE; // the square that a pawn has just passed

    static bool is_of(char piece, bool white) { return white ? std::isupper(piece) : std::islower(piece); }
    char kind(int square) const { return char(std::tolower(at_[square])); }

    static int step(int square, int right, int up) {
        int file = square % 8 + right, rank = square / 8 + up;
        return file < 0 || file > 7 || rank < 0 || rank > 7 ? NOWHERE : rank * 8 + file;
    }

    void put_pieces(const std::string &text) {
        at_.fill('.');
        int rank = 7, file = 0, kings[2] = {0, 0};
        for (char letter : text) {
            if (letter == '/' && file == 8 && rank > 0) rank--, file = 0;
            else if (letter >= '1' && letter <= '8' && file + letter - '0' <= 8) file += letter - '0';
            else if (std::string("pnbrqk").find(char(std::tolower(letter))) != std::string::npos && file < 8) {
                if (std::tolower(letter) == 'k') kings[letter == 'K']++;
                if (std::tolower(letter) == 'p' && rank % 7 == 0) throw std::invalid_argument("a pawn on the last rank");
                at_[rank * 8 + file++] = letter;
            } else throw std::invalid_argument("the pieces of this FEN fill no board");
        }
        if (rank || file != 8) throw std::invalid_argument("the pieces of this FEN fill no board");
        if (kings[0] != 1 || kings[1] != 1) throw std::invalid_argument("each side needs one king");
    }

    int king_of(bool white) const {
        int square = 0;
        while (at_[square] != (white ? 'K' : 'k')) square++;
        return square;
    }

    bool is_attacked(int square, bool by_white) const {
        for (int d = 0; d < 16; d++) {
            const auto [right, up] = DIRECTIONS[d];
            int to = step(square, right, up);
            bool is_beside = true;
            for (; to != NOWHERE && at_[to] == '.' && d < 8; to = step(to, right, up)) is_beside = false;
            if (to == NOWHERE || !is_of(at_[to], by_white)) continue;
            char piece = kind(to);
            if (d >= 8 ? piece == 'n' : piece == 'q' || piece == (d < 4 ? 'r' : 'b')) return true;
            if (d < 8 && is_beside && (piece == 'k' || (piece == 'p' && d >= 4 && (up < 0) == by_white))) return true;
        }
        return false;
    }

    void add(Move move, std::vector<Move> &moves) const {
        Board next = after(move);
        if (!next.is_attacked(next.king_of(white_), !white_)) moves.push_back(move);
    }

    void pawn_moves(int from, std::vector<Move> &moves) const {
        int up = white_ ? 1 : -1;
        auto go = [&](int to) {
            if (to / 8 % 7) return add({from, to, 0}, moves);
            for (char into : {'q', 'r', 'b', 'n'}) add({from, to, into}, moves);
        };
        for (int right : {-1, 1})
            if (int to = step(from, right, up); to != NOWHERE && (is_of(at_[to], !white_) || to == passed_)) go(to);
        if (at_[from + 8 * up] != '.') return;
        go(from + 8 * up);
        if (from / 8 == (white_ ? 1 : 6) && at_[from + 16 * up] == '.') go(from + 16 * up);
    }

    void piece_moves(int from, std::vector<Move> &moves) const {
        char piece = kind(from);
        int first = piece == 'n' ? 8 : piece == 'b' ? 4 : 0, end = piece == 'n' ? 16 : piece == 'r' ? 4 : 8;
        for (int d = first; d < end; d++) {
            const auto [right, up] = DIRECTIONS[d];
            for (int to = step(from, right, up); to != NOWHERE && !is_of(at_[to], white_); to = step(to, right, up)) {
                add({from, to, 0}, moves);
                if (at_[to] != '.' || piece == 'n' || piece == 'k') break;
            }
        }
    }

    void castling(int from, std::vector<Move> &moves) const {
        for (int right = white_ ? 0 : 2, end = right + 2; right < end; right++) {
            int forward = CORNERS[right] > from ? 1 : -1;
            bool is_free = may_castle_[right] && from == KINGS[right] && kind(CORNERS[right]) == 'r';
            for (int square = from + forward; is_free && square != CORNERS[right]; square += forward)
                is_free = at_[square] == '.';
            if (is_free && !is_attacked(from, !white_) && !is_attacked(from + forward, !white_))
                add({from, from + 2 * forward, 0}, moves);
        }
    }
};
