import type { Trajectory, TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Context } from '../../envs/core/context.ts';
import { RunError } from '../../envs/core/errors.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Evidence } from '../credit/estimator.ts';
import type { CreditedBatch } from './evidence-source.ts';
import type { OpenedEvidence } from './open-evidence.ts';

/**
 * The groups with the evidence of every source stored on their trajectories. Without sources the same groups.
 */
export async function gatherEvidence(
  sources: readonly OpenedEvidence[],
  groups: readonly TrajectoryGroup[],
  context: Context,
): Promise<readonly TrajectoryGroup[]> {
  const gathered: Evidence[] = [];
  for (const { name, gives, source } of sources) {
    context.signal.throwIfAborted();
    const evidence = await source.gather(groups, context);
    for (const each of gives) assertWhole(name, each, evidence, groups);
    gathered.push(Object.fromEntries(gives.map((each) => [each, evidence[each] ?? []])));
  }
  if (gathered.length === 0) return groups;
  const all: Evidence = Object.fromEntries(gathered.flatMap((each) => Object.entries(each)));
  return groups.map((group, place) => ({
    ...group,
    members: group.members.map((trajectory, member) => withEvidence(trajectory, all, place, member)),
  }));
}

function withEvidence(trajectory: Trajectory, all: Evidence, place: number, member: number): Trajectory {
  const own: Readonly<Record<string, Float64Array>> = Object.fromEntries(
    Object.entries(all).map(([name, numbers]) => [name, Float64Array.from(numbers[place]?.[member] ?? [])]),
  );
  return { ...trajectory, evidence: { ...trajectory.evidence, ...own } };
}

function assertWhole(
  source: string,
  name: string,
  evidence: Evidence,
  groups: readonly TrajectoryGroup[],
): void {
  const given = evidence[name];
  const isWhole =
    given?.length === groups.length &&
    groups.every(({ members }, place) => given[place]?.length === members.length);
  if (isWhole) return;
  throw new RunError({
    where: `evidence source "${source}", ${name}`,
    what: 'it did not return an array for each trajectory of each group.',
    fix: 'Return evidence[name][group][member], an empty array for a trajectory that faulted.',
  });
}

/** Trains the learners of all sources, one after the other. Returns their metrics. */
export async function trainLearners(
  sources: readonly OpenedEvidence[],
  batch: CreditedBatch,
  context: Context,
): Promise<Readonly<Record<string, number>>> {
  let figures: Readonly<Record<string, number>> = {};
  for (const { source } of sources)
    if (source.learner !== undefined)
      figures = { ...figures, ...(await source.learner.learn(batch, context)) };
  return figures;
}

/** The folder of a checkpoint for learners, with a subfolder for each source. */
const learnersFolder = 'learners';

/** Approximate bytes that {@link saveLearners} writes. */
export const learnerBytes = (sources: readonly OpenedEvidence[]): number =>
  sources.reduce((sum, { source }) => sum + (source.learner?.bytes ?? 0), 0);

/** Saves all learners into the folder of a checkpoint. */
export async function saveLearners(sources: readonly OpenedEvidence[], checkpoint: string): Promise<void> {
  for (const { name, source } of sources) {
    if (source.learner === undefined) continue;
    const folder = join(checkpoint, learnersFolder, name);
    await mkdir(folder, { recursive: true });
    await source.learner.save(folder);
  }
}

/** Restores all learners from a checkpoint that {@link saveLearners} wrote. */
export async function loadLearners(sources: readonly OpenedEvidence[], checkpoint: string): Promise<void> {
  for (const { name, source } of sources) await source.learner?.load(join(checkpoint, learnersFolder, name));
}
