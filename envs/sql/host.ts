import type { ResetContext } from '../core/context.ts';
import type { EnvHost } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { SqlAction } from './action.ts';
import { matchingOf, type SqlConfig } from './config.ts';
import { QueryPool } from './engine/query-pool.ts';
import { SqlEnv } from './env.ts';
import type { SqlObservation } from './observation.ts';
import { openSource } from './open-source.ts';
import { SqlSearcher } from './searcher.ts';
import { swapHiddenIn } from './swap-hidden.ts';
import { instructionOf } from './task.ts';

/** Longer texts are shortened in results. */
const cellCharacters = 10_000;
/** The most characters of all cells of a result. */
const resultCharacters = 8_000_000;

/**
 * Opens questions and the threads that run queries.
 *
 * @throws UsageError where a folder's files are invalid
 */
export async function openSql(
  config: SqlConfig,
  context: ResetContext,
): Promise<EnvHost<SqlObservation, SqlAction>> {
  const { maxRows, timeMs, memoryMegabytes, threads } = config;
  const pool = new QueryPool(
    { rows: maxRows, cellCharacters, characters: resultCharacters, timeMs, memoryMegabytes },
    { threads },
  );
  try {
    const source = await openSource(config, pool, context);
    const rules = {
      config,
      pool,
      question: (ref: Parameters<typeof source.question>[0]) => source.question(ref),
    };
    return {
      panels: source.panels,
      ...(source.unavailablePanels === undefined ? {} : { unavailablePanels: source.unavailablePanels }),
      identity: identityOf(config),
      describeTask: (ref) => {
        const asked = source.question(ref);
        return { family: asked.family, instruction: instructionOf(asked), content: source.contentOf(ref) };
      },
      create: () => Promise.resolve(new SqlEnv(rules)),
      close: async () => {
        await pool.close();
        await source.close();
      },
      experts: {
        planner: (ref) => [{ kind: 'answer', sql: source.question(ref).gold }],
        ...(source.isOwn ? { searcher: (rng) => new SqlSearcher(rng) } : {}),
      },
      audit: { swapHidden: swapHiddenIn(source) },
    };
  } catch (thrown) {
    await pool.close();
    throw thrown;
  }
}

/**
 * The part of the config that results depend on. The path of a folder and the number of threads are no part
 * of it.
 */
function identityOf(config: SqlConfig): Json {
  const { source, mode, weights, maxSteps, shownRows, maxRows, timeMs, memoryMegabytes } = config;
  const of: Json =
    source.kind === 'generated'
      ? { kind: source.kind, seed: source.seed }
      : {
          kind: source.kind,
          ...(source.databases === undefined ? {} : { databases: source.databases.join(', ') }),
        };
  return {
    source: of,
    mode,
    matching: matchingOf(config),
    weights: { ...weights },
    maxSteps,
    shownRows,
    maxRows,
    timeMs,
    memoryMegabytes,
  };
}
