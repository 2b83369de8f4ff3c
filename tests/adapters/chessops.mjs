// The npm package chessops as an engine: `position fen FEN [moves ...]`, `go perft N`, standard chess and Chess960.
import { resolve } from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const home = pathToFileURL(`${resolve(process.argv[2])}/chessops/dist/esm/`);
const { Chess } = await import(new URL('chess.js', home));
const { parseFen } = await import(new URL('fen.js', home));
const { parseUci, makeUci } = await import(new URL('util.js', home));
const { perft } = await import(new URL('debug.js', home));

function* legalMoves(position) {
  for (const [from, targets] of position.allDests()) {
    for (const to of targets) {
      const promotes = position.board.pawn.has(from) && (to < 8 || to >= 56);
      for (const promotion of promotes ? ['queen', 'rook', 'bishop', 'knight'] : [undefined]) yield { from, to, promotion };
    }
  }
}

let position = Chess.default();
for await (const line of readline.createInterface({ input: process.stdin })) {
  const words = line.split(' ');
  if (words[0] === 'quit') break;
  if (words[0] === 'position') {
    const [fen, moves] = words.slice(2).join(' ').split(' moves ');
    position = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
    for (const move of moves ? moves.split(' ') : []) position.play(parseUci(move));
  } else if (words[0] === 'go') {
    let total = 0;
    for (const move of legalMoves(position)) {
      const child = position.clone();
      child.play(move);
      const nodes = perft(child, Number(words[2]) - 1);
      total += nodes;
      console.log(`${makeUci(move)}: ${nodes}`);
    }
    console.log(`Nodes searched: ${total}`);
  }
}
