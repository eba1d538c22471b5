import { canonicalJson } from '../../../core/json.ts';
import type { ToolCall } from '../action.ts';
import { bestAssignment } from './assignment.ts';

/** The range of {@link gradedMatch}. */
export const matchRange = { least: -3, most: 3 } as const;

/**
 * ToolRL's correctness reward, from -3 to 3: `6 (names + parameters + values) / (1 + |G| + Σ|keys|) - 3`.
 *
 * - names: the overlap (intersection over union) of the sets of tool names
 * - parameters: for each pair of calls of one tool, the overlap of the names of their arguments
 * - values: for each pair, how many arguments have equal values
 *
 * Calls are paired so that the sum is greatest. The order of calls does not count. With no gold call,
 * the best is to call nothing.
 *
 * Source: ToolRL: Reward is All Tool Learning Needs (2025), section on reward design. There it grades one
 * turn; here it grades the calls of an episode.
 */
export function gradedMatch(gold: readonly ToolCall[], called: readonly ToolCall[]): number {
  const names = overlap(new Set(gold.map(({ name }) => name)), new Set(called.map(({ name }) => name)));
  const pairs = bestAssignment(gold.map((wanted) => called.map((made) => likeness(wanted, made))));
  const most = 1 + gold.reduce((sum, { arguments: given }) => sum + 1 + Object.keys(given).length, 0);
  return (matchRange.most - matchRange.least) * ((names + pairs) / most) + matchRange.least;
}

function likeness(wanted: ToolCall, made: ToolCall): number {
  if (wanted.name !== made.name) return 0;
  const keys = Object.keys(wanted.arguments);
  const equal = keys.filter((key) => {
    const [one, other] = [wanted.arguments[key], made.arguments[key]];
    return one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other);
  });
  return overlap(new Set(keys), new Set(Object.keys(made.arguments))) + equal.length;
}

/** Intersection over union; 1 for two empty sets. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((item) => other.has(item)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 1 : shared / all;
}
