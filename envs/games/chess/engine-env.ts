import type { Context, ResetContext } from '../../core/context.ts';
import type { Env, EnvHost } from '../../core/env.ts';
import { FaultError, messageOf, UsageError } from '../../core/errors.ts';
import type { Opening, StepResult } from '../../core/step.ts';
import type { TaskRef } from '../../core/task.ts';
import { Board } from '../../engines/chess/board.ts';
import { findMove, moveName } from '../../engines/chess/notation.ts';
import { UciEngine, type UciPlan } from '../../engines/chess/uci-engine.ts';
import { endsWith, type ChessGame } from './game.ts';

/** What separates the player's move from the engine's in an action of the world. Players cannot write it. */
const mark = '\nreply ';

/** The move of an action, and the engine's reply where the game goes on. */
export function readReply(text: string): { readonly move: string; readonly reply: string | undefined } {
  const [move = '', reply] = text.split(mark);
  return { move, reply };
}

export interface EngineSettings {
  readonly engine: string;
  readonly options: Readonly<Record<string, string>>;
  readonly moveMs: number;
  readonly answerMs: number;
}

/** Engines that run at once: each is a process that thinks on a core. */
const mostEngines = 16;
/** Where engines are usually installed. */
const usualPath = '/usr/local/bin:/usr/bin:/bin:/usr/games';

/**
 * A host whose opponent is an engine. It starts the engine once, to report a wrong path at the start.
 *
 * @throws UsageError where the engine cannot be started
 */
export async function openWithEngine(
  host: EnvHost<string, string>,
  { engine, options, moveMs, answerMs }: EngineSettings,
  { signal, system }: ResetContext,
): Promise<EnvHost<string, string>> {
  const plan: UciPlan = {
    program: engine,
    options,
    moveMs,
    answerMs,
    env: { PATH: system?.['PATH'] ?? usualPath },
  };
  try {
    const first = await UciEngine.start(plan, signal);
    await first.close();
  } catch (thrown) {
    signal.throwIfAborted();
    await host.close();
    throw new UsageError(
      {
        where: `game-chess-v1, engine "${engine}"`,
        what: `it is no running UCI engine: ${messageOf(thrown)}.`,
        fix: 'Set engine to a program that answers "uci" with "uciok", such as /usr/games/stockfish, or leave it out.',
      },
      { cause: thrown },
    );
  }
  return {
    ...host,
    maxConcurrency: mostEngines,
    create: async () => new EngineEnv(await host.create(), plan),
  };
}

/** An env of chess whose replies come from an engine. After a fault, the next reset starts the engine again. */
class EngineEnv implements Env<string, string> {
  readonly #inner: Env<string, string>;
  readonly #plan: UciPlan;
  #engine: UciEngine | undefined;

  constructor(inner: Env<string, string>, plan: UciPlan) {
    this.#inner = inner;
    this.#plan = plan;
  }

  get snapshots() {
    return this.#inner.snapshots as NonNullable<Env<string, string>['snapshots']>;
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<string, string>> {
    await this.#running(context.signal);
    return await this.#inner.reset(task, context);
  }

  async step(action: string, context: Context): Promise<StepResult<string, string>> {
    const game = this.snapshots.take().world as unknown as ChessGame;
    const move = action.includes(mark) ? undefined : findMove(Board.read(game.fen), action);
    if (move === undefined) return await this.#inner.step('', context);
    const name = moveName(move);
    if (endsWith(game, move)) return await this.#inner.step(name, context);
    const board = Board.read(game.fen);
    board.make(move);
    const engine = await this.#running(context.signal);
    const reply = await engine.bestMove(`fen ${board.fen}`, context.signal);
    if (findMove(board, reply) === undefined)
      throw new FaultError({
        kind: 'env-crashed',
        where: `chess engine ${this.#plan.program}`,
        message: `it played ${reply}, which is illegal in ${board.fen}`,
      });
    return await this.#inner.step(`${name}${mark}${reply}`, context);
  }

  async close(): Promise<void> {
    await this.#engine?.close();
    this.#engine = undefined;
    await this.#inner.close();
  }

  async #running(signal: AbortSignal): Promise<UciEngine> {
    if (this.#engine === undefined || this.#engine.hasEnded)
      this.#engine = await UciEngine.start(this.#plan, signal);
    return this.#engine;
  }
}
