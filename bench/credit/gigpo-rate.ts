import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import { createGigpo } from '../../trainers/credit/gigpo.ts';
import { createGrpo } from '../../trainers/credit/grpo.ts';
import { anchorStatistics } from '../../trainers/credit/statistics.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { publishedShape, writeBatch } from './batches.ts';

// How many steps a second get their credit, on one core, from TrajectoryGroup[] to BatchCredit.

type Batch = readonly TrajectoryGroup[];

const batchesARound = 30;
const warmUp = 3;
const rounds = 9;

const texts = Array.from({ length: batchesARound }, (_, seed) => writeBatch(seed, publishedShape));

/** Fresh objects and fresh strings, whose hashes nobody has taken yet. */
const parsed = (text: string): Batch => JSON.parse(text) as Batch;

/** The same with keys put together at run time, which must be flattened before they can be read. */
const concatenated = (text: string): Batch =>
  parsed(text).map((group) => ({
    ...group,
    members: group.members.map((member) => ({
      ...member,
      steps: member.steps.map((step) => ({ ...step, anchorKey: joined(step.anchorKey ?? '') })),
    })),
  }));

const joined = (key: string): string => `${key.slice(0, 40)}${key.slice(40)}`;

interface Rate {
  readonly median: number;
  readonly slowest: number;
  readonly fastest: number;
}

/** Steps a second over each round; making the batches is not timed. */
function measure(work: (batch: Batch) => unknown, make: (text: string) => Batch = parsed): Rate {
  const rates: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    globalThis.gc?.();
    let steps = 0;
    let milliseconds = 0;
    for (const text of texts) {
      const batch = make(text);
      steps += countSteps(batch);
      const start = performance.now();
      work(batch);
      milliseconds += performance.now() - start;
    }
    if (round >= 0) rates.push(Math.round((steps / milliseconds) * 1000));
  }
  const sorted = rates.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(rounds / 2)] as number, slowest: sorted[0] as number, fastest: sorted.at(-1) as number };
}

function countSteps(batch: Batch): number {
  let steps = 0;
  for (const { members } of batch) for (const member of members) steps += member.steps.length;
  return steps;
}

const information = createGigpo({ anchor: 'information', omega: 1 });
const observation = createGigpo({ anchor: 'observation' });
const careful = createGigpo({ visits: 'first', self: 'left-out', episodeWeighting: 'trajectories' });
const grpo = createGrpo();
const machine = describeMachine();

const stepsPerSecond: Readonly<Record<string, Rate>> = {
  'gigpo, information key': measure((batch) => information.assign(batch, {})),
  'gigpo, information key, keys concatenated at run time': measure((batch) => information.assign(batch, {}), concatenated),
  'gigpo, observation key': measure((batch) => observation.assign(batch, {})),
  'gigpo, first visits, left out, by trajectories': measure((batch) => careful.assign(batch, {})),
  grpo: measure((batch) => grpo.assign(batch, {})),
  'anchor statistics, all three keys': measure((batch) => anchorStatistics(batch)),
  'gigpo, information key, and anchor statistics of the other two': measure((batch) => {
    information.assign(batch, {});
    anchorStatistics(batch, ['observation', 'state']);
  }),
};

const report = {
  what: 'steps a second that get their credit on one core, from TrajectoryGroup[] to BatchCredit',
  ...machine,
  shape: publishedShape,
  stepsABatch: Math.round(texts.reduce((sum, text) => sum + countSteps(parsed(text)), 0) / batchesARound),
  rounds,
  stepsPerSecond,
};

printReport(report);
