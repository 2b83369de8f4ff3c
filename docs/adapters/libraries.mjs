// Libraries of npm, as programs that divide: node libraries.mjs FOLDER LIBRARY FEN DEPTH.
// Each lists the moves of a FEN, with the FEN after each.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, library, fen, depth] = process.argv.slice(2);
const home = pathToFileURL(`${resolve(folder)}/`);
const load = createRequire(home);
const cm = library === 'cm-chess' ? await import(new URL('node_modules/cm-chess/src/Chess.js', home)) : undefined;
const text = (move) => `${move.from}${move.to}${move.promotion ?? ''}`;

const played = (position, fen) =>
  position(fen).moves({ verbose: true }).map((move) => {
    const after = position(fen);
    after.move(move);
    return [text(move), after.fen()];
  });

const libraries = {
  'chess.ts': (fen) => {
    const { Chess } = load('chess.ts');
    return played((fen) => new Chess(fen), fen);
  },
  'cm-chess': (fen) => played((fen) => new cm.Chess({ fen }), fen),
  // It lists the null move, too, without flags.
  '@jackstenglein/chess': (fen) => {
    const { Chess } = load('@jackstenglein/chess');
    return new Chess({ fen }).moves({ verbose: true }).filter((move) => move.flags).map((move) => [text(move), move.after]);
  },
  kokopu: (fen) => {
    const { Position } = load('kokopu');
    const position = new Position(fen);
    return position.moves().map((move) => {
      const after = new Position(position);
      after.play(move);
      return [position.uci(move), after.fen()];
    });
  },
  'js-chess-engine': (fen) => {
    const { Game } = load('js-chess-engine');
    return Object.entries(new Game(fen).moves()).flatMap(([from, targets]) =>
      targets.map((to) => {
        const after = new Game(fen);
        after.move(from, to);
        return [`${from}${to}`.toLowerCase(), after.exportFEN()];
      }),
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
      rules.positionToFen(rules.applyMove(position, move)),
    ]);
  },
};

const count = (fen, depth) =>
  depth === 0 ? 1 : libraries[library](fen).reduce((sum, [, after]) => sum + count(after, depth - 1), 0);

let total = 0;
for (const [move, after] of libraries[library](fen)) {
  const nodes = count(after, Number(depth) - 1);
  total += nodes;
  console.log(`${move} ${nodes}`);
}
console.log(`\n${total}`);
