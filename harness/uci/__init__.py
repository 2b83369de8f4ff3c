"""Our generator as a UCI engine, for tools that ask Stockfish to count: `perft-check uci`."""
