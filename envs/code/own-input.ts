import { messageOf } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { Refused } from './exercise.ts';
import { parseExactly } from './problems/exact-json.ts';

/** Levels of lists and objects within each other: far fewer than what reads them in a sandbox can go down, Python's recursion limit for one. */
const mostLevels = 100;

/** The arguments that an agent's own input stands for: a JSON list that any language can be given. All else is the agent's error, and no fault of what runs programs. */
export function argumentsIn(input: string): readonly Json[] | Refused {
  let value: Json;
  try {
    value = parseExactly(input);
  } catch (thrown) {
    return { refused: `it is no JSON (${messageOf(thrown)})` };
  }
  if (!isList(value)) return { refused: 'it is no JSON list' };
  return isWithin(value, mostLevels)
    ? value
    : { refused: `it is nested more than ${mostLevels} levels deep` };
}

/** What an agent is told whose input is none. */
export const describeRefused = ({ refused }: Refused): string =>
  `Nothing was run: the input is none: ${refused}. Give the arguments as a JSON list, such as [[1, 2], 3], or what the program is to read.`;

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Whether lists and objects are within each other for so many levels at most; level by level, since to call itself for each would need the stack that this guards. */
function isWithin(value: Json, most: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= most) return false;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return true;
}

const isContainer = (value: Json): value is readonly Json[] | { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null;
