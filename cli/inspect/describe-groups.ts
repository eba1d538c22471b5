import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { isMixtureId } from '../../envs/core/mixture-name.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { creditOf, creditRows } from '../../lab/inspect/credit.ts';
import { damageNotes, describeDamage } from '../../lab/inspect/describe-damage.ts';
import { memberOf, summariseEpisodes, summariseGroups } from '../../lab/inspect/groups.ts';
import { pickEpisodes, type EpisodePick } from '../../lab/inspect/pick-episodes.ts';
import type { Selection } from '../../lab/inspect/select-groups.ts';
import type { EpisodeSource } from '../../lab/inspect/stored-episodes.ts';
import { renderTrajectory } from '../../lab/report/render-trajectory.ts';
import type { ValidatedEstimator } from '../../trainers/credit/validation/validated-estimator.ts';
import { plural } from '../../trainers/results/number-words.ts';
import type { Outcome } from '../command.ts';
import { layOut } from '../terminal/table.ts';

/** An outcome whose document can have notes. */
type ObjectOutcome = Outcome & { readonly document: object };

/** Every group on a line. `say` receives damage reports. */
export async function describeGroups(
  selection: Selection,
  { say, signal }: Pick<EpisodeSource, 'say' | 'signal'>,
): Promise<Outcome> {
  const { groups, damage } = await summariseGroups(selection, signal);
  const solved = (outcomes: readonly string[]): number =>
    outcomes.filter((outcome) => outcome === 'solved').length;
  const all = groups.flatMap(({ outcomes }) => outcomes);
  const lines = [
    `${selection.name}: ${groups.length} ${plural(groups.length, 'group')}, ${solved(all)} of ${all.length} ${plural(all.length, 'episode')} solved`,
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

/** Lines of picked episodes in text; the document has all. */
const linesOfPicked = 20;

/** Picked episodes, each on a line, and how to see the first. `say` receives damage reports. */
export async function describePicked(
  selection: Selection,
  pick: EpisodePick,
  {
    say,
    signal,
    command,
  }: Pick<EpisodeSource, 'say' | 'signal'> & {
    /** The command line that selects these groups, without a group. */
    readonly command: string;
  },
): Promise<Outcome> {
  const { episodes, of, damage } = await pickEpisodes(selection, pick, signal);
  const [first] = episodes;
  const kinds = [
    ...(pick.failed ? ['failed'] : []),
    plural(episodes.length, 'episode'),
    ...(pick.family === undefined ? [] : [`of family ${pick.family}`]),
  ].join(' ');
  const left = episodes.length - linesOfPicked;
  const lines = [
    `${selection.name}: ${episodes.length} ${kinds}, of ${of} stored${pick.worst && episodes.length > 1 ? ', the lowest return first' : ''}`,
    ...layOut(
      episodes
        .slice(0, linesOfPicked)
        .map(({ group, member, task, family, outcome, score, return: earned, steps }) => [
          `group ${group} member ${member}`,
          task,
          family,
          outcome,
          `score ${short(score)}, return ${short(earned)}`,
          `${steps} ${plural(steps, 'step')}`,
        ]),
      { right: [5], indent: 2 },
    ),
    ...(left > 0 ? [`  and ${left} more, which --json lists`] : []),
    ...(first === undefined
      ? []
      : ['', `to see the first: ${command} --group ${first.group} --member ${first.member}`]),
  ];
  for (const line of describeDamage(damage)) say(line);
  return { document: { episodes, of, ...damageNotes(damage) }, lines };
}

const short = (value: number): string => String(Number(value.toFixed(3)));

/** Every episode of a group on a line. */
export function describeGroup(
  group: TrajectoryGroup,
  estimator: ValidatedEstimator | undefined,
): ObjectOutcome {
  const episodes = summariseEpisodes(group, estimator);
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

/** One episode, step by step, in the env's text if the env is known. */
export function describeEpisode(
  group: TrajectoryGroup,
  options: {
    readonly member: number;
    readonly estimator: ValidatedEstimator | undefined;
    readonly registry: Registry<readonly AnyEnvDefinition[]>;
    /** Whether the terminal shows colours. */
    readonly colours: boolean;
  },
): ObjectOutcome {
  const trajectory = memberOf(group, options.member);
  const view =
    options.estimator === undefined ? undefined : creditOf(group, options.member, options.estimator);
  const definition = definitionOf(options.registry, trajectory.env.id);
  const text = renderTrajectory(trajectory, view, {
    colours: options.colours,
    ...(definition === undefined ? {} : { words: definition.text }),
  });
  return {
    document: { trajectory, credit: view === undefined ? undefined : creditRows(view) },
    lines: [text],
  };
}

/** Undefined where the registry has no env of this id, such as one of a module that is not loaded. */
function definitionOf(
  registry: Registry<readonly AnyEnvDefinition[]>,
  id: string,
): AnyEnvDefinition | undefined {
  if (!isMixtureId(id)) return registry.definitions.find((definition) => definition.id === id);
  try {
    return registry.find(id);
  } catch (thrown) {
    if (UsageError.is(thrown)) return undefined; // an env of the mixture is not loaded
    throw thrown;
  }
}

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
