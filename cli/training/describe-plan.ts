import { getHeapStatistics } from 'node:v8';
import type { TrainingForecast } from '../../trainers/loop/dry-run.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { describeDuration } from '../terminal/progress.ts';
import type { OpenedTraining } from './open-training.ts';

/** The plan of a training: its config, its panels and what it would write. With `isMeasured` also its cost, by one iteration that is discarded. */
export async function describePlan(
  training: OpenedTraining,
  { folder, isMeasured }: { readonly folder: string; readonly isMeasured: boolean },
  session: CommandContext,
): Promise<Outcome> {
  const { config, envConfig, ...others } = training.plan;
  const plan = {
    config: { ...config, envConfig },
    ...others,
    writes: {
      folder,
      ...runPaths('.'),
      checkpointBytes: training.checkpointBytes,
      checkpointsKept: config.checkpoints.keep,
      trajectoryMegabytes: config.trajectories.maxMegabytes,
    },
  };
  if (!isMeasured)
    return {
      document: { dryRun: true, ...plan },
      lines: [
        JSON.stringify(plan, undefined, 2),
        `Nothing was written. A run would write into ${folder}. --forecast also measures its time and memory.`,
      ],
    };
  const forecast = await measure(training, session);
  return {
    document: { dryRun: true, ...plan, forecast },
    lines: [JSON.stringify({ ...plan, forecast }, undefined, 2), describeForecast(forecast)],
  };
}

async function measure(training: OpenedTraining, session: CommandContext): Promise<TrainingForecast> {
  session.progress.say('measuring one iteration: its episodes, the update by them, and some of the searcher');
  return await training.forecast((done) =>
    session.progress.report({
      label: 'measuring the episodes of one iteration',
      done: Math.round(done * 100),
      total: 100,
      unit: '%',
    }),
  );
}

/** Bytes. */
const heapLimit = getHeapStatistics().heap_size_limit;

function describeForecast({
  trainingSeconds,
  warmStartSeconds,
  evaluationSeconds,
  totalSeconds,
  ...forecast
}: TrainingForecast): string {
  const { measured, environmentSteps, iterationSeconds, memory, episodeBytes, checkpoint, typical } =
    forecast;
  const seconds = Object.values(iterationSeconds).reduce((sum, phase) => sum + phase, 0);
  const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return [
    `One iteration ${measured.episodes < measured.of ? `of ${measured.of} episodes, extrapolated from ${measured.episodes} of them, takes` : 'took'} ${seconds.toFixed(1)} s for ${environmentSteps} steps with the initial policy: an untrained policy plays to the limit and is the slowest.`,
    `${describeTypical(typical)} it takes about ${describeDuration(typical.totalSeconds)}: expect that of a policy that learns.`,
    `The run takes at most about ${describeDuration(totalSeconds)}, if every episode is as long as in that iteration: warm start ${describeDuration(warmStartSeconds)}, iterations ${describeDuration(trainingSeconds)}, evaluations ${describeDuration(evaluationSeconds)}, on dev and at the end.`,
    `Tensors take up to ${mebibytes(memory.peak)}, the episodes of an iteration about ${mebibytes(episodeBytes)} of this process, a checkpoint ${mebibytes(checkpoint)}. Nothing was written.`,
    ...(episodeBytes < heapLimit
      ? []
      : [
          `warning: this process may use ${mebibytes(heapLimit)}: use fewer or smaller groups, or raise the limit of Node with NODE_OPTIONS=--max-old-space-size.`,
        ]),
  ].join('\n');
}

function describeTypical({ like, steps, measuredSteps }: TrainingForecast['typical']): string {
  const lengths = `${steps.toFixed(1)} steps on average, ${measuredSteps.toFixed(1)} in that iteration`;
  return like === 'searcher'
    ? `If its episodes are as long as the searcher's (${lengths}),`
    : `If its episodes are half as long (${lengths}),`;
}
