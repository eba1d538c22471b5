import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import { createCreditEstimator } from '../../trainers/credit/create-credit-estimator.ts';
import { anchorStatistics } from '../../trainers/credit/parts/anchor-statistics.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { openBatches, publishedShape } from './batches.ts';

// How many steps a second get their credit, on one core, from TrajectoryGroup[] to BatchCredit.

type Batch = readonly TrajectoryGroup[];

const batchesARound = 12;
const warmUp = 8;
const rounds = 9;

const play = await openBatches();

/** As a trajectory file gives them: strings of their own for every step, whose hashes nobody has taken yet. */
const readBack = async (seed: number): Promise<Batch> =>
  JSON.parse(JSON.stringify(await play(seed))) as Batch;

interface Rate {
  readonly median: number;
  readonly slowest: number;
  readonly fastest: number;
}

/** Lets young objects come of age, as those of a rollout that took seconds have; else their coming of age would be timed. */
function settle(): void {
  for (let time = 0; time < 2; time += 1) globalThis.gc?.({ type: 'minor' });
}

/** Steps a second over each round; making the batches is not timed. */
async function measure(
  work: (batch: Batch) => unknown,
  make: (seed: number) => Promise<Batch> = play,
): Promise<Rate> {
  const rates: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    globalThis.gc?.();
    let steps = 0;
    let milliseconds = 0;
    for (let seed = 0; seed < batchesARound; seed += 1) {
      const batch = await make(seed);
      steps += countSteps(batch);
      settle();
      const start = performance.now();
      work(batch);
      milliseconds += performance.now() - start;
    }
    if (round >= 0) rates.push(Math.round((steps / milliseconds) * 1000));
  }
  const sorted = rates.toSorted((a, b) => a - b);
  return {
    median: sorted[Math.floor(rounds / 2)] as number,
    slowest: sorted[0] as number,
    fastest: sorted.at(-1) as number,
  };
}

function countSteps(batch: Batch): number {
  let steps = 0;
  for (const { members } of batch) for (const member of members) steps += member.steps.length;
  return steps;
}

const information = createCreditEstimator({ kind: 'gigpo', anchor: 'information', omega: 1 });
const observation = createCreditEstimator({ kind: 'gigpo', anchor: 'observation' });
const careful = createCreditEstimator({
  kind: 'gigpo',
  visits: 'first',
  self: 'left-out',
  episodeWeighting: 'trajectories',
});
const grpo = createCreditEstimator({ kind: 'grpo' });
const machine = describeMachine();

const stepsPerSecond: Readonly<Record<string, Rate>> = {
  'gigpo, information key': await measure((batch) => information.assign(batch)),
  'gigpo, information key, read back from JSON': await measure(
    (batch) => information.assign(batch),
    readBack,
  ),
  'gigpo, observation key': await measure((batch) => observation.assign(batch)),
  'gigpo, first visits, left out, by trajectories': await measure((batch) => careful.assign(batch)),
  grpo: await measure((batch) => grpo.assign(batch)),
  'anchor statistics, all three keys': await measure((batch) => anchorStatistics(batch)),
  'gigpo, information key, with the statistics of an iteration': await measure((batch) => {
    information.assign(batch);
    information.statistics(batch);
  }),
};

const report = {
  what: 'steps a second that get their credit on one core, from TrajectoryGroup[] to BatchCredit',
  ...machine,
  shape: publishedShape,
  stepsABatch: countSteps(await play(0)),
  rounds,
  stepsPerSecond,
};

printReport(report);
