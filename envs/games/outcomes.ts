import type { Rng } from '../core/rng.ts';

/** One of the results that an action can have, with its probability. */
export interface Outcome<State> {
  readonly probability: number;
  readonly state: State;
  readonly reward: number;
  readonly ends: boolean;
}

/** Draws an outcome as Gymnasium's `categorical_sample` does: the first whose cumulative probability exceeds a uniform number. */
export function drawOutcome<State>(outcomes: readonly Outcome<State>[], rng: Rng): Outcome<State> {
  const [only] = outcomes;
  if (outcomes.length === 1 && only !== undefined) return only;
  const draw = rng.uniform();
  let sum = 0;
  for (const outcome of outcomes) {
    sum += outcome.probability;
    if (sum > draw) return outcome;
  }
  return outcomes.at(-1) as Outcome<State>; // rounding: the probabilities sum to 1
}

/** A decision process with known probabilities. */
export interface DecisionProcess<State, Action> {
  readonly states: readonly State[];
  readonly actions: readonly Action[];
  readonly key: (state: State) => string | number;
  readonly outcomes: (state: State, action: Action) => readonly Outcome<State>[];
}

/** The best action of each state by value iteration (Bellman 1957), discounted by 0.999 so that it converges. Keys are those of the process. */
export function bestActions<State, Action>({
  states,
  actions,
  key,
  outcomes,
}: DecisionProcess<State, Action>): ReadonlyMap<string | number, Action> {
  const discount = 0.999;
  const index = new Map(states.map((state, at) => [key(state), at]));
  const table = states.map((state) =>
    actions.map((action) =>
      outcomes(state, action).map(({ probability, state: after, reward, ends }) => ({
        probability,
        reward,
        after: ends ? undefined : index.get(key(after)),
      })),
    ),
  );
  const values = new Float64Array(states.length);
  const worth = (branches: (typeof table)[number][number]): number =>
    branches.reduce(
      (sum, { probability, reward, after }) =>
        sum + probability * (reward + (after === undefined ? 0 : discount * (values[after] ?? 0))),
      0,
    );
  for (let sweep = 0; sweep < 5_000; sweep += 1) {
    let change = 0;
    for (const [at, choices] of table.entries()) {
      const value = Math.max(...choices.map(worth));
      change = Math.max(change, Math.abs(value - (values[at] ?? 0)));
      values[at] = value;
    }
    if (change < 1e-9) break;
  }
  return new Map(
    states.map((state, at) => {
      const worths = (table[at] ?? []).map(worth);
      return [key(state), actions[worths.indexOf(Math.max(...worths))] as Action];
    }),
  );
}
