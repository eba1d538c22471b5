import { termsSumUp } from './step.ts';

/*
 * Validation of the shape of what an env returns. Each function returns what is wrong in words, or undefined. It looks at one value alone,
 * so that every step of every episode can afford it. `checkEnv` checks schemas, words and laws.
 */

/** What is wrong with the result of `reset`. */
export function flawOfOpening(value: unknown): string | undefined {
  if (!isRecord(value)) return `it returned ${nameOf(value)}, but an opening must be an object`;
  if (typeof value['instruction'] !== 'string')
    return `its instruction must be a string, not ${nameOf(value['instruction'])}`;
  return flawOfTurn(value);
}

/** What is wrong with the result of `step`. */
export function flawOfResult(value: unknown): string | undefined {
  if (!isRecord(value)) return `it returned ${nameOf(value)}, but a step result must be an object`;
  switch (value['kind']) {
    case 'ongoing':
      return flawOfOutcome(value) ?? flawOfTurn(value);
    case 'terminated':
      return flawOfOutcome(value) ?? flawOfKeys(value) ?? flawOfEnd(value);
    case 'truncated':
      return flawOfOutcome(value) ?? flawOfKeys(value) ?? flawOfLimit(value);
    default:
      return `its kind must be "ongoing", "terminated" or "truncated", not ${nameOf(value['kind'])}`;
  }
}

/** What is wrong with a turn, such as the result of `restore`. */
export function flawOfTurn(value: unknown): string | undefined {
  if (!isRecord(value)) return `it returned ${nameOf(value)}, but a turn must be an object`;
  const { admissible, stepsLeft, seat } = value;
  if (admissible !== undefined && !Array.isArray(admissible))
    return `its admissible actions must be an array, not ${nameOf(admissible)}`;
  if (admissible?.includes(undefined) === true) return 'one of its admissible actions is undefined';
  if (stepsLeft !== undefined && !Number.isFinite(stepsLeft))
    return `its stepsLeft must be a finite number, not ${nameOf(stepsLeft)}`;
  if (!isWhole(seat) || seat < 0) return `its seat must be an integer of at least 0, not ${nameOf(seat)}`;
  return flawOfObservation(value) ?? flawOfKeys(value);
}

/**
 * What is wrong with a turn without admissible actions. It is checked after the limits of the task: on the step that ends an episode, an
 * env that does not count steps may return an empty list.
 */
export function flawOfDeadEnd({
  admissible,
}: {
  readonly admissible?: readonly unknown[] | undefined;
}): string | undefined {
  return admissible?.length === 0
    ? 'its list of admissible actions is empty, but the episode goes on'
    : undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/** True for any object, also for an array. */
export const isRecord = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

function flawOfOutcome(value: Claims): string | undefined {
  const { inadmissible, otherRewards, metrics, feedback } = value;
  if (typeof inadmissible !== 'boolean')
    return `its inadmissible must be true or false, not ${nameOf(inadmissible)}`;
  const flaw = flawOfObservation(value) ?? flawOfReward(value['reward'], 'reward');
  if (flaw !== undefined) return flaw;
  if (feedback !== undefined && typeof feedback !== 'string')
    return `its feedback must be a string, not ${nameOf(feedback)}`;
  return otherRewards === undefined && metrics === undefined
    ? undefined
    : flawOfExtras(otherRewards, metrics);
}

function flawOfExtras(otherRewards: unknown, metrics: unknown): string | undefined {
  if (otherRewards !== undefined) {
    if (!isRecord(otherRewards))
      return `its otherRewards must be an object of rewards by seat, not ${nameOf(otherRewards)}`;
    for (const seat in otherRewards) {
      const flaw = flawOfReward(otherRewards[seat], `otherRewards[${seat}]`);
      if (flaw !== undefined) return flaw;
    }
  }
  if (metrics === undefined) return undefined;
  return isRecord(metrics)
    ? flawOfNumbers(metrics, 'metrics')
    : `its metrics must be an object of numbers, not ${nameOf(metrics)}`;
}

function flawOfObservation({ observation }: Claims): string | undefined {
  if (observation === undefined) return 'it has no observation';
  return isPromise(observation) ? 'its observation is a promise that was never awaited' : undefined;
}

function flawOfReward(reward: unknown, name: string): string | undefined {
  if (!isRecord(reward)) return `its ${name} must be an object with total and terms, not ${nameOf(reward)}`;
  const { total, terms } = reward;
  if (!isNumber(total)) {
    // the term that makes the total invalid
    const term = isRecord(terms) ? flawOfNumbers(terms, `${name}.terms`) : undefined;
    if (term !== undefined) return term;
    return isPromise(reward)
      ? `its ${name} must be an object with total and terms, not a promise`
      : `its ${name}.total must be a finite number, not ${nameOf(total)}`;
  }
  if (!isRecord(terms)) return `its ${name}.terms must be an object of numbers, not ${nameOf(terms)}`;
  if (!areNumbers(terms)) return flawOfNumbers(terms, `${name}.terms`);
  return termsSumUp({ total, terms })
    ? undefined
    : `its ${name}.total is ${total}, but its terms sum to another number`;
}

function areNumbers(values: Claims): values is Readonly<Record<string, number>> {
  for (const key in values) if (!isNumber(values[key])) return false;
  return true;
}

function flawOfNumbers(values: Claims, name: string): string | undefined {
  const wrong = Object.keys(values).find((key) => !isNumber(values[key]));
  return wrong === undefined
    ? undefined
    : `its ${name}.${wrong} must be a finite number, not ${nameOf(values[wrong])}`;
}

const flawOfKeys = (value: Claims): string | undefined =>
  flawOfKey(value, 'stateKey') ?? flawOfKey(value, 'anchorKey');

function flawOfKey(value: Claims, name: 'stateKey' | 'anchorKey'): string | undefined {
  const key = value[name];
  return key === undefined || typeof key === 'string'
    ? undefined
    : `its ${name} must be a string, not ${nameOf(key)}`;
}

function flawOfEnd(value: Claims): string | undefined {
  const { outcome } = value;
  if (outcome !== 'solved' && outcome !== 'failed')
    return `its outcome must be "solved" or "failed", not ${nameOf(outcome)}`;
  return value['limit'] === undefined ? undefined : flawOfLimit(value);
}

function flawOfLimit({ limit }: Claims): string | undefined {
  return typeof limit === 'string' ? undefined : `its limit must be a string, not ${nameOf(limit)}`;
}

/** True for an integer. */
export const isWhole = (value: unknown): value is number => Number.isInteger(value);

const isNumber = (value: unknown): value is number => Number.isFinite(value);

const isPromise = (value: unknown): boolean => isRecord(value) && typeof value['then'] === 'function';

const longestQuote = 40;

/** Describes a value for people: a short value itself, a long one by its kind. */
export function nameOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length <= longestQuote ? JSON.stringify(value) : `a text of ${value.length} characters`;
    case 'function':
      return 'a function';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `an array of ${value.length}`;
      return isPromise(value) ? 'a promise' : 'an object';
    default:
      return String(value);
  }
}
