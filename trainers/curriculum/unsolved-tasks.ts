import type { Rng } from '../../envs/core/rng.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import { unknownSuccess, type FamilySuccess } from './family-success.ts';

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
