//! The generator as a shared library for perft-check: cargo build --release. The functions are those of perft_check.h.

mod generator;

use generator::Board;
use std::ffi::{c_char, c_int, CStr};

#[repr(C)]
pub struct RootMove {
    text: [u8; 8],
    count: u64,
}

const REJECTED: i64 = -1;

/// # Safety
/// The text ends with a zero.
unsafe fn board_of(fen: *const c_char) -> Option<Board> {
    let text = unsafe { CStr::from_ptr(fen) };
    Board::from_fen(text.to_str().ok()?).ok()
}

/// # Safety
/// The text ends with a zero.
#[no_mangle]
pub unsafe extern "C" fn perft_check_perft(fen: *const c_char, depth: c_int) -> i64 {
    unsafe { board_of(fen) }.map_or(REJECTED, |board| board.perft(depth) as i64)
}

/// # Safety
/// The text ends with a zero, and there is room for so many moves.
#[no_mangle]
pub unsafe extern "C" fn perft_check_divide(fen: *const c_char, depth: c_int, out: *mut RootMove, room: usize) -> i64 {
    let Some(board) = (unsafe { board_of(fen) }) else { return REJECTED };
    let moves = board.legal_moves();
    for (place, one) in moves.iter().take(room).enumerate() {
        let mut text = [0; 8];
        text[..5].copy_from_slice(&one.uci());
        let count = if depth > 1 { board.after(*one).perft(depth - 1) } else { 1 };
        unsafe { out.add(place).write(RootMove { text, count }) };
    }
    moves.len() as i64
}
