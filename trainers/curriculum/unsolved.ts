import { z } from 'zod';
import { isSolved, type Trajectory } from '../../agents/rollout/trajectory.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import { defineCurriculum } from './curriculum.ts';
import { tasksByFamily } from './task-families.ts';

const share = z.number().min(0).max(1);

/** Draws tasks by how much of their family is unsolved. */
export const unsolved = defineCurriculum({
  kind: 'unsolved',
  summary: 'tasks of families with less success are drawn more often',
  options: z.strictObject({
    floor: z
      .number()
      .min(0.001)
      .max(1000)
      .default(0.15)
      .describe('added to the unsolved share of each family, so that solved families are still drawn'),
    memory: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .default(50)
      .describe('approximate number of episodes over which the success of a family is averaged'),
  }),
  // pairs: a family may be called `__proto__`
  state: z.strictObject({ success: z.array(z.tuple([z.string(), share])) }),
  create: ({ floor, memory }, { panel, groups: count, rng }) => {
    const families = tasksByFamily(panel);
    return {
      initial: { success: [] },
      next: (iteration, { success }) =>
        drawUnsolved(families, new Map(success), { count, floor, rng: rng.fork(iteration) }),
      learn: ({ success }, groups) => ({
        success: [
          ...successAfter(
            new Map(success),
            groups.flatMap(({ members }) => members),
            memory,
          ),
        ],
      }),
      figures: (groups) => successFigures(groups.flatMap(({ members }) => members)),
    };
  },
});

/**
 * Estimated share of solved episodes of each family, for drawing tasks. It is a running mean that starts at
 * {@link unknownSuccess}, and newer episodes count more. Families not yet played are missing.
 */
export type FamilySuccess = ReadonlyMap<string, number>;

/** The assumed success of a family before its first episode. */
export const unknownSuccess = 0.5;

/**
 * Updates a running mean over about `memory` episodes of each family with `episodes`, in order. Faulted
 * episodes are ignored.
 * @param memory in episodes, at least 1
 */
export function successAfter(
  before: FamilySuccess,
  episodes: readonly Trajectory[],
  memory: number,
): FamilySuccess {
  const after = new Map(before);
  for (const episode of episodes) {
    if (episode.stop.kind === 'faulted') continue;
    const known = after.get(episode.family) ?? unknownSuccess;
    after.set(episode.family, known + ((isSolved(episode) ? 1 : 0) - known) / memory);
  }
  return after;
}

/** Prefix of the metrics for the solved share of a family's episodes. */
export const familySuccessFigure = 'tasks/success/';

/** With more families, metrics would consist of little else. */
const mostInFigures = 24;

/**
 * The solved share of these episodes by family, as metrics of an iteration; none if there are too many
 * families to read.
 */
export function successFigures(episodes: readonly Trajectory[]): Readonly<Record<string, number>> {
  const played = new Map<string, { episodes: number; solved: number }>();
  for (const episode of episodes) {
    if (episode.stop.kind === 'faulted') continue;
    const of = played.get(episode.family) ?? { episodes: 0, solved: 0 };
    played.set(episode.family, {
      episodes: of.episodes + 1,
      solved: of.solved + (isSolved(episode) ? 1 : 0),
    });
  }
  if (played.size > mostInFigures) return {};
  return Object.fromEntries(
    [...played].map(([family, of]) => [`${familySuccessFigure}${family}`, of.solved / of.episodes]),
  );
}

/**
 * Draws `count` different tasks, or all if there are fewer. Families are drawn by their unsolved share, and
 * tasks at random within a family. The weight of a family is (`floor` + 1 - its success) times the square
 * root of its size. Groups in which all members succeed teach nothing, so solved families are played less,
 * but always. Large families are played more than small ones, but less than in proportion.
 * @param floor above 0: the weight that an always solved family keeps
 */
export function drawUnsolved(
  families: ReadonlyMap<string, readonly TaskRef[]>,
  success: FamilySuccess,
  { count, floor, rng }: { readonly count: number; readonly floor: number; readonly rng: Rng },
): readonly TaskRef[] {
  const urns = [...families].map(([family, tasks]) => ({
    weight: (floor + 1 - (success.get(family) ?? unknownSuccess)) * Math.sqrt(tasks.length),
    tasks: rng.fork('order').fork(family).shuffle(tasks),
  }));
  const draws = rng.fork('families');
  const drawn: TaskRef[] = [];
  while (drawn.length < count) {
    const urn = drawUrn(
      urns.filter(({ tasks }) => tasks.length > 0),
      draws,
    );
    const task = urn?.tasks.pop();
    if (task === undefined) break;
    drawn.push(task);
  }
  return drawn;
}

function drawUrn<Urn extends { readonly weight: number }>(urns: readonly Urn[], rng: Rng): Urn | undefined {
  let left = rng.uniform() * urns.reduce((total, { weight }) => total + weight, 0);
  return urns.find(({ weight }, place) => (left -= weight) < 0 || place === urns.length - 1); // the last takes what rounding leaves
}
