import { PythonRandom } from '../../engines/python-random/python-random.ts';

/** The original shuffles its goals with this seed before anything else is drawn. */
const goalSeed = 233;

/** Which goal comes where: `random.seed(233); random.shuffle(goals)`. */
export function shuffledGoals(size: number): Uint32Array {
  const order = Uint32Array.from({ length: size }, (_, index) => index);
  new PythonRandom(goalSeed).shuffle(order);
  return order; // (size)
}

/** A run of goals, counted in the shuffled order. */
export interface GoalRange {
  readonly start: number;
  /** The first that is not in it. */
  readonly end: number;
}

export type GoalSplit = 'test' | 'dev' | 'train';

/** The published splits: test 0 to 499, eval (our dev) 500 to 1,499, train the rest; cut where there are fewer goals. */
export function goalSplits(size: number): Readonly<Record<GoalSplit, GoalRange>> {
  const cut = (at: number): number => Math.min(at, size);
  return {
    test: { start: 0, end: cut(500) },
    dev: { start: cut(500), end: cut(1_500) },
    train: { start: cut(1_500), end: size },
  };
}
