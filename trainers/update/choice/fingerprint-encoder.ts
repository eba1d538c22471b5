import { createHash } from 'node:crypto';
import {
  trajectorySchema,
  type Trajectory,
  type TrajectoryStep,
} from '../../../agents/rollout/trajectory.ts';
import { ChoiceRows } from '../../../models/encode/choice-rows.ts';
import { FeatureReader, type ActionTarget, type Features } from '../../../envs/core/features.ts';
import type { ChoiceScorer, TurnReader } from './choice-scorer.ts';

/** What is seen, what can be done, and what of it is done. */
type Turn = readonly [seen: string, candidates: readonly string[], index: number];

const wordTurns: readonly Turn[] = [
  ['You are in a room. You see a shelf 1, a box 2.', ['go to shelf 1', 'go to box 2', 'look'], 1],
  ['The box 2 is closed.', ['open box 2', 'go to shelf 1', 'look'], 0],
  ['In it you see a red cup 1.', ['take cup 1 from box 2', 'close box 2', 'go to shelf 1'], 0],
  ['You take the cup 1.', ['close box 2', 'go to shelf 1', 'put cup 1 in box 2'], 1],
  ['You are at shelf 1. On it you see nothing.', ['put cup 1 on shelf 1', 'look', 'go to box 2'], 0],
  ['You are at shelf 1. On it you see nothing.', ['put cup 1 on shelf 1', 'look', 'go to box 2'], 0],
  [
    'The shelf has a label.',
    ['write "Cup" label "Name of the shelf"', 'write "Box" label "Name of the shelf"', 'press "Done"'],
    0,
  ],
];

const boardFeatures: readonly Features[] = [
  {
    grid: { rows: ['#..k', '.@.#', '..g.', '12#.'], focus: [1, 1], walls: ['#'], block: [2, 2] },
    fields: { keys: 0, weight: 12.5, open: false, colour: 'red' },
  },
  { grid: { rows: ['#..k', '..@#', '..g.', '12#.'], focus: [1, 2], walls: ['#'], block: [2, 2] } },
  {
    grid: {
      rows: [
        ['a', 'b'],
        ['b', ''],
      ].map((row) => row.map((kind) => `${kind}1`)),
    },
    fields: { keys: -3, many: 1_000 },
  },
];

const boardTargets: Readonly<Record<string, ActionTarget>> = {
  up: { verb: 'go', direction: [-1, 0] },
  right: { verb: 'go', direction: [0, 1] },
  put: { verb: 'put', cell: [0, 1], value: '1' },
  paint: { verb: 'put', cell: [1, 1], value: 'b1', fields: { cost: 3, colour: 'red' } },
  far: { cell: [9, 9], fields: { cost: 7 } },
  wait: {},
};

const boardTurns: readonly Turn[] = boardFeatures.map((_, at) => [
  String(at),
  Object.keys(boardTargets),
  at + 1,
]);

const boardReader: TurnReader = {
  words: String,
  features: new FeatureReader<unknown, string>({
    parse: (text) => ({ kind: 'action', action: text }),
    features: (observation) => boardFeatures[Number(observation)] ?? {},
    target: (action) => boardTargets[action],
  }),
};

/**
 * `sha256:` and 64 hexadecimal digits over the features of a fixed episode. Weights mean nothing to an encoder that gives
 * others; a run records the fingerprint, and resuming compares it. `hasFeatures` adds an episode with grids and fields.
 */
export function fingerprintEncoder(scorer: ChoiceScorer, hasFeatures = false): string {
  const rows = new ChoiceRows(scorer.model.config.buckets);
  scorer.encodeTrajectory(episodeOf(wordTurns), { words: String }, rows);
  if (hasFeatures) scorer.encodeTrajectory(episodeOf(boardTurns), boardReader, rows);
  const { stateFeatures, stateStart, candidateFeatures, candidateStart, rowStart } = rows.pack();
  const hash = createHash('sha256');
  for (const values of [stateFeatures, stateStart, candidateFeatures, candidateStart, rowStart])
    hash.update(`${values.join(' ')}\n`);
  return `sha256:${hash.digest('hex')}`;
}

const episodeOf = (turns: readonly Turn[]): Trajectory => ({
  schema: trajectorySchema,
  path: 'fingerprint',
  env: { id: 'fingerprint-v1', config: {} },
  task: { panel: 'fingerprint', index: 0 },
  family: 'fingerprint',
  agent: 'fingerprint',
  instruction: 'put a red cup on the shelf and give the shelf the name "Cup"',
  steps: turns.map(([observation, candidates, index]): TrajectoryStep => ({
    observation,
    seat: 0,
    stateKey: undefined,
    anchorKey: undefined,
    stepsLeft: undefined,
    reply: { kind: 'action', action: candidates[index] ?? '' },
    decision: { kind: 'choice', candidates, index, logprob: 0 },
    policyVersion: undefined,
    verdict: 'admissible',
    reward: undefined,
    penalty: undefined,
  })),
  finalObservation: '',
  finalStateKey: undefined,
  finalAnchorKey: undefined,
  stop: { kind: 'terminated', outcome: 'solved' },
});
