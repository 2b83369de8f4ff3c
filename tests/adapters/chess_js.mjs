// The npm package chess.js after the perftree convention: DEPTH FEN [MOVES] as the last arguments, standard chess only.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, depth, fen, moves] = process.argv.slice(2);
const { Chess } = createRequire(`${resolve(modules)}/`)('chess.js');
const game = new Chess(fen);
for (const move of moves ? moves.split(' ') : []) game.move({ from: move.slice(0, 2), to: move.slice(2, 4), promotion: move[4] });
let total = 0;
for (const move of game.moves({ verbose: true })) {
  game.move(move);
  const nodes = depth === '1' ? 1 : game.perft(Number(depth) - 1);
  game.undo();
  total += nodes;
  console.log(`${move.from}${move.to}${move.promotion ?? ''} ${nodes}`);
}
console.log(`\n${total}`);
