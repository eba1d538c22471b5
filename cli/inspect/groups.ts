import { readStoredGroup, readUnlessDamaged } from '../../agents/rollout/store/skim-store.ts';
import { returnOf, scoreOf, type Stop, type TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { ValidatedEstimator } from '../../trainers/credit/validation/validated-estimator.ts';
import { plural } from '../../trainers/results/number-words.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { BatchCredit } from '../../trainers/credit/estimator.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { iterationOf } from '../../trainers/loop/iterations/iteration-label.ts';
import { renderTrajectory } from '../../lab/report/render-trajectory.ts';
import type { Outcome } from '../command.ts';
import { layOut } from '../terminal/table.ts';
import { creditOf, creditRows } from '../../lab/inspect/credit.ts';
import { damageNotes, describeDamage } from '../../lab/inspect/describe-damage.ts';
import type { Selection } from '../../lab/inspect/select-groups.ts';
import type { EpisodeSource } from '../../lab/inspect/stored-episodes.ts';

/** One whose document can have notes beside it. */
type ObjectOutcome = Outcome & { readonly document: object };

/**
 * Every group on a line, but for those that cannot be read, which `say` hears of.
 * @throws UsageError where all are damaged
 */
export async function listGroups(
  { name, groups: stored, damage: hidden }: Selection,
  { say, signal }: Pick<EpisodeSource, 'say' | 'signal'>,
): Promise<Outcome> {
  const damage = [...hidden];
  const groups = [];
  for (const [index, entry] of stored.entries()) {
    signal.throwIfAborted();
    const group = await readUnlessDamaged(entry);
    if (UsageError.is(group)) {
      damage.push({ ...entry, error: group });
      continue;
    }
    const { task, members } = group;
    groups.push({
      group: index,
      iteration: iterationOf(entry.label),
      task: `${task.panel}/${task.index}`,
      family: members[0]?.family ?? '',
      outcomes: members.map(({ stop }) => stopWord(stop)),
      steps: members.reduce((sum, member) => sum + member.steps.length, 0),
    });
  }
  const [first] = damage;
  if (first !== undefined && groups.length === 0) throw first.error;
  const solved = (outcomes: readonly string[]): number =>
    outcomes.filter((outcome) => outcome === 'solved').length;
  const all = groups.flatMap(({ outcomes }) => outcomes);
  const lines = [
    `${name}: ${groups.length} ${plural(groups.length, 'group')}, ${solved(all)} of ${all.length} ${plural(all.length, 'episode')} solved`,
    ...layOut(
      groups.map(({ group, task, family, outcomes, steps }) => [
        `group ${group}`,
        task,
        family,
        `${solved(outcomes)} of ${outcomes.length} solved`,
        `${steps} ${plural(steps, 'step')}`,
      ]),
      { right: [4], indent: 2 },
    ),
  ];
  for (const line of describeDamage(damage)) say(line);
  return { document: { groups, ...damageNotes(damage) }, lines };
}

/** The group of that number, read whole. */
export async function readGroup(
  { name, groups, damage }: Selection,
  number: number,
): Promise<TrajectoryGroup> {
  const entry = groups[number];
  if (entry !== undefined) return readStoredGroup(entry);
  throw new UsageError({
    where: `group ${number} of ${name}`,
    what: `there are ${groups.length} groups${damage.length === 0 ? '' : ' that can be read'}.`,
    mend: [...describeDamage(damage), 'Count from 0.'].join(' '),
  });
}

/** Every episode of a group on a line, with what its credit comes to where the estimator is known. */
export function describeGroup(
  group: TrajectoryGroup,
  estimator: ValidatedEstimator | undefined,
): ObjectOutcome {
  const credit = estimator?.assign([group]);
  const episodes = group.members.map((member, index) => {
    const worth = worthOf(credit, index);
    return {
      member: index,
      path: member.path,
      agent: member.agent,
      outcome: stopWord(member.stop),
      score: scoreOf(member),
      return: returnOf(member),
      steps: member.steps.length,
      ...worth,
    };
  });
  const short = (value: number): string => String(Number(value.toFixed(3)));
  const lines = [
    `${group.task.panel}/${group.task.index}: ${group.members[0]?.instruction ?? ''}`,
    ...layOut(
      episodes.map(
        ({ member, outcome, score, return: earned, steps, episodeAdvantage, meanAdvantage, agent, path }) => [
          `member ${member}`,
          outcome,
          `score ${short(score)}, return ${short(earned)}`,
          `${steps} ${plural(steps, 'step')}`,
          ...(episodeAdvantage === undefined ? [] : [`episode advantage ${signed(episodeAdvantage)}`]),
          ...(meanAdvantage === undefined ? [] : [`mean advantage ${signed(meanAdvantage)}`]),
          agent,
          path,
        ],
      ),
      { right: [3], indent: 2 },
    ),
  ];
  return { document: { task: group.task, episodes }, lines };
}

/** One episode, step by step, in the env's words where the env is known. */
export function describeEpisode(
  group: TrajectoryGroup,
  options: {
    readonly member: number;
    readonly estimator: ValidatedEstimator | undefined;
    readonly registry: Registry<readonly AnyEnvDefinition[]>;
  },
): ObjectOutcome {
  const trajectory = group.members[options.member];
  if (trajectory === undefined) {
    throw new UsageError({
      where: `member ${options.member}`,
      what: `the group has ${group.members.length}.`,
      mend: 'Count from 0.',
    });
  }
  const view =
    options.estimator === undefined ? undefined : creditOf(group, options.member, options.estimator);
  const definition = options.registry.definitions.find(({ id }) => id === trajectory.env.id);
  const text = renderTrajectory(trajectory, view, definition === undefined ? {} : { words: definition.text });
  return {
    document: { trajectory, credit: view === undefined ? undefined : creditRows(view) },
    lines: [text],
  };
}

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;

/** The episode part of a member's credit or, where the estimator gives no parts, its mean advantage; nothing for a faulted episode. */
function worthOf(
  credit: BatchCredit | undefined,
  member: number,
): { readonly episodeAdvantage?: number; readonly meanAdvantage?: number } {
  const { advantage = new Float64Array(0), episode = [] } = credit?.groups[0]?.[member] ?? {};
  const [first] = episode;
  if (credit === undefined || first === undefined) return {};
  if (credit.hasParts) return { episodeAdvantage: first };
  return { meanAdvantage: advantage.reduce((sum, value) => sum + value, 0) / advantage.length };
}

function stopWord(stop: Stop): string {
  if (stop.kind === 'terminated')
    return stop.limit === undefined ? stop.outcome : `${stop.outcome} (${stop.limit})`;
  return stop.kind === 'truncated' ? `truncated (${stop.limit})` : `faulted (${stop.fault.kind})`;
}
