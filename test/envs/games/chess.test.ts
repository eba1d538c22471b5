import { Chess } from 'chess.js';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { Board, countMoves } from '../../../envs/engines/chess/board.ts';
import { findMove, moveName, standardName } from '../../../envs/engines/chess/notation.ts';
import { findBestMove, nearMate } from '../../../envs/engines/chess/search.ts';
import { chessEnv } from '../../../envs/games/chess/chess.ts';
import { endOf, played } from '../../../envs/games/chess/game.ts';
import { openEnv } from '../../../envs/open.ts';
import { root } from '../../support/run-program.ts';
import { isThorough, itInAll } from '../../support/thorough.ts';

const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

// The counts are published: chessprogramming.org/Perft_Results, positions 1 to 6.
test.each([
  ['the start', start, isThorough ? 4 : 3, isThorough ? 197_281 : 8_902],
  ['castling and pins', 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', 2, 2_039],
  ['en passant', '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1', 4, 43_238],
  ['promotions', 'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1', 3, 9_467],
  ['a promotion with check', 'rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8', 2, 1_486],
])('the number of games from %s is the published one', (_name, fen, depth, count) => {
  expect(countMoves(Board.read(fen), depth)).toBe(count);
});

test('moves, names, positions and ends are those of chess.js in random games', () => {
  for (let game = 0; game < (isThorough ? 6 : 1); game += 1) {
    const rng = createRng(game);
    const oracle = new Chess();
    const board = Board.read(start);
    let seen: readonly string[] = [];
    for (let ply = 0; ply < (isThorough ? 160 : 60) && !oracle.isGameOver(); ply += 1) {
      const legal = board.moves();
      const names = legal.map((move) => standardName(board, move, legal));
      expect(names.toSorted()).toEqual(oracle.moves().toSorted());
      const at = rng.int(legal.length);
      const move = legal[at];
      if (move === undefined) break;
      expect(findMove(board, names[at] ?? '')).toEqual(move);
      oracle.move(names[at] ?? '');
      seen = played(board, move, seen);
      expect(board.fen).toBe(oracle.fen());
      expect(endOf(board, seen) !== undefined).toBe(oracle.isGameOver());
    }
  }
});

test('moves that are taken back leave the position and its hash as they were', () => {
  const board = Board.read('r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1');
  const { fen, hash } = board;
  for (const move of board.moves()) {
    board.make(move);
    // A hash knows of each double step, and FEN only of those that a pawn can answer.
    if (move.kind !== 'double') expect(board.hash).toBe(Board.read(board.fen).hash);
    board.undo();
    expect([board.fen, board.hash]).toEqual([fen, hash]);
  }
});

test.each([
  ['8/8/8/8/8/8/8/8 w - - 0 1', 'king'],
  ['k7/8/8/8/8/8/8/KK6 w - - 0 1', 'two kings'],
  ['k7/8/8/8/8/8/8/K w - - 0 1', '8 squares'],
  ['k6P/8/8/8/8/8/8/K7 w - - 0 1', 'pawn'],
  ['k7/R7/8/8/8/8/8/K7 w - - 0 1', 'could capture'],
  ['k7/8/8/8/8/8/8/K7 x - - 0 1', 'side'],
])('%s is refused', (fen, why) => {
  expect(() => Board.read(fen)).toThrow(UsageError);
  expect(() => Board.read(fen)).toThrow(why);
});

test('the search finds a mate in two', () => {
  const board = Board.read('kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1');
  const found = findBestMove(board, { depth: 4, nodes: 100_000 });
  expect(found && moveName(found.move)).toBe('a1a6');
  expect(found?.score).toBeGreaterThan(nearMate);
});

describe('chess against a UCI engine', () => {
  const engine = path.join(root, 'test', 'fixtures', 'games', 'uci-engine.mjs');
  const context = createContext({ seed: 0, now: () => performance.now(), system: process.env });
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  const opened = async (options: Readonly<Record<string, string>>, answerMs = 60_000) => {
    const host = await openEnv(chessEnv, { engine, options, moveMs: 1, answerMs }, context);
    const env = await host.create();
    closing.push(async () => {
      await env.close();
      await host.close();
    });
    return env;
  };
  const task = { panel: 'train', index: 0 };

  test('plays the moves of the engine', async () => {
    const env = await opened({ Mode: 'plays', Moves: 'a7a6 a7a5 h7h6 b7b6 g7g6' });
    await env.reset(task, context);
    const snapshot = env.snapshots?.take();
    const world = { fen: start, player: 'white', last: '', seen: [], end: '' };
    env.snapshots?.restore({ world, episode: snapshot?.episode ?? {}, steps: 0 });
    const first = await env.step('Nf3', context);
    expect(first).toMatchObject({ kind: 'ongoing', inadmissible: false });
    expect(first.observation).toContain('The opponent played a6.');
    const foreign = await env.step('e2e4\nreply e7e5', context);
    expect(foreign).toMatchObject({ kind: 'ongoing', inadmissible: true });
  });

  test.each([
    ['dies', 'ended with code 3'],
    ['(none)', 'names no move'],
    ['e1e8', 'illegal'],
  ])(
    'an engine that answers %s is a fault of the world, and the next episode has a new one',
    async (mode, why) => {
      const env = await opened({ Mode: mode });
      const { admissible = [] } = await env.reset(task, context);
      const failure = await env.step(admissible[0] ?? '', context).catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(FaultError);
      expect(String(failure)).toContain(why);
      expect(await env.reset(task, context)).toMatchObject({ seat: 0 });
    },
  );

  itInAll('an engine that never answers is a fault after its time', async () => {
    const env = await opened({ Mode: 'silent' }, 8_000);
    const { admissible = [] } = await env.reset(task, context);
    await expect(env.step(admissible[0] ?? '', context)).rejects.toThrow('did not answer "go movetime 1"');
  });

  test('an aborted step ends the wait for an engine', async () => {
    const env = await opened({ Mode: 'silent' });
    const { admissible = [] } = await env.reset(task, context);
    const stop = new AbortController();
    const step = env.step(admissible[0] ?? '', { ...context, signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(step).rejects.toThrow('stopped');
  });

  test('a program that is no engine is refused when the env is opened', async () => {
    await expect(openEnv(chessEnv, { engine: '/no/such/engine' }, context)).rejects.toThrow(UsageError);
    await expect(openEnv(chessEnv, { engine: '/bin/true' }, context)).rejects.toThrow(
      'is no running UCI engine',
    );
  });
});
