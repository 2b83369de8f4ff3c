"""perft-check's generator as a UCI engine, for tools that count with Stockfish: `perft-check uci`."""
