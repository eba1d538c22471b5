import { z } from 'zod';
import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TaskPanel, TaskRef } from '../../envs/core/task.ts';
import type { PluginDefinition } from '../../envs/core/plugin.ts';

/** What a curriculum chooses from. */
export interface CurriculumSetup {
  /** The panel to train on. */
  readonly panel: TaskPanel;
  /** Tasks of an iteration; at most the panel's size. */
  readonly groups: number;
  /**
   * The random stream for choosing tasks. Fork it by the iteration, so that a resumed run draws the same
   * tasks.
   */
  readonly rng: Rng;
}

/**
 * Chooses the tasks of each iteration. All methods are pure: memory belongs to the state, which checkpoints
 * store as JSON.
 */
export interface Curriculum<State> {
  /** The state before the first iteration. */
  readonly initial: State;
  /** The tasks of an iteration, counted from 0: at most `groups`, none twice. */
  next(iteration: number, state: State): readonly TaskRef[];
  /** The state after these groups were played. Omit it if there is no state. */
  learn?(state: State, groups: readonly TrajectoryGroup[]): State;
  /** Metrics of the iteration that played these groups. */
  figures?(groups: readonly TrajectoryGroup[]): Readonly<Record<string, number>>;
}

/** A curriculum without its options. */
export interface CurriculumDefinition<
  Kind extends string = string,
  Options extends z.ZodObject = z.ZodObject,
  State = unknown,
> extends PluginDefinition<Kind, Options> {
  /** Validates the state in a checkpoint. Its output must be plain JSON. */
  readonly state: z.ZodType<State>;
  create(options: z.output<Options>, setup: CurriculumSetup): Curriculum<State>;
}

/**
 * Defines a curriculum. Built-in ones stand in `trainers/curriculum/list.ts`; a file that exports one as `curriculum` is used by
 * `taskSampling: { kind: 'module', file }`.
 *
 * @example
 * ```ts
 * import { defineCurriculum } from 'cairn-gym/trainers';
 * import { z } from 'zod';
 *
 * // The panel in its own order, a window of tasks at a time, which moves on once half of its episodes are solved.
 * export const curriculum = defineCurriculum({
 *   kind: 'window',
 *   summary: 'moves on once half of the episodes are solved',
 *   options: z.strictObject({ step: z.int().min(1).default(4) }),
 *   state: z.strictObject({ from: z.int().min(0) }),
 *   create: ({ step }, { panel, groups }) => ({
 *     initial: { from: 0 },
 *     next: (_iteration, { from }) =>
 *       Array.from({ length: Math.min(groups, panel.tasks.length) }, (_, at) => panel.tasks[(from + at) % panel.tasks.length]),
 *     learn: ({ from }, played) => {
 *       const ends = played.flatMap(({ members }) => members.map(({ stop }) => stop.kind === 'terminated' && stop.outcome === 'solved'));
 *       return { from: ends.filter(Boolean).length * 2 >= ends.length ? from + step : from };
 *     },
 *   }),
 * });
 * ```
 */
export function defineCurriculum<const Kind extends string, Options extends z.ZodObject, State>(
  definition: CurriculumDefinition<Kind, Options, State>,
): CurriculumDefinition<Kind, Options, State> {
  return definition;
}

/** A curriculum as the training loop uses it: its state is opaque JSON, undefined before the first iteration. */
export interface OpenCurriculum {
  next(iteration: number, state: Json | undefined): readonly TaskRef[];
  learn(state: Json | undefined, groups: readonly TrajectoryGroup[]): Json | undefined;
  figures(groups: readonly TrajectoryGroup[]): Readonly<Record<string, number>>;
  /** Validates the state of a checkpoint. @throws UsageError if it does not belong to this curriculum */
  validate(state: Json | undefined): void;
}

/** Hides the type of a curriculum's state behind its schema. */
export function openState<State>(
  { kind, state: schema }: Pick<CurriculumDefinition<string, z.ZodObject, State>, 'kind' | 'state'>,
  curriculum: Curriculum<State>,
): OpenCurriculum {
  const read = (state: Json | undefined): State => {
    if (state === undefined) return curriculum.initial;
    const parsed = schema.safeParse(state);
    if (parsed.success) return parsed.data;
    throw new UsageError(
      {
        where: `state of curriculum "${kind}" in a checkpoint`,
        what: `${describeIssues(parsed.error)}.`,
        fix: 'The checkpoint was changed: restore it, or delete it to resume from an older one.',
      },
      { cause: parsed.error },
    );
  };
  return {
    next: (iteration, state) => curriculum.next(iteration, read(state)),
    learn: (state, groups) =>
      curriculum.learn === undefined ? state : asJson(kind, curriculum.learn(read(state), groups)),
    figures: (groups) => curriculum.figures?.(groups) ?? {},
    validate: (state) => void read(state),
  };
}

const jsonSchema: z.ZodType<Json> = z.json();

/** Refuses a state that JSON would change, because a resumed run would get another one. */
function asJson(kind: string, state: unknown): Json {
  const parsed = jsonSchema.safeParse(state);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: `curriculum "${kind}", learn`,
    what: 'the state that it returned is not plain JSON.',
    fix: 'Return only objects, arrays, strings, booleans and finite numbers.',
  });
}
