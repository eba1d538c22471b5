import { canonicalJson, type Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import { shortDigest } from '../kit/short-digest.ts';
import { candidateQueries } from './candidate-queries.ts';
import type { Goal } from './goals/goal.ts';
import { searchFor } from './command.ts';

/** One problem, with the data derived from it. */
export interface ShopTask {
  readonly ref: TaskRef;
  readonly goal: Goal;
  /** The name of the session in addresses: the number of the goal among all goals of the shop. */
  readonly name: string;
  /** The searches that are listed on the start page: a function of the instruction alone. */
  readonly searches: readonly string[];
  /** The start of every anchor key of the task. */
  readonly anchorPrefix: string;
  /** The start of every state key of the task. It distinguishes goals and reveals nothing of them. */
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

/** A complete goal as JSON. */
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
