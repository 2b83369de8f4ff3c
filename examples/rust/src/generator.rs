//! A small move generator for standard chess, on an array of 64 squares. A move is legal if the king is safe after it.

/// From a square to another; `into` is n, b, r, q or 0.
#[derive(Clone, Copy)]
pub struct Move {
    from: usize,
    to: usize,
    into: u8,
}

impl Move {
    /// The bytes of the UCI text, and a zero where it is no promotion.
    pub fn uci(self) -> [u8; 5] {
        let (file, rank) = (|square: usize| b'a' + (square % 8) as u8, |square: usize| b'1' + (square / 8) as u8);
        [file(self.from), rank(self.from), file(self.to), rank(self.to), self.into]
    }
}

#[derive(Clone, Copy)]
pub struct Board {
    at: [u8; 64],
    white: bool,
    may_castle: [bool; 4],
    passed: Option<usize>, // the square that a pawn has just passed
}

const CORNERS: [usize; 4] = [7, 0, 63, 56];
const KINGS: [usize; 4] = [4, 4, 60, 60];
type Direction = (i32, i32); // files to the right, ranks up
const ROOK: [Direction; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: [Direction; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KING: [Direction; 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [Direction; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn step(square: usize, (right, up): Direction) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + right, square as i32 / 8 + up);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

fn is_of(piece: u8, white: bool) -> bool {
    if white { piece.is_ascii_uppercase() } else { piece.is_ascii_lowercase() }
}

impl Board {
    pub fn from_fen(fen: &str) -> Result<Board, &'static str> {
        let mut fields = fen.split_ascii_whitespace();
        let at = pieces(fields.next().unwrap_or(""))?;
        let white = fields.next().ok_or("this FEN has no side to move")? == "w";
        let rights = fields.next().unwrap_or("-");
        let may_castle = ['K', 'Q', 'k', 'q'].map(|letter| rights.contains(letter));
        let passed = match fields.next().unwrap_or("-").as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((file - b'a') as usize + 8 * (rank - b'1') as usize),
            _ => None,
        };
        let board = Board { at, white, may_castle, passed };
        if board.is_attacked(board.king_of(!white), white) {
            return Err("the side to move could take the king");
        }
        Ok(board)
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        for from in 0..64 {
            if !is_of(self.at[from], self.white) {
                continue;
            }
            match self.at[from].to_ascii_lowercase() {
                b'p' => self.pawn_moves(from, &mut moves),
                b'n' => self.piece_moves(from, &KNIGHT, 1, &mut moves),
                b'b' => self.piece_moves(from, &BISHOP, 7, &mut moves),
                b'r' => self.piece_moves(from, &ROOK, 7, &mut moves),
                b'q' => self.piece_moves(from, &KING, 7, &mut moves),
                _ => {
                    self.piece_moves(from, &KING, 1, &mut moves);
                    self.castling(from, &mut moves);
                }
            }
        }
        moves.retain(|&one| {
            let next = self.after(one);
            !next.is_attacked(next.king_of(self.white), !self.white)
        });
        moves
    }

    pub fn after(&self, Move { from, to, into }: Move) -> Board {
        let mut next = *self;
        let (piece, kind) = (self.at[from], self.at[from].to_ascii_lowercase());
        next.at[from] = b'.';
        next.at[to] = if into == 0 { piece } else if self.white { into.to_ascii_uppercase() } else { into };
        if kind == b'p' && Some(to) == self.passed {
            next.at[from / 8 * 8 + to % 8] = b'.';
        }
        if kind == b'k' && from.abs_diff(to) == 2 {
            let rook = if to > from { to + 1 } else { to - 2 };
            next.at[(from + to) / 2] = self.at[rook];
            next.at[rook] = b'.';
        }
        for right in 0..4 {
            next.may_castle[right] &= ![CORNERS[right], KINGS[right]].iter().any(|&square| square == from || square == to);
        }
        next.passed = (kind == b'p' && from.abs_diff(to) == 16).then_some((from + to) / 2);
        next.white = !self.white;
        next
    }

    pub fn perft(&self, depth: i32) -> u64 {
        let moves = self.legal_moves();
        if depth <= 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|&one| self.after(one).perft(depth - 1)).sum()
    }

    fn king_of(&self, white: bool) -> usize {
        let king = if white { b'K' } else { b'k' };
        self.at.iter().position(|&piece| piece == king).expect("each side has a king")
    }

    fn is_attacked(&self, square: usize, by_white: bool) -> bool {
        let is_there = |to: Option<usize>, kind: u8| {
            to.is_some_and(|at| is_of(self.at[at], by_white) && self.at[at].to_ascii_lowercase() == kind)
        };
        let met = |one: Direction| {
            let mut to = step(square, one);
            while to.is_some_and(|at| self.at[at] == b'.') {
                to = step(to.unwrap_or(0), one);
            }
            to
        };
        let up = if by_white { -1 } else { 1 };
        KNIGHT.iter().any(|&one| is_there(step(square, one), b'n'))
            || KING.iter().any(|&one| is_there(step(square, one), b'k'))
            || [-1, 1].iter().any(|&right| is_there(step(square, (right, up)), b'p'))
            || ROOK.iter().any(|&one| is_there(met(one), b'r') || is_there(met(one), b'q'))
            || BISHOP.iter().any(|&one| is_there(met(one), b'b') || is_there(met(one), b'q'))
    }

    fn piece_moves(&self, from: usize, directions: &[Direction], most: usize, moves: &mut Vec<Move>) {
        for &one in directions {
            let mut to = step(from, one);
            for _ in 0..most {
                let Some(at) = to.filter(|&at| !is_of(self.at[at], self.white)) else { break };
                moves.push(Move { from, to: at, into: 0 });
                to = if self.at[at] == b'.' { step(at, one) } else { None };
            }
        }
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<Move>) {
        let up = if self.white { 1 } else { -1 };
        let mut go = |to: usize| {
            let last = to / 8 % 7 == 0;
            moves.extend(if last { &b"qrbn"[..] } else { &[0] }.iter().map(|&into| Move { from, to, into }));
        };
        for right in [-1, 1] {
            if let Some(to) = step(from, (right, up)) {
                if is_of(self.at[to], !self.white) || Some(to) == self.passed {
                    go(to);
                }
            }
        }
        let free = |square: Option<usize>| square.filter(|&at| self.at[at] == b'.');
        let once = free(step(from, (0, up)));
        let starts = from / 8 == if self.white { 1 } else { 6 };
        once.into_iter().for_each(&mut go);
        once.filter(|_| starts).and_then(|at| free(step(at, (0, up)))).into_iter().for_each(&mut go);
    }

    fn castling(&self, from: usize, moves: &mut Vec<Move>) {
        for right in if self.white { 0..2 } else { 2..4 } {
            let corner = CORNERS[right];
            let (low, high) = (from.min(corner), from.max(corner));
            let passed = if corner > from { from + 1 } else { from.wrapping_sub(1) };
            if self.may_castle[right]
                && from == KINGS[right]
                && self.at[corner] == if self.white { b'R' } else { b'r' }
                && (low + 1..high).all(|at| self.at[at] == b'.')
                && !self.is_attacked(from, !self.white)
                && !self.is_attacked(passed, !self.white)
            {
                moves.push(Move { from, to: 2 * passed - from, into: 0 });
            }
        }
    }
}

fn pieces(text: &str) -> Result<[u8; 64], &'static str> {
    let mut at = [b'.'; 64];
    let ranks: Vec<&str> = text.split('/').collect();
    for (rank, row) in (0..8).rev().zip(&ranks) {
        let mut file = 0;
        for letter in row.bytes() {
            match letter {
                b'1'..=b'8' => file += (letter - b'0') as usize,
                b'p' | b'P' if rank % 7 == 0 => return Err("a pawn on the last rank"),
                _ if b"pnbrqk".contains(&letter.to_ascii_lowercase()) && file < 8 => {
                    at[rank * 8 + file] = letter;
                    file += 1;
                }
                _ => return Err("the pieces of this FEN fill no board"),
            }
        }
        if file != 8 {
            return Err("the pieces of this FEN fill no board");
        }
    }
    let count = |king: u8| at.iter().filter(|&&piece| piece == king).count();
    if ranks.len() != 8 || count(b'K') != 1 || count(b'k') != 1 {
        return Err("this FEN has not eight ranks and one king for each side");
    }
    Ok(at)
}
