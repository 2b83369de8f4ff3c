// Libraries of npm, as programs that divide: node libraries.mjs FOLDER LIBRARY FEN DEPTH. Without FEN and depth it is
// an engine that answers `position fen FEN [moves ...]` and `go perft N`. Each lists the moves of a FEN, each with a
// function for the FEN after it.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, library, fen, depth] = process.argv.slice(2);
const home = pathToFileURL(`${resolve(folder)}/`);
const load = createRequire(home);
const sources = { 'cm-chess': 'cm-chess/src/Chess.js', 'chess.mjs': 'chess.mjs/src/Chess.js' };
const module = library in sources ? await import(new URL(`node_modules/${sources[library]}`, home)) : undefined;
const text = (move) => `${move.from}${move.to}${move.promotion ?? ''}`;

const played = (position, fen) =>
  position(fen).moves({ verbose: true }).map((move) => [
    text(move),
    () => {
      const after = position(fen);
      after.move(move);
      return after.fen();
    },
  ]);

const chessops = async () => {
  const parts = ['chess.js', 'fen.js', 'util.js'].map((file) => import(new URL(`node_modules/chessops/dist/esm/${file}`, home)));
  return Object.assign({}, ...(await Promise.all(parts)));
};
const ops = library === 'chessops' ? await chessops() : undefined;

const libraries = {
  chessops: (fen) => {
    const position = ops.Chess.fromSetup(ops.parseFen(fen).unwrap()).unwrap();
    const promotions = (from, to) => (position.board.pawn.has(from) && (to < 8 || to > 55) ? ['queen', 'rook', 'bishop', 'knight'] : [undefined]);
    const moves = [...position.allDests()].flatMap(([from, targets]) =>
      [...targets].flatMap((to) => promotions(from, to).map((promotion) => ({ from, to, promotion }))),
    );
    const after = (move) => {
      const child = position.clone();
      child.play(move);
      return ops.makeFen(child.toSetup());
    };
    // It writes castling as king takes rook.
    const castles = ({ from, to }) => position.board.king.has(from) && position.board[position.turn].has(to);
    const target = (move) => (castles(move) ? move.from + 2 * Math.sign(move.to - move.from) : move.to);
    return moves.map((move) => [ops.makeUci({ ...move, to: target(move) }), () => after(move)]);
  },
  'chess.mjs': (fen) => played((fen) => new module.Chess(fen), fen),
  'chess.js': (fen) => played((fen) => new (load('chess.js').Chess)(fen), fen),
  'chess.ts': (fen) => played((fen) => new (load('chess.ts').Chess)(fen), fen),
  'cm-chess': (fen) => played((fen) => new module.Chess({ fen }), fen),
  // It lists the null move, too, without flags.
  '@jackstenglein/chess': (fen) => {
    const { Chess } = load('@jackstenglein/chess');
    return new Chess({ fen }).moves({ verbose: true }).filter((move) => move.flags).map((move) => [text(move), () => move.after]);
  },
  kokopu: (fen) => {
    const { Position } = load('kokopu');
    const position = new Position(fen);
    const after = (move) => {
      const child = new Position(position);
      child.play(move);
      return child.fen();
    };
    return position.moves().map((move) => [position.uci(move), () => after(move)]);
  },
  'js-chess-engine': (fen) => {
    const { Game } = load('js-chess-engine');
    const after = (from, to) => {
      const game = new Game(fen);
      game.move(from, to);
      return game.exportFEN();
    };
    const game = new Game(fen);
    const { pieces } = game.exportJson();
    // It promotes to queens, and does not say so in its moves.
    const queen = (from, to) => (/p/i.test(pieces[from]) && /[18]/.test(to) ? 'q' : '');
    return Object.entries(game.moves()).flatMap(([from, targets]) =>
      targets.map((to) => [`${from}${to}`.toLowerCase() + queen(from, to), () => after(from, to)]),
    );
  },
  'chess-rules': (fen) => {
    const rules = load('chess-rules');
    const name = (square) => 'abcdefgh'[square % 8] + (Math.floor(square / 8) + 1);
    const position = rules.fenToPosition(fen);
    // It lists a promotion once, and leaves the piece to the caller.
    const choices = (move) =>
      position.board[move.src].type === 'P' && (move.dst > 55 || move.dst < 8)
        ? ['Q', 'R', 'B', 'N'].map((promotionType) => ({ ...move, promotionType }))
        : [move];
    return rules.getAvailableMoves(position).flatMap(choices).map((move) => [
      name(move.src) + name(move.dst) + (move.promotionType ?? '').toLowerCase(),
      () => rules.positionToFen(rules.applyMove(position, move)),
    ]);
  },
};

const count = (fen, depth) =>
  libraries[library](fen).reduce((sum, [, after]) => sum + (depth === 1 ? 1 : count(after(), depth - 1)), 0);

const divide = (fen, depth) => {
  let total = 0;
  for (const [move, after] of libraries[library](fen)) {
    const nodes = depth === 1 ? 1 : count(after(), depth - 1);
    total += nodes;
    console.log(`${move}: ${nodes}`);
  }
  console.log(`\nNodes searched: ${total}`);
};

const serve = async () => {
  let place = '';
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const words = line.split(' ');
    if (words[0] === 'uci') console.log('uciok');
    if (words[0] === 'isready') console.log('readyok');
    if (words[0] === 'quit') break;
    if (words[0] === 'position') {
      const [fen, moves] = words.slice(2).join(' ').split(' moves ');
      const after = (fen, move) => libraries[library](fen).find(([listed]) => listed === move)[1]();
      place = (moves ? moves.split(' ') : []).reduce(after, fen);
    }
    if (words[0] === 'go') divide(place, Number(words[2]));
  }
};

if (fen) divide(fen, Number(depth));
else await serve();
