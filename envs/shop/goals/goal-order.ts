import { PythonRandom } from '../../engines/python-random/python-random.ts';

/** The seed with which the original shuffles its goals before any other draw. */
const goalSeed = 233;

/** The order of the goals: `random.seed(233); random.shuffle(goals)`. */
export function shuffledGoals(size: number): Uint32Array {
  const order = Uint32Array.from({ length: size }, (_, index) => index);
  new PythonRandom(goalSeed).shuffle(order);
  return order; // (size)
}

/** A range of goals in the shuffled order. */
export interface GoalRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export type GoalSplit = 'test' | 'dev' | 'train';

/**
 * The published splits: test 0 to 499, eval (our dev) 500 to 1,499, train the rest. They are shorter where
 * there are fewer goals.
 */
export function goalSplits(size: number): Readonly<Record<GoalSplit, GoalRange>> {
  const cut = (at: number): number => Math.min(at, size);
  return {
    test: { start: 0, end: cut(500) },
    dev: { start: cut(500), end: cut(1_500) },
    train: { start: cut(1_500), end: size },
  };
}
