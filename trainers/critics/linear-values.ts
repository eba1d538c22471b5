import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { netRewardOf, type Trajectory, type TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import { RunError } from '../../envs/core/errors.ts';
import { readText, mix, type TextReading } from '../../models/encode/text.ts';
import { defineEvidence, type CreditedBatch, type EvidenceSource } from './evidence-source.ts';

const options = z.strictObject({
  gamma: z.number().min(0).max(1).default(0.95).describe('discount of the returns that it predicts'),
  features: z
    .int()
    .min(64)
    .max(4_194_304)
    .default(65_536)
    .describe('number of weights: buckets of hashed words'),
  learningRate: z.number().positive().max(10).default(0.3).describe('step size (AdaGrad)'),
  epochs: z.int().min(1).max(1000).default(2).describe('passes over the steps of an iteration'),
});

type Options = z.output<typeof options>;

/**
 * A critic that needs no backend: V(s) = w · φ(s). φ has hashed words of the observation, alone and paired
 * with words of the task. It is fitted to discounted returns by AdaGrad (Duchi et al. 2011) on the squared
 * error. It gives `values`: steps + 1 numbers for each trajectory, before each step and after the last. The
 * last is 0 if the episode terminated.
 */
export const linearValues = defineEvidence({
  kind: 'linear-values',
  summary: 'values of observations by a linear critic over hashed words',
  options,
  gives: ['values'],
  create: (settings) => new LinearCritic(settings),
});

const weightsName = 'weights.f64';

class LinearCritic implements EvidenceSource {
  readonly #options: Options;
  readonly #weights: Float64Array; // (features)
  readonly #squares: Float64Array; // (features) sums of squared gradients
  readonly learner = {
    bytes: 0,
    learn: (batch: CreditedBatch) => Promise.resolve(this.#learn(batch)),
    save: (folder: string) => this.#save(folder),
    load: (folder: string) => this.#load(folder),
  };

  constructor(settings: Options) {
    this.#options = settings;
    this.#weights = new Float64Array(settings.features);
    this.#squares = new Float64Array(settings.features);
    this.learner.bytes = 2 * this.#weights.byteLength;
  }

  gather(
    groups: readonly TrajectoryGroup[],
  ): Promise<{ readonly values: readonly (readonly Float64Array[])[] }> {
    return Promise.resolve({
      values: groups.map(({ members }) => members.map((trajectory) => this.#valuesOf(trajectory))),
    });
  }

  #valuesOf(trajectory: Trajectory): Float64Array {
    const { steps, stop, finalObservation, instruction } = trajectory;
    if (stop.kind === 'faulted') return new Float64Array(0);
    const task = readText(instruction);
    const values = new Float64Array(steps.length + 1);
    for (const [at, { observation }] of steps.entries())
      values[at] = this.#value(featuresOf(task, observation, this.#options.features));
    values[steps.length] =
      stop.kind === 'terminated'
        ? 0
        : this.#value(featuresOf(task, finalObservation, this.#options.features));
    return values;
  }

  #value(features: Int32Array): number {
    let sum = 0;
    for (const bucket of features) sum += this.#weights[bucket] as number;
    return sum / Math.sqrt(features.length);
  }

  /** Fits the weights to the returns of the batch, step by step in the order of the episodes. */
  #learn({ groups }: CreditedBatch): Readonly<Record<string, number>> {
    const { epochs, features, gamma } = this.#options;
    const rows = groups
      .flatMap(({ members }) => members)
      .filter(({ stop }) => stop.kind !== 'faulted')
      .flatMap((trajectory) => {
        const task = readText(trajectory.instruction);
        const returns = returnsOf(trajectory, gamma, this.#valuesOf(trajectory).at(-1) ?? 0);
        return trajectory.steps.flatMap(({ observation }, at) => {
          const target = returns[at];
          return target === undefined || Number.isNaN(target)
            ? []
            : [{ features: featuresOf(task, observation, features), target }];
        });
      });
    if (rows.length === 0) return {};
    let before = 0;
    for (let epoch = 0; epoch < epochs; epoch += 1)
      for (const { features: row, target } of rows) {
        const error = this.#fit(row, target);
        if (epoch === 0) before += error ** 2;
      }
    const mean = rows.reduce((sum, { target }) => sum + target, 0) / rows.length;
    const spread = rows.reduce((sum, { target }) => sum + (target - mean) ** 2, 0);
    return {
      'critic/loss': before / rows.length,
      ...(spread === 0 ? {} : { 'critic/explained-variance': 1 - before / spread }),
    };
  }

  /** One AdaGrad step on half the squared error; returns the error before it. */
  #fit(row: Int32Array, target: number): number {
    const scale = 1 / Math.sqrt(row.length);
    const error = this.#value(row) - target;
    const slope = error * scale;
    for (const bucket of row) {
      const square = (this.#squares[bucket] as number) + slope ** 2;
      this.#squares[bucket] = square;
      if (square > 0)
        this.#weights[bucket] =
          (this.#weights[bucket] as number) - (this.#options.learningRate * slope) / Math.sqrt(square);
    }
    return error;
  }

  async #save(folder: string): Promise<void> {
    const both = new Float64Array([...this.#weights, ...this.#squares]);
    await writeFile(join(folder, weightsName), new Uint8Array(both.buffer));
  }

  async #load(folder: string): Promise<void> {
    const bytes = await readFile(join(folder, weightsName));
    if (bytes.byteLength !== this.learner.bytes)
      throw new RunError({
        where: `critic linear-values, ${folder}`,
        what: `its weights have ${bytes.byteLength} bytes, and ${this.learner.bytes} are expected.`,
        fix: 'Resume with the configuration that the run started with.',
      });
    const both = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    this.#weights.set(both.subarray(0, this.#weights.length));
    this.#squares.set(both.subarray(this.#weights.length));
  }
}

/**
 * Buckets of a constant, of the observation's words, and of their pairs with words of the task. Each bucket
 * appears once.
 */
function featuresOf(task: TextReading, observation: unknown, buckets: number): Int32Array {
  const seen = readText(textOf(observation));
  const found = new Set<number>([0]);
  const add = (hash: number): void => void found.add((hash >>> 0) % buckets);
  for (const { name } of seen.distinct) {
    add(mix(1, name));
    for (const { name: wanted } of task.distinct) if (wanted === name) add(mix(2, name));
  }
  for (const word of task.words) add(mix(3, word));
  return Int32Array.from(found);
}

/** Text environments return a text, or an object that contains one. */
function textOf(observation: unknown): string {
  return typeof observation === 'string' ? observation : (JSON.stringify(observation) ?? '');
}

/**
 * Discounted returns of the steps, from the value after the last step; NaN before a step without a reward.
 */
function returnsOf(trajectory: Trajectory, gamma: number, last: number): Float64Array {
  const returns = new Float64Array(trajectory.steps.length);
  let following = last;
  for (const [at, step] of [...trajectory.steps.entries()].toReversed()) {
    following = (netRewardOf(step) ?? Number.NaN) + gamma * following;
    returns[at] = following;
  }
  return returns;
}
