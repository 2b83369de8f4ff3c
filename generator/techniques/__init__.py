"""Ten ways to generate moves, each alive, each in a file of its own; `registry` names them all."""
