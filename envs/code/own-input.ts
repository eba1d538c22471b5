import { messageOf } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { Refused } from './exercise.ts';
import { parseExactly } from './problems/exact-json.ts';

/**
 * The deepest nesting of lists and objects. It is far below the limits of the parsers in a sandbox, such as
 * Python's recursion limit.
 */
const mostLevels = 100;

/**
 * Parses an agent's input into arguments: a JSON list that can be passed in any language. Anything else is
 * the agent's error and no fault of the runner.
 */
export function argumentsIn(input: string): readonly Json[] | Refused {
  let value: Json;
  try {
    value = parseExactly(input);
  } catch (thrown) {
    return { refused: `it is not JSON (${messageOf(thrown)})` };
  }
  if (!isList(value)) return { refused: 'it is no JSON list' };
  return isWithin(value, mostLevels)
    ? value
    : { refused: `it is nested more than ${mostLevels} levels deep` };
}

/** The message for an agent whose input is invalid. */
export const describeRefused = ({ refused }: Refused): string =>
  `Nothing was run: the input is none: ${refused}. Give the arguments as a JSON list, such as [[1, 2], 3], or what the program is to read.`;

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/**
 * Whether lists and objects are nested at most so deeply. It is checked level by level, because recursion
 * would need the stack that this protects.
 */
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
