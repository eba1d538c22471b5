import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createContext } from '../../envs/core/context.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { parseTrainConfig } from '../../trainers/config/parse-train-config.ts';
import { prepareTraining } from '../../trainers/loop/setup/training-setup.ts';
import { startTraining } from '../../trainers/loop/start-training.ts';
import { studentInterval } from '../../trainers/results/intervals.ts';
import type { MeanEstimate } from '../../trainers/results/estimate.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import type { CommandContext } from '../command.ts';
import { calculationEnv } from './calculation-env.ts';
import { controlRewards, rewardArms, type RewardArm } from './controlled-rewards.ts';

/** What random rewards may change, in points of success. */
export const tolerance = 5;

/** One training. Success is in percent of the held-out calculations, entropy in nats of the choices in rollouts. */
export interface ControlRun {
  readonly arm: RewardArm;
  readonly seed: number;
  readonly before: number;
  readonly after: number;
  readonly entropyBefore: number;
  readonly entropyAfter: number;
}

export interface ArmVerdict {
  readonly arm: RewardArm;
  readonly before: MeanEstimate;
  readonly after: MeanEstimate;
  /** Points of success, with Student's 95 % interval over seeds. */
  readonly change: MeanEstimate;
  readonly entropyBefore: number;
  readonly entropyAfter: number;
  /** What must hold. */
  readonly expected: string;
  readonly isMet: boolean;
}

/**
 * Judges the trainings of each arm by the mean change of success. It must rise by more than the tolerance with true rewards, and fall by more
 * than that with inverted ones. Random rewards may change it by the tolerance at most.
 */
export function judgeControl(runs: readonly ControlRun[]): readonly ArmVerdict[] {
  return rewardArms.map((arm) => {
    const own = runs.filter((run) => run.arm === arm);
    const mean = (of: (run: ControlRun) => number): MeanEstimate => studentInterval(own.map(of));
    const change = mean(({ before, after }) => after - before);
    const { expected, isMet } = expectations[arm];
    return {
      arm,
      before: mean(({ before }) => before),
      after: mean(({ after }) => after),
      change,
      entropyBefore: mean((run) => run.entropyBefore).mean,
      entropyAfter: mean((run) => run.entropyAfter).mean,
      expected,
      isMet: isMet(change.mean),
    };
  });
}

const expectations: Readonly<
  Record<RewardArm, { readonly expected: string; readonly isMet: (change: number) => boolean }>
> = {
  true: { expected: `rises by more than ${tolerance}`, isMet: (change) => change > tolerance },
  random: { expected: `stays within ${tolerance}`, isMet: (change) => Math.abs(change) <= tolerance },
  inverted: { expected: `falls by more than ${tolerance}`, isMet: (change) => change < -tolerance },
};

/**
 * GiGPO from a policy that knows nothing. A clone would be no control: any training makes its choices sharper, also one by random rewards,
 * and a sharper clone is right more often.
 */
const settings = {
  env: calculationEnv.id,
  backend: 'wasm',
  finalPanels: ['unseen'],
  iterations: 20,
  groups: 64,
  groupSize: 8,
  policy: { buckets: 4_096, width: 32, hidden: 32 },
  warmStart: { episodes: 0 },
  evaluation: { every: 1_000, tasks: 20 },
  trajectories: { every: 1_000 },
} as const;

/**
 * Trains with true, random and inverted rewards, each with all seeds, and measures success on held-out calculations before and after.
 *
 * @param session its progress shows the trainings that are done and the time left; its signal ends the control
 */
export async function runControl(
  seeds: readonly number[],
  session: Pick<CommandContext, 'now' | 'signal' | 'progress'>,
): Promise<readonly ControlRun[]> {
  const runs: ControlRun[] = [];
  const total = seeds.length * rewardArms.length;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-control-'));
  try {
    for (const seed of seeds) {
      for (const arm of rewardArms) {
        const tell = (share: number): void =>
          session.progress.report({
            label: 'control of the trainer',
            done: runs.length + share,
            total,
            unit: 'trainings',
            note: `${arm} rewards, seed ${seed}`,
          });
        tell(0);
        runs.push(await trainArm({ arm, seed, folder: path.join(folder, `${arm}-${seed}`), tell }, session));
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return runs;
}

async function trainArm(
  {
    arm,
    seed,
    folder,
    tell,
  }: {
    readonly arm: RewardArm;
    readonly seed: number;
    readonly folder: string;
    readonly tell: (share: number) => void;
  },
  { now, signal }: Pick<CommandContext, 'now' | 'signal'>,
): Promise<ControlRun> {
  const config = parseTrainConfig({ ...settings, seed }, { where: 'the control of the trainer' });
  const context = createContext({ seed, now, signal });
  const entropies: number[] = [];
  await using setup = await prepareTraining({
    config,
    definition: controlRewards(calculationEnv as never, arm),
    backend: () => openBackend(config.backend),
    versions: {},
    context,
  });
  const { results } = await startTraining(setup, folder, {
    onProgress: ({ iteration, iterations }) => tell(Math.min(0.99, iteration / iterations)),
    onMetrics: ({ line }) => {
      const entropy = line.kind === 'iteration' ? line.figures['update/entropy'] : undefined;
      if (entropy !== undefined) entropies.push(entropy);
    },
  });
  return {
    arm,
    seed,
    before: successOf(results, 'untrained'),
    after: successOf(results, 'GiGPO'),
    entropyBefore: entropies[0] ?? Number.NaN,
    entropyAfter: entropies.at(-1) ?? Number.NaN,
  };
}

/** Success in percent of a policy as sampled, by its name in the results. */
function successOf(results: readonly EvaluationResult[], agent: string): number {
  const found = results.find((result) => result.agent === agent);
  if (found === undefined) throw new Error(`the control of the trainer: the result of ${agent} is missing`);
  return 100 * found.success.rate;
}
