import { canonicalJson, type Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import { shortDigest } from '../kit/short-digest.ts';
import { candidateQueries } from './candidate-queries.ts';
import type { Goal } from './goals/goal.ts';
import { searchFor } from './command.ts';

/** One problem, with what is worked out of it once. */
export interface ShopTask {
  readonly ref: TaskRef;
  readonly goal: Goal;
  /** Name of the session in addresses: the number of the goal among all of the shop. */
  readonly name: string;
  /** The searches that are listed on the start page: a function of the instruction alone. */
  readonly searches: readonly string[];
  /** What every anchor key of the task begins with. */
  readonly anchorPrefix: string;
  /** What every state key of the task begins with: it tells goals apart and names nothing of them. */
  readonly statePrefix: string;
}

/** The task of a goal; the same for equal goals. */
export function taskOf(ref: TaskRef, name: string, goal: Goal): ShopTask {
  const place = `${ref.panel}/${ref.index}`;
  const digest = shortDigest(canonicalJson(goalContent(goal)), 12);
  return {
    ref: { panel: ref.panel, index: ref.index },
    goal,
    name,
    searches: candidateQueries(goal.instruction).map(searchFor),
    anchorPrefix: `${place}|`,
    statePrefix: `${place}#${digest}|`,
  };
}

/** A goal as JSON, every part of it. */
export function goalContent(goal: Goal): Json {
  const { asin, instruction, attributes, priceUpper, name, query, category, productCategory, weight } = goal;
  const options = goal.options.map((option) =>
    option.name === undefined ? { value: option.value } : { name: option.name, value: option.value },
  );
  return {
    asin,
    instruction,
    attributes,
    options,
    priceUpper,
    name,
    query,
    category,
    productCategory,
    weight,
  };
}
