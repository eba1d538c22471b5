/**
 * Checks that pages by the convention of MiniWoB++ run unchanged. The random agent plays problems of each
 * page of a folder, one episode at a time and then several at once. Both must give the same results. The
 * pages are not shipped. Those of the original are in html/miniwob of
 * https://github.com/Farama-Foundation/miniwob-plusplus, and in its package `miniwob` on PyPI.
 *
 * usage: node dist/bench/studies/public-web-pages.js --pages DIR [--problems 3] [--steps 20] [--at-once 8] [--names a,b]
 */
import { parseArgs } from 'node:util';
import { createContext, type Context } from '../../envs/core/context.ts';
import type { EnvHost } from '../../envs/core/env.ts';
import { FaultError } from '../../envs/core/errors.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { Turn } from '../../envs/core/step.ts';
import { shortDigest } from '../../envs/kit/short-digest.ts';
import { openEnv } from '../../envs/open.ts';
import type { WebAction } from '../../envs/web/action.ts';
import { candidateKinds } from '../../envs/web/candidates.ts';
import { webEnv } from '../../envs/web/definition.ts';
import type { WebObservation } from '../../envs/web/observation.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

/** What came of an episode, and what was seen on its way, as digests. */
interface Played {
  readonly page: string;
  readonly end: 'solved' | 'failed' | 'out of steps' | 'fault';
  readonly fault?: string;
  readonly seen: readonly string[];
}

const { values } = parseArgs({
  options: {
    pages: { type: 'string' },
    problems: { type: 'string', default: '3' },
    steps: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '8' },
    names: { type: 'string' },
  },
});
if (values.pages === undefined)
  throw new Error('which pages? --pages DIR names their folder, such as html/miniwob of the original');
const [problems, maxSteps, atOnce] = [values.problems, values.steps, values['at-once']].map(Number) as [
  number,
  number,
  number,
];

const digestOf = (value: unknown): string => shortDigest(JSON.stringify(value));

/** Plays one problem with choices that depend on it alone. */
async function playOne(
  host: EnvHost<WebObservation, WebAction>,
  index: number,
  context: Context,
): Promise<Played> {
  const ref = { panel: 'test', index };
  const page = host.describeTask(ref).family;
  const rng = createRng(index);
  const seen: string[] = [];
  const env = await host.create();
  try {
    let turn: Turn<WebObservation, WebAction> = await env.reset(ref, context);
    for (;;) {
      seen.push(digestOf(turn));
      const result = await env.step(rng.pick(turn.admissible ?? []), context);
      if (result.kind === 'ongoing') {
        turn = result;
        continue;
      }
      seen.push(digestOf(result));
      if (result.kind === 'truncated' || result.limit !== undefined)
        return { page, end: 'out of steps', seen };
      return { page, end: result.outcome, seen };
    }
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown;
    return { page, end: 'fault', fault: thrown.message, seen };
  } finally {
    await env.close();
  }
}

/** Plays all, so many at once. */
async function playAll(
  host: EnvHost<WebObservation, WebAction>,
  count: number,
  atOnce: number,
  context: Context,
): Promise<readonly Played[]> {
  const played: Played[] = [];
  const queue = Array.from({ length: count }, (_, index) => index);
  const work = async (): Promise<void> => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      played[index] = await playOne(host, index, context);
      if (index % 50 === 49) process.stderr.write(`${atOnce} at once: ${index + 1}/${count}\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return played;
}

const machine = describeMachine();
const context = createContext({ seed: 0, now: () => performance.now() });
const names = values.names?.split(',');
const host = await openEnv(
  webEnv,
  {
    pages: values.pages,
    ...(names !== undefined && { tasks: names }),
    maxSteps,
    candidates: [...candidateKinds],
    contexts: atOnce,
  },
  context,
);
const { size = 0 } = host.panels.find(({ name }) => name === 'test') ?? {};
const pages = new Set(
  Array.from({ length: size }, (_, index) => host.describeTask({ panel: 'test', index }).family),
);
const count = pages.size * problems;
const begun = performance.now();
const alone = await playAll(host, count, 1, context);
const secondsAlone = Math.round((performance.now() - begun) / 1000);
const together = await playAll(host, count, atOnce, context);
await host.close();

const ends = (played: readonly Played[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    ['solved', 'failed', 'out of steps', 'fault'].map((end) => [
      end,
      played.filter((each) => each.end === end).length,
    ]),
  );
const pagesWhere = (holds: (index: number) => boolean): readonly string[] =>
  [...new Set(alone.flatMap(({ page }, index) => (holds(index) ? [page] : [])))].toSorted();
printReport({
  what: 'pages by the convention of MiniWoB++ as they are, played by the random agent one at a time and several at once',
  ...machine,
  pages: pages.size,
  problemsEach: problems,
  maxSteps,
  atOnce,
  secondsAlone,
  secondsInAll: Math.round((performance.now() - begun) / 1000),
  steps: alone.reduce((sum, { seen }) => sum + seen.length - 1, 0),
  alone: ends(alone),
  together: ends(together),
  faults: [...alone, ...together].flatMap(({ page, fault }) =>
    fault === undefined ? [] : [`${page}: ${fault}`],
  ),
  withoutSolvedOrFailed: pagesWhere((index) =>
    alone.every(({ page, end }) => page !== alone[index]?.page || end === 'out of steps' || end === 'fault'),
  ).length,
  endedOtherwise: pagesWhere((index) => alone[index]?.end !== together[index]?.end),
  showedOtherwise: pagesWhere((index) => alone[index]?.seen.join() !== together[index]?.seen.join()),
});
