import { returnOf, type TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TaskPanel, TaskRef } from '../../envs/core/task.ts';

/** One category of tasks, as a bandit chooses among them. */
export interface Arm {
  readonly name: string;
  readonly tasks: readonly TaskRef[];
}

/** The categories of a panel: in a mixture env and family, elsewhere the families. They are the arms of a curriculum. */
export class Arms {
  readonly all: readonly Arm[];
  readonly #names = new Map<string, string>();

  constructor({ tasks, families, categories = families }: TaskPanel) {
    const arms = new Map<string, TaskRef[]>();
    for (const [at, task] of tasks.entries()) {
      const name = categories[at] as string;
      const others = arms.get(name) ?? [];
      others.push(task);
      arms.set(name, others);
      this.#names.set(keyOf(task), name);
    }
    this.all = [...arms].map(([name, of]) => ({ name, tasks: of }));
  }

  /** The category of a task; undefined where the panel does not have it. */
  nameOf(task: TaskRef): string | undefined {
    return this.#names.get(keyOf(task));
  }

  /** Groups by their category, in the order in which the categories come up. Groups of other panels are left out. */
  grouped(groups: readonly TrajectoryGroup[]): ReadonlyMap<string, readonly TrajectoryGroup[]> {
    const found = new Map<string, TrajectoryGroup[]>();
    for (const group of groups) {
      const name = this.nameOf(group.task);
      if (name === undefined) continue;
      const others = found.get(name) ?? [];
      others.push(group);
      found.set(name, others);
    }
    return found;
  }

  /** The share of the groups that each category has, as metrics of an iteration; none where there are too many to read. */
  shareFigures(groups: readonly TrajectoryGroup[]): Readonly<Record<string, number>> {
    if (this.all.length > mostInFigures) return {};
    return Object.fromEntries(
      [...this.grouped(groups)].map(([name, of]) => [`tasks/share/${name}`, of.length / groups.length]),
    );
  }
}

const keyOf = ({ panel, index }: TaskRef): string => `${panel}/${index}`;

/** With more categories, metrics would consist of little else. */
const mostInFigures = 24;

/** Added to the standard deviation, as in GRPO. */
const epsilon = 1e-6;

/**
 * The absolute advantages of the members of a group by GRPO (Shao et al. 2024, section 4.1): the distance of a return from the mean of the
 * group over the group's standard deviation, which is unbiased. Faulted members have none. They are 0 where all returns are equal.
 */
export function absoluteAdvantages({ members }: TrajectoryGroup): readonly number[] {
  const returns = members.filter(({ stop }) => stop.kind !== 'faulted').map((member) => returnOf(member));
  if (returns.length < 2) return returns.map(() => 0);
  const mean = meanOf(returns);
  const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1);
  return returns.map((value) => Math.abs(value - mean) / (Math.sqrt(variance) + epsilon));
}

/** The mean; 0 of nothing. */
export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Probabilities in proportion to exp(value / temperature). */
export function softmax(values: readonly number[], temperature: number): readonly number[] {
  const greatest = Math.max(...values);
  const weights = values.map((value) => Math.exp((value - greatest) / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** An arm with the probability of being drawn. */
export interface WeightedArm extends Arm {
  readonly weight: number;
}

/**
 * Draws `count` different tasks, or all where there are fewer: for each task an arm in proportion to its weight, then one of its tasks at
 * random. An arm without tasks left is drawn no more.
 */
export function drawFromArms(
  arms: readonly WeightedArm[],
  { count, rng }: { readonly count: number; readonly rng: Rng },
): readonly TaskRef[] {
  const urns = arms.map(({ name, weight, tasks }) => ({
    weight,
    tasks: rng.fork('order').fork(name).shuffle(tasks),
  }));
  const draws = rng.fork('arms');
  const drawn: TaskRef[] = [];
  while (drawn.length < count) {
    const left = urns.filter(({ tasks }) => tasks.length > 0);
    let at = draws.uniform() * left.reduce((sum, { weight }) => sum + weight, 0);
    // the last takes what rounding leaves
    const urn = left.find(({ weight }, place) => (at -= weight) < 0 || place === left.length - 1);
    const task = urn?.tasks.pop();
    if (task === undefined) break;
    drawn.push(task);
  }
  return drawn;
}
