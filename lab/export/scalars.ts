import { describeDecoding } from '../../trainers/results/estimate.ts';
import type { EvaluationLine, MetricsLine, TimingsLine } from '../../trainers/run/metrics-schema.ts';
import type { Scalar } from './event-file.ts';

/**
 * The numbers of a run as TensorBoard takes them: tags such as `train/success`, `update/kl`, `evaluate/dev/greedy/success`,
 * `timings/rollout`. The step is the environment step, of warm starts the epoch. Wall times are the seconds that the run
 * had worked by then, so that equal runs give equal files.
 */
export function runScalars(
  metrics: readonly MetricsLine[],
  timings: readonly TimingsLine[],
): readonly Scalar[] {
  const clock = workedSeconds(timings);
  const timingOf = new Map(timings.map((line) => [`${line.kind}/${line.iteration}`, line]));
  let worked = 0;
  return metrics.flatMap((line) => {
    const key = `${line.kind}/${line.kind === 'warm-start' ? line.epoch : line.iteration}`;
    worked = clock.get(key) ?? worked;
    return lineScalars(line, timingOf.get(key), worked);
  });
}

/** The numbers of a line. Its timing counts for iterations alone. */
export function lineScalars(
  line: MetricsLine,
  timing: TimingsLine | undefined,
  wallTime: number,
): readonly Scalar[] {
  const step = stepOf(line);
  return [...valuesOf(line), ...timingValues(line.kind === 'iteration' ? timing : undefined)].map(
    ([tag, value]) => ({ tag, value, step, wallTime }),
  );
}

/** Where a line stands on the axis of steps. */
export const stepOf = (line: MetricsLine): number =>
  line.kind === 'warm-start' ? line.epoch : line.environmentSteps;

function workedSeconds(timings: readonly TimingsLine[]): ReadonlyMap<string, number> {
  const clock = new Map<string, number>();
  let worked = 0;
  for (const line of timings) {
    worked += line.seconds;
    clock.set(`${line.kind}/${line.iteration}`, worked);
  }
  return clock;
}

type Values = readonly (readonly [tag: string, value: number])[];

function valuesOf(line: MetricsLine): Values {
  switch (line.kind) {
    case 'warm-start':
      return known(
        [
          ['warm-start/loss', line.loss],
          ['warm-start/dev-success', line.devSuccess?.rate],
        ],
        line.figures,
      );
    case 'iteration':
      return known(
        [
          ['train/success', line.success],
          ['train/return', line.return],
          ['train/score', line.score],
          ['train/episode-length', line.episodeLength],
          ['train/iteration', line.iteration],
        ],
        line.figures,
      );
    case 'evaluation':
      return evaluationValues(line);
    default:
      return line satisfies never;
  }
}

function evaluationValues(line: EvaluationLine): Values {
  const prefix = `evaluate/${line.panel}/${line.agent}/${describeDecoding(line.decoding).replaceAll(' ', '-')}`;
  return [
    [`${prefix}/success`, line.success.rate],
    [`${prefix}/success-low`, line.success.low],
    [`${prefix}/success-high`, line.success.high],
    [`${prefix}/score`, line.score.mean],
    ...Object.entries(line.byFamily).map(
      ([family, { rate }]) => [`${prefix}/family/${family}`, rate] as const,
    ),
    ...Object.entries(line.figures ?? {}).map(([name, value]) => [`${prefix}/${name}`, value] as const),
  ];
}

function known(
  values: readonly (readonly [tag: string, value: number | undefined])[],
  figures: Readonly<Record<string, number>> = {},
): Values {
  return [
    ...values.flatMap(([tag, value]) => (value === undefined ? [] : [[tag, value] as const])),
    ...Object.entries(figures),
  ];
}

function timingValues(line: TimingsLine | undefined): Values {
  if (line === undefined) return [];
  const { environmentSteps, seconds } = line;
  return [
    ['timings/seconds', seconds],
    ...(environmentSteps === undefined || seconds === 0
      ? []
      : [['timings/steps-a-second', environmentSteps / seconds] as const]),
    ...Object.entries(line.phases).map(([phase, value]) => [`timings/${phase}`, value] as const),
  ];
}
