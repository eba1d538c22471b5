import { z } from 'zod';
import { isSolved, type TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Arm, Arms } from './arms.ts';

/** Options of the gate, which decides which categories may be drawn. */
export const gateFields = {
  admitAt: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe(
      'success on a level at which the next harder level of the same env is admitted, for good; 0 admits all levels from the start. Levels are categories that end in a number, such as level-2',
    ),
  memory: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .default(50)
    .describe('approximate number of episodes over which the success of a category is averaged'),
};

type GateOptions = z.output<z.ZodObject<typeof gateFields>>;

const share = z.number().min(0).max(1);

/** The state of a gate. Pairs, because a category may be called `__proto__`. */
export const gateState = {
  success: z.array(z.tuple([z.string(), share])),
  admitted: z.array(z.string()),
};

export type GateState = z.output<z.ZodObject<typeof gateState>>;

/**
 * Admits harder levels by success. The levels of an env are its categories that end in a number, in the order of the numbers. The easiest
 * level is always admitted. The next one is admitted once the running success on the level before it reaches `admitAt`, and stays so.
 * Categories without a number are always admitted.
 */
export class Gate {
  readonly initial: GateState = { success: [], admitted: [] };
  readonly #arms: Arms;
  readonly #options: GateOptions;
  /** The level that must be solved before a level is admitted. */
  readonly #before: ReadonlyMap<string, string>;

  constructor(arms: Arms, options: GateOptions) {
    this.#arms = arms;
    this.#options = options;
    this.#before = levelsBefore(arms.all.map(({ name }) => name));
  }

  /** The arms that may be drawn, in the order of the panel. */
  open({ admitted }: GateState): readonly Arm[] {
    if (this.#options.admitAt === 0) return this.#arms.all;
    const known = new Set(admitted);
    return this.#arms.all.filter(({ name }) => !this.#before.has(name) || known.has(name));
  }

  /** The state after these groups. Faulted episodes are ignored. The success of a category starts at 0. */
  after(state: GateState, groups: readonly TrajectoryGroup[]): GateState {
    const { admitAt, memory } = this.#options;
    const success = new Map(state.success);
    for (const [name, of] of this.#arms.grouped(groups))
      for (const member of of.flatMap(({ members }) => members)) {
        if (member.stop.kind === 'faulted') continue;
        const known = success.get(name) ?? 0;
        success.set(name, known + ((isSolved(member) ? 1 : 0) - known) / memory);
      }
    const admitted = new Set(state.admitted);
    for (const [level, before] of this.#before)
      if ((success.get(before) ?? 0) >= admitAt) admitted.add(level);
    return { success: [...success], admitted: [...admitted] };
  }
}

/** Each level but the easiest of its env, with the level before it. */
function levelsBefore(names: readonly string[]): ReadonlyMap<string, string> {
  const ladders = new Map<string, { readonly name: string; readonly level: number }[]>();
  for (const name of names) {
    const level = levelOf(name);
    if (level === undefined) continue;
    const rungs = ladders.get(level.of) ?? [];
    rungs.push({ name, level: level.number });
    ladders.set(level.of, rungs);
  }
  const before = new Map<string, string>();
  for (const rungs of ladders.values()) {
    const sorted = rungs.toSorted((one, other) => one.level - other.level);
    for (const [at, { name }] of sorted.entries()) {
      const easier = sorted[at - 1];
      if (easier !== undefined) before.set(name, easier.name);
    }
  }
  return before;
}

/** The level of a category that ends in a number, and what it is a level of. */
export function levelOf(name: string): { readonly of: string; readonly number: number } | undefined {
  const [, of, digits] = /^(.*?)(\d{1,9})$/.exec(name) ?? [];
  return of === undefined || digits === undefined ? undefined : { of, number: Number(digits) };
}
