import type { Variables } from './assemble.ts';
import { f32, f32x4, get, i32, set, type Code, type Variable } from './instructions.ts';

/** Bytes of four float32. */
export const vectorBytes = 16;

export const advance = (variable: Variable, by: Code): Code => set(variable, i32.add(get(variable), by));
export const below = (variable: Variable, end: Variable): Code => i32.lessUnsigned(get(variable), get(end));
export const integers = (
  variables: Variables,
  kind: 'parameter' | 'local',
  count: number,
): readonly Variable[] => Array.from({ length: count }, () => variables[kind]('i32'));
export const vectors = (variables: Variables, count: number): readonly Variable[] =>
  Array.from({ length: count }, () => variables.local('v128'));

export function sumOfLanes(sum: Variable): Code {
  return f32.add(
    f32.add(f32x4.lane(get(sum), 0), f32x4.lane(get(sum), 1)),
    f32.add(f32x4.lane(get(sum), 2), f32x4.lane(get(sum), 3)),
  );
}
