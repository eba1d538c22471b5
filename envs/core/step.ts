/** What an env pays for a step: the total, and the named terms that it is the sum of. */
export interface Reward {
  readonly total: number;
  readonly terms: Readonly<Record<string, number>>;
}

/** The reward with these terms; its total is their sum. `reward({})` is a reward of 0. */
export function reward(terms: Readonly<Record<string, number>>): Reward {
  let total = 0;
  for (const name in terms) total += terms[name] as number;
  return { total, terms };
}

/** Whether the terms sum to the total, up to rounding. */
export function termsSumUp({ total, terms }: Reward): boolean {
  let sum = 0;
  for (const name in terms) sum += terms[name] as number;
  return Math.abs(sum - total) <= 1e-9 * Math.max(1, Math.abs(sum));
}

/** A decision point: what the acting seat sees and what it may do. */
export interface Turn<Obs, Act> {
  readonly observation: Obs;
  /**
   * Identifies the world. After equal keys, equal actions with equal random streams have equal results. It
   * contains no step count and no randomness. `checkEnv`, caches and graphs use it. A policy never sees it.
   */
  readonly stateKey: string | undefined;
  /**
   * Identifies the decision. It depends only on the task and on what the env has shown in this episode, and keeps what can change the
   * best action. Equal keys have equal admissible actions. Step-level credit groups steps by it.
   */
  readonly anchorKey: string | undefined;
  /**
   * The actions that do something here, in an order that depends on nothing hidden. Undefined where there is no such list. Where there
   * are too many, such as free searches, it lists those worth choosing from; the env accepts others too, and `inadmissible` says whether
   * an action could be done. The list is never empty in an episode that goes on. It may be empty on the step at which the definition's
   * turn limit ends the episode.
   */
  readonly admissible: readonly Act[] | undefined;
  /** Steps until a limit of the task ends the episode. Critics see it; keys do not contain it. */
  readonly stepsLeft: number | undefined;
  /** The seat that acts here; 0 in an env with one seat. */
  readonly seat: number;
}

/** The first turn of an episode, with the task in words. */
export interface Opening<Obs, Act> extends Turn<Obs, Act> {
  readonly instruction: string;
}

interface Outcome<Obs> {
  readonly observation: Obs;
  /** The reward of the seat that acted. */
  readonly reward: Reward;
  /** Rewards of other seats, by seat; absent in an env with one seat. */
  readonly otherRewards?: Readonly<Record<number, Reward>>;
  /** True when the action was not admissible. That is the model's error, and data like any other. */
  readonly inadmissible: boolean;
  /** Numbers for people; training never reads them. Results contain the sum over an episode's steps. */
  readonly metrics?: Readonly<Record<string, number>>;
  /**
   * What was wrong with this step, or with the attempt that it ended, in words of a grader that knows the task. It must not contain the
   * solution. Agents see it only where feedback is asked for (`retry.feedback=scripted`). The definition's `feedback` says what it is.
   */
  readonly feedback?: string;
}

/** The episode goes on. */
export interface Ongoing<Obs, Act> extends Outcome<Obs>, Turn<Obs, Act> {
  readonly kind: 'ongoing';
}

/** The episode is over, and the value after it is 0. A limit of the task ends an episode this way, as failed. */
export interface Terminated<Obs> extends Outcome<Obs> {
  readonly kind: 'terminated';
  readonly outcome: 'solved' | 'failed';
  /** The limit of the task that ended the episode, if any, such as `turn-limit`. */
  readonly limit?: string;
  readonly stateKey: string | undefined;
  /**
   * The anchor key of the last state, where the env gives one. Graphs of decisions use it as the end of the
   * episode.
   */
  readonly anchorKey?: string | undefined;
}

/** A limit outside of the task cut the episode off. A critic bootstraps from `observation`. */
export interface Truncated<Obs> extends Outcome<Obs> {
  readonly kind: 'truncated';
  readonly limit: string;
  readonly stateKey: string | undefined;
  /** The anchor key of the last state, where the env gives one. */
  readonly anchorKey?: string | undefined;
}

/** A turn in which a seat acts: the first one, or one that a step led to. */
export type ActingTurn<Obs, Act> = Opening<Obs, Act> | Ongoing<Obs, Act>;

/** The part of a turn that an agent may see: nothing for checks or for people, and nothing outside of the contract. */
export function shownTurn<Obs, Act>(turn: ActingTurn<Obs, Act>): ActingTurn<Obs, Act> {
  const { observation, anchorKey, admissible, stepsLeft, seat } = turn;
  const shown = { observation, stateKey: undefined, anchorKey, admissible, stepsLeft, seat };
  if ('instruction' in turn) return { ...shown, instruction: turn.instruction };
  const { kind, reward, otherRewards, inadmissible } = turn;
  return { ...shown, kind, reward, inadmissible, ...(otherRewards === undefined ? {} : { otherRewards }) };
}

export type StepResult<Obs, Act> = Ongoing<Obs, Act> | Terminated<Obs> | Truncated<Obs>;
