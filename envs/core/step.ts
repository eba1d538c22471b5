/** What a step earned: the sum that training sees and the named terms that say why. */
export interface Reward {
  readonly total: number;
  readonly terms: Readonly<Record<string, number>>;
}

/** The term under which the rollout books its penalty for malformed and inadmissible replies; no env may have one of this name. */
export const invalidActionTerm = 'invalid-action';

/** Reward of a step that earned nothing, of the single term `name`. */
export function reward(terms: Readonly<Record<string, number>>): Reward {
  let total = 0;
  for (const name in terms) total += terms[name] as number;
  return { total, terms };
}

/** Whether the terms sum to the total, as far as the order of adding can tell. */
export function termsSumUp({ total, terms }: Reward): boolean {
  let sum = 0;
  for (const name in terms) sum += terms[name] as number;
  return Math.abs(sum - total) <= 1e-9 * Math.max(1, Math.abs(sum));
}

/** Something to decide: what the acting seat sees, and what it may do. */
export interface Turn<Obs, Act> {
  readonly observation: Obs;
  /**
   * Equal keys mean equal *worlds*: whatever is done next, under equal luck, gives equal results. It holds no step count
   * and no luck. For `checkEnv`, caches and graphs; a policy never sees it.
   */
  readonly stateKey: string | undefined;
  /**
   * Equal keys mean equal *decisions*: a function only of the task and of what the env has shown in this episode, keeping
   * what can change the best action. Equal keys have equal admissible actions. Step-level credit groups by it.
   */
  readonly anchorKey: string | undefined;
  /**
   * The actions that would do something here, in an order that depends on nothing hidden; undefined where there is no such list. Where
   * there are more than can be listed, such as free searches, it has those that one who chooses should have; others are taken as well,
   * and only `inadmissible` says whether an action could be done. It is never empty in an episode that goes on; on the step at which the
   * definition's turn limit ends one, it may be.
   */
  readonly admissible: readonly Act[] | undefined;
  /** Steps until a limit of the task ends the episode; critics see it, keys do not. */
  readonly stepsLeft: number | undefined;
  /** Who decides here; 0 where there is one seat. */
  readonly seat: number;
}

/** The first turn of an episode, with the task in words. */
export interface Opening<Obs, Act> extends Turn<Obs, Act> {
  readonly instruction: string;
}

interface Outcome<Obs> {
  readonly observation: Obs;
  /** Of the seat that acted. */
  readonly reward: Reward;
  /** Of other seats that this step rewarded; absent where there is one seat. */
  readonly otherRewards?: Readonly<Record<number, Reward>>;
  /** True when the action was not admissible: the model's error, data like any other. */
  readonly inadmissible: boolean;
  /** For people; never read by training. Results have the sum over an episode's steps, so that a count and a figure of the last step both come out. */
  readonly metrics?: Readonly<Record<string, number>>;
}

/** The episode goes on. */
export interface Ongoing<Obs, Act> extends Outcome<Obs>, Turn<Obs, Act> {
  readonly kind: 'ongoing';
}

/** The episode is over and the value after it is 0. A limit that belongs to the task ends it so, failed. */
export interface Terminated<Obs> extends Outcome<Obs> {
  readonly kind: 'terminated';
  readonly outcome: 'solved' | 'failed';
  /** Which limit of the task ended it, where one did, such as `turn-limit`. */
  readonly limit?: string;
  readonly stateKey: string | undefined;
}

/** A limit foreign to the task cut the episode off: a critic bootstraps from `observation`. */
export interface Truncated<Obs> extends Outcome<Obs> {
  readonly kind: 'truncated';
  readonly limit: string;
  readonly stateKey: string | undefined;
}

/** A turn in which somebody acts: the first, or one that a step led to. */
export type ActingTurn<Obs, Act> = Opening<Obs, Act> | Ongoing<Obs, Act>;

/** What an agent gets of a turn: nothing that is for checks or for people, and nothing that the contract does not know. */
export function shownTurn<Obs, Act>(turn: ActingTurn<Obs, Act>): ActingTurn<Obs, Act> {
  const { observation, anchorKey, admissible, stepsLeft, seat } = turn;
  const shown = { observation, stateKey: undefined, anchorKey, admissible, stepsLeft, seat };
  if ('instruction' in turn) return { ...shown, instruction: turn.instruction };
  const { kind, reward, otherRewards, inadmissible } = turn;
  return { ...shown, kind, reward, inadmissible, ...(otherRewards === undefined ? {} : { otherRewards }) };
}

export type StepResult<Obs, Act> = Ongoing<Obs, Act> | Terminated<Obs> | Truncated<Obs>;
