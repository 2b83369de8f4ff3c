// Answers questions about chess.js or chessops: lines of JSON with the package, FEN, moves, name and argument.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const modules = resolve(process.argv[2]);
const { Chess } = createRequire(`${modules}/`)('chess.js');
const home = pathToFileURL(`${modules}/chessops/dist/esm/`);
const ops = await import(new URL('chess.js', home));
const { parseFen } = await import(new URL('fen.js', home));
const { makeSan, parseSan } = await import(new URL('san.js', home));
const { makeUci, parseUci } = await import(new URL('util.js', home));

const asMove = (text) => ({ from: text.slice(0, 2), to: text.slice(2, 4), promotion: text[4] });
const uciOf = (move) => `${move.from}${move.to}${move.promotion ?? ''}`;

let last = { key: '' }; // listing moves takes long, and most questions are about the same position

function chessJs({ fen, moves, name, argument }) {
  const key = JSON.stringify([fen, moves]);
  if (key !== last.key) {
    const game = new Chess(fen);
    for (const text of moves) game.move(asMove(text));
    last = { key, game, listed: null };
  }
  const { game } = last;
  if (name === 'moves' || name === 'san') last.listed ??= game.moves({ verbose: true });
  if (name === 'moves') return last.listed.map(uciOf);
  if (name === 'san') return last.listed.find((move) => uciOf(move) === argument)?.san ?? null;
  if (name === 'parse_san') {
    const move = game.move(argument);
    game.undo();
    return uciOf(move);
  }
  return game[name]();
}

function* legalMoves(position) {
  for (const [from, targets] of position.allDests()) {
    for (const to of targets) {
      const promotes = position.board.pawn.has(from) && (to < 8 || to >= 56);
      for (const promotion of promotes ? ['queen', 'rook', 'bishop', 'knight'] : [undefined]) yield { from, to, promotion };
    }
  }
}

function chessops({ fen, moves, name, argument }) {
  const position = ops.Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
  for (const text of moves) position.play(parseUci(text));
  if (name === 'moves') return [...legalMoves(position)].map(makeUci);
  if (name === 'isLegal') return position.isLegal(parseUci(argument));
  if (name === 'san') return makeSan(position, parseUci(argument));
  if (name === 'parse_san') return makeUci(parseSan(position, argument));
  return position[name]();
}

const answer = { 'chess.js': chessJs, chessops };
for await (const line of readline.createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  let found = null;
  try {
    found = answer[question.package](question);
  } catch (error) {
    found = { error: String(error) };
  }
  console.log(JSON.stringify(found));
}
