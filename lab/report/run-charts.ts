import { familySuccessFigure } from '../../trainers/curriculum/unsolved.ts';
import { describeDecoding } from '../../trainers/results/estimate.ts';
import {
  type EvaluationLine,
  type IterationLine,
  type MetricsLine,
  type TimingsLine,
  type WarmStartLine,
} from '../../trainers/run/metrics-schema.ts';
import type { CurvePoint } from '../compare/learning-curve.ts';
import { chartOf, type Chart } from './chart.ts';

type Lines = readonly (readonly [label: string, points: readonly CurvePoint[]])[];

/** Named figures that are drawn, chart by chart; what is in no chart stands in the table of the last values. */
const figureCharts: readonly {
  readonly title: string;
  readonly note: string;
  readonly unit: Chart['unit'];
  readonly figures: readonly (readonly [name: string, label: string])[];
}[] = [
  {
    title: 'Entropy',
    note: 'Of what the policy draws from, in nats.',
    unit: 'number',
    figures: [['update/entropy', 'entropy']],
  },
  {
    title: 'KL divergence',
    note: 'Between proximal and current policy, and to the reference policy, in nats.',
    unit: 'number',
    figures: [
      ['update/kl', 'proximal to current'],
      ['update/reference-kl', 'to reference'],
    ],
  },
  {
    title: 'Clip fraction',
    note: 'Share of decisions whose gradient the clip cut off.',
    unit: 'share',
    figures: [['update/clip-fraction', 'clipped']],
  },
  {
    title: 'Importance ratio',
    note: 'Current over proximal probability, mean over decisions.',
    unit: 'number',
    figures: [['update/mean-ratio', 'mean']],
  },
  {
    title: 'Largest importance ratio',
    note: 'Of the single decision that moved most in an update.',
    unit: 'number',
    figures: [['update/largest-ratio', 'largest']],
  },
  {
    title: 'Tokens of an update',
    note: 'Of a language model: all that its rows have, and those among them that it wrote.',
    unit: 'number',
    figures: [
      ['update/tokens', 'all'],
      ['update/tokens-written', 'written'],
    ],
  },
  {
    title: 'Mismatch with the sampler',
    note: 'Between the log-probabilities of a server that samples and those that the trainer computes, in nats a token.',
    unit: 'number',
    figures: [
      ['update/mismatch', 'mean'],
      ['update/largest-mismatch', 'largest'],
    ],
  },
  {
    title: 'Gradient norm',
    note: 'Before clipping.',
    unit: 'number',
    figures: [['update/gradient-norm', 'norm']],
  },
  {
    title: 'Singletons among anchors',
    note: 'Share of steps that no other step of their group can be compared with, by the key that groups them.',
    unit: 'share',
    figures: [
      ['anchor/observation/singleton-share', 'observation'],
      ['anchor/information/singleton-share', 'information'],
      ['anchor/state/singleton-share', 'state'],
    ],
  },
  {
    title: 'Credit by step',
    note: 'Share of the advantage that comes from the step term, and what it would be with steps grouped by each of the three keys.',
    unit: 'share',
    figures: [
      ['credit/step-share', 'as credited'],
      ['anchor/observation/step-share', 'by observation'],
      ['anchor/information/step-share', 'by information'],
      ['anchor/state/step-share', 'by state'],
    ],
  },
  {
    title: 'Staleness',
    note: 'Iterations that the weights were behind which decided, where rollouts run ahead of the updates.',
    unit: 'number',
    figures: [
      ['async/staleness-mean', 'mean'],
      ['async/staleness-largest', 'largest'],
    ],
  },
  {
    title: 'Groups of several versions',
    note: 'Groups during which the weights changed, and those left out because they were begun too long ago.',
    unit: 'number',
    figures: [
      ['async/groups-mixed', 'mixed'],
      ['async/groups-dropped', 'left out'],
    ],
  },
  {
    title: 'Groups that teach nothing',
    note: 'Groups whose advantages are all zero, those in which all episodes faulted, and those with one survivor.',
    unit: 'number',
    figures: [
      ['credit/groups-zero-advantage', 'zero advantage'],
      ['credit/groups-all-faulted', 'all faulted'],
      ['credit/groups-single-survivor', 'one survivor'],
    ],
  },
  {
    title: 'Errors and loops of the policy',
    note: 'Share of steps that were inadmissible, malformed, or repeated an action in an unchanged place.',
    unit: 'share',
    figures: [
      ['rollout/inadmissible-rate', 'inadmissible'],
      ['rollout/malformed-rate', 'malformed'],
      ['rollout/repeated-rate', 'repeated'],
    ],
  },
  {
    title: 'Faults',
    note: 'Share of episodes in which the world failed.',
    unit: 'share',
    figures: [['faults/share', 'faulted']],
  },
];

/** All charts of a run that have something to show, in reading order. */
export function runCharts(
  metrics: readonly MetricsLine[],
  timings: readonly TimingsLine[],
): readonly Chart[] {
  const iterations = metrics.filter((line) => line.kind === 'iteration');
  const evaluations = metrics.filter((line) => line.kind === 'evaluation');
  const warmStart = metrics.filter((line) => line.kind === 'warm-start');
  return [
    successChart(iterations, evaluations),
    familyChart(iterations),
    ...warmStartCharts(warmStart),
    returnChart(iterations),
    lengthChart(iterations),
    ...figureCharts.map(({ figures, ...head }) =>
      chartOf(
        { ...head, xLabel: stepsLabel },
        figures.map(([name, label]) => [label, pointsOf(iterations, (line) => line.figures[name])]),
      ),
    ),
    ...timingCharts(iterations, timings),
  ].filter((chart) => chart !== undefined);
}

/** Names of figures that {@link runCharts} does not draw. */
export function undrawnFigures(line: IterationLine): readonly string[] {
  const drawn = new Set(figureCharts.flatMap(({ figures }) => figures.map(([name]) => name)));
  return Object.keys(line.figures)
    .filter((name) => !drawn.has(name) && !name.startsWith(familySuccessFigure))
    .toSorted();
}

const stepsLabel = 'environment steps';

function pointsOf(
  iterations: readonly IterationLine[],
  valueOf: (line: IterationLine) => number | undefined,
): readonly CurvePoint[] {
  return iterations.flatMap((line) => {
    const y = valueOf(line);
    return y === undefined ? [] : [{ x: line.environmentSteps, y }];
  });
}

function successChart(
  iterations: readonly IterationLine[],
  evaluations: readonly EvaluationLine[],
): Chart | undefined {
  const byLabel = new Map<string, CurvePoint[]>();
  for (const line of evaluations) {
    const label = `${line.panel}, ${line.agent}, ${describeDecoding(line.decoding)}`;
    const points = byLabel.get(label) ?? [];
    points.push({
      x: line.environmentSteps,
      y: line.success.rate,
      low: line.success.low,
      high: line.success.high,
    });
    byLabel.set(label, points);
  }
  const lines: Lines = [['training episodes', pointsOf(iterations, (line) => line.success)], ...byLabel];
  const harder =
    familiesIn(iterations).length === 0
      ? ''
      : ' Training may draw families in other shares than evaluations do.';
  return chartOf(
    {
      title: 'Success',
      note: `Share of episodes solved; evaluations with 95 % intervals.${harder}`,
      unit: 'share',
      xLabel: stepsLabel,
    },
    lines,
  );
}

/** The families whose success in training is known. */
const familiesIn = (iterations: readonly IterationLine[]): readonly string[] =>
  [
    ...new Set(
      iterations.flatMap(({ figures }) =>
        Object.keys(figures).filter((name) => name.startsWith(familySuccessFigure)),
      ),
    ),
  ].toSorted();

/**
 * An iteration plays few tasks of a family, so single values vary widely. Lines of long runs are means of
 * several.
 */
function familyChart(iterations: readonly IterationLine[]): Chart | undefined {
  const among = Math.max(1, Math.min(10, Math.floor(iterations.length / 10)));
  const smoothed =
    among === 1 ? '' : ` Each point is the mean of the last ${among} iterations that played it.`;
  return chartOf(
    {
      title: 'Success by family',
      note: `Share of each iteration’s training episodes solved.${smoothed}`,
      unit: 'share',
      xLabel: stepsLabel,
    },
    familiesIn(iterations).map((name) => [
      name.slice(familySuccessFigure.length),
      meansOfLast(
        among,
        pointsOf(iterations, (line) => line.figures[name]),
      ),
    ]),
  );
}

function meansOfLast(most: number, points: readonly CurvePoint[]): readonly CurvePoint[] {
  const count = Math.max(1, Math.min(most, points.length));
  return points
    .slice(count - 1)
    .map(({ x }, at) => ({ x, y: points.slice(at, at + count).reduce((sum, { y }) => sum + y, 0) / count }));
}

function warmStartCharts(lines: readonly WarmStartLine[]): readonly (Chart | undefined)[] {
  return [
    chartOf(
      {
        title: 'Warm start: loss',
        note: 'Mean cross entropy of the demonstrated actions, in nats.',
        unit: 'number',
        xLabel: 'epoch',
      },
      [['loss', lines.map((line) => ({ x: line.epoch, y: line.loss }))]],
    ),
    chartOf(
      {
        title: 'Warm start: success',
        note: 'On the dev panel, with 95 % intervals.',
        unit: 'share',
        xLabel: 'epoch',
      },
      [
        [
          'dev',
          lines.flatMap(({ epoch, devSuccess }) =>
            devSuccess === undefined
              ? []
              : [{ x: epoch, y: devSuccess.rate, low: devSuccess.low, high: devSuccess.high }],
          ),
        ],
      ],
    ),
  ];
}

/** One line where both are the same throughout: the upper would hide the lower. */
function returnChart(iterations: readonly IterationLine[]): Chart | undefined {
  const [returns, scores] = [
    pointsOf(iterations, (line) => line.return),
    pointsOf(iterations, (line) => line.score),
  ];
  const same = returns.length === scores.length && returns.every(({ y }, index) => y === scores[index]?.y);
  return chartOf(
    {
      title: 'Return and score',
      note: 'Mean over training episodes; the return has the penalties, the score has not.',
      unit: 'number',
      xLabel: stepsLabel,
    },
    same
      ? [['return, which is the score', returns]]
      : [
          ['return', returns],
          ['score', scores],
        ],
  );
}

const lengthChart = (iterations: readonly IterationLine[]): Chart | undefined =>
  chartOf(
    {
      title: 'Episode length',
      note: 'Mean steps of a training episode.',
      unit: 'number',
      xLabel: stepsLabel,
    },
    [['steps', pointsOf(iterations, (line) => line.episodeLength)]],
  );

function timingCharts(
  iterations: readonly IterationLine[],
  timings: readonly TimingsLine[],
): readonly (Chart | undefined)[] {
  const stepsAt = new Map(iterations.map((line) => [line.iteration, line.environmentSteps]));
  const timed = timings.flatMap((line) => {
    const x = stepsAt.get(line.iteration);
    return line.kind === 'iteration' && x !== undefined ? [{ ...line, x }] : [];
  });
  const speed = (secondsOf: (line: TimingsLine) => number | undefined): readonly CurvePoint[] =>
    timed.flatMap((line) => {
      const seconds = secondsOf(line);
      return line.environmentSteps === undefined || seconds === undefined || seconds === 0
        ? []
        : [{ x: line.x, y: line.environmentSteps / seconds }];
    });
  const phases = [...new Set(timed.flatMap((line) => Object.keys(line.phases)))];
  return [
    chartOf(
      {
        title: 'Speed',
        note: 'Environment steps a second, over the whole iteration and over its rollout alone.',
        unit: 'number',
        xLabel: stepsLabel,
      },
      [
        ['iteration', speed((line) => line.seconds)],
        ['rollout', speed((line) => line.phases['rollout'])],
      ],
    ),
    chartOf(
      { title: 'Time by phase', note: 'Seconds an iteration.', unit: 'number', xLabel: stepsLabel },
      phases.map((phase) => [
        phase,
        timed.flatMap((line) => {
          const y = line.phases[phase];
          return y === undefined ? [] : [{ x: line.x, y }];
        }),
      ]),
    ),
  ];
}
