import { z } from 'zod';
import { isSolved, type Trajectory } from '../../agents/rollout/trajectory.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import { defineCurriculum } from './curriculum.ts';
import { tasksByFamily } from './task-families.ts';

const share = z.number().min(0).max(1);

/** Tasks drawn by how much of their family is still unsolved. */
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
  state: z.strictObject({ success: z.array(z.tuple([z.string(), share])) }), // pairs: a family may be called `__proto__`
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
 * An estimate, for drawing tasks, of the share of each family's episodes that is solved: a running mean that begins at
 * {@link unknownSuccess}, newer episodes counting more. Families not yet played are not in it.
 */
export type FamilySuccess = ReadonlyMap<string, number>;

/** What a family is taken for before its first episode. */
export const unknownSuccess = 0.5;

/**
 * A running mean over about `memory` episodes of each family, moved by `episodes` in their order. Faulted ones tell nothing.
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

/** Figures of an iteration that hold the share of a family's episodes that was solved begin with it. */
export const familySuccessFigure = 'tasks/success/';

/** Families beyond which a line of metrics would be about little else. */
const mostInFigures = 24;

/** The share of these episodes that was solved, by family, as figures of an iteration; none where there are too many families to read. */
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
 * `count` different tasks (all, where there are fewer), each of a family drawn by what is not solved of it yet, and at random within
 * the family. The weight of a family is (`floor` + 1 - its success) times the root of its size: groups whose members all succeed
 * teach nothing, so what is mastered is played less, but never left out; and a large family is played more often than a small one,
 * but not as much as its size would have it.
 * @param floor above 0: the weight that is left to a family that is always solved
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
