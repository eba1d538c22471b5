import type { IterationLine } from '../../run/metrics-schema.ts';
import { plural } from '../../results/number-words.ts';
import { describeSight } from '../../policy/policy-config.ts';
import type { TrainConfig } from '../../config/config.ts';

/**
 * Consecutive iterations without an advantage after which a warning is printed. Fewer can be chance if
 * rewards are rare.
 */
export const stallLength = 5;

/** Why iterations taught nothing. */
export type StallKind = 'all-failed' | 'all-solved' | 'single-survivors' | 'unpaid' | 'alike';

/** At least {@link stallLength} consecutive iterations in which no group had an advantage. */
export interface Stall {
  readonly kind: StallKind;
  readonly first: number;
  readonly last: number;
  /** Episodes without a fault, and those that faulted. */
  readonly episodes: number;
  readonly faulted: number;
}

/** The stalls of a run in order, from the metrics of its iterations. */
export function findStalls(lines: readonly IterationLine[]): readonly Stall[] {
  const stretches: IterationLine[][] = [];
  let open: IterationLine[] | undefined;
  for (const line of lines) {
    if (teaches(line)) open = undefined;
    else if (open === undefined) stretches.push((open = [line]));
    else open.push(line);
  }
  return stretches.flatMap((stretch) => (stretch.length < stallLength ? [] : [stallOf(stretch, lines)]));
}

/** Whether any group of an iteration has a step with an advantage. */
function teaches({ figures }: IterationLine): boolean {
  const count = (name: string): number => figures[`credit/${name}`] ?? 0;
  return (
    count('groups') >
    count('groups-zero-advantage') + count('groups-all-faulted') + count('groups-single-survivor')
  );
}

function stallOf(stretch: readonly IterationLine[], lines: readonly IterationLine[]): Stall {
  const [first, last] = [stretch[0] as IterationLine, stretch.at(-1) as IterationLine];
  const before = lines[lines.indexOf(first) - 1]?.episodes ?? 0;
  const faulted = stretch.reduce(
    (sum, { figures }) => sum + (figures['credit/trajectories-faulted'] ?? 0),
    0,
  );
  return {
    kind: kindOf(stretch),
    first: first.iteration,
    last: last.iteration,
    episodes: last.episodes - before - faulted,
    faulted,
  };
}

function kindOf(stretch: readonly IterationLine[]): StallKind {
  const all = (holds: (line: IterationLine) => boolean): boolean => stretch.every(holds);
  if (all(({ figures }) => (figures['credit/groups-zero-advantage'] ?? 0) === 0)) return 'single-survivors';
  if (all(({ success }) => success === 0)) return 'all-failed';
  if (all(({ success }) => success === 1)) return 'all-solved';
  return stretch.some(({ figures }) => (figures['rollout/solved-unpaid'] ?? 0) > 0) ? 'unpaid' : 'alike';
}

const seen: Readonly<Record<StallKind, (episodes: string) => string>> = {
  'all-failed': (episodes) => `all ${episodes} failed, so no episode of a group is better than another`,
  'all-solved': (episodes) => `all ${episodes} were solved, so no episode of a group is better than another`,
  'single-survivors': (episodes) =>
    `of ${episodes} at most one in each group finished, so there was nothing to compare it with`,
  unpaid: (episodes) => `of ${episodes} the solved ones earned no more than the failed ones`,
  alike: (episodes) => `of ${episodes} all in each group had the same return`,
};

/** A sentence about a stall, and one about what helps. */
export function describeStall(
  stall: Stall,
  config: Pick<TrainConfig, 'groupSize' | 'temperature' | 'policy'> & {
    readonly warmStart: Pick<TrainConfig['warmStart'], 'episodes'>;
  },
): string {
  const { kind, episodes, faulted } = stall;
  const count = (number: number): string => `${number.toLocaleString('en')} ${plural(number, 'episode')}`;
  const isLone = kind === 'single-survivors';
  const what = seen[kind](
    isLone
      ? count(episodes + faulted)
      : faulted === 0
        ? count(episodes)
        : `${count(episodes)} without a fault, and ${faulted.toLocaleString('en')} that faulted,`,
  );
  const fix = faulted > episodes && !isLone ? 'Fix the environment first: most of its episodes fault. ' : '';
  return `iterations ${stall.first} to ${stall.last} taught nothing: ${what}. ${fix}${whatHelps(kind, config)}`;
}

function betterStart({ policy, warmStart: { episodes = 0 } }: Parameters<typeof describeStall>[1]): string {
  if (policy.kind === 'token') return ''; // the sentence about what the policy sees covers it
  if (policy.model !== undefined) return ''; // cloning demonstrations would overwrite what it has learned
  if (episodes === 0) return 'a warm start (--warm-start 32, if the environment has a searcher), ';
  return episodes < 64 ? 'more demonstrations (--warm-start 64), ' : '';
}

function whatHelps(kind: StallKind, config: Parameters<typeof describeStall>[1]): string {
  const { groupSize, temperature } = config;
  const larger = `larger groups (--group-size ${2 * groupSize})`;
  const warmer = `a higher temperature (--with temperature=${temperature + 0.5})`;
  switch (kind) {
    case 'all-failed': {
      return `What helps: ${betterStart(config)}${larger}, easier tasks or intermediate rewards, ${warmer}. ${describeSight(config.policy)}`;
    }
    case 'all-solved':
      return 'There is nothing left to learn here: stop, or train on harder tasks.';
    case 'single-survivors':
      return `What helps: fix the environment, in which the other episodes fault, or ${larger}.`;
    case 'unpaid':
      return 'What helps: in the environment, pay for the goal on the step that reaches it.';
    case 'alike':
      return `What helps: ${larger}, tasks that are sometimes solved, intermediate rewards, ${warmer}.`;
    default:
      return kind satisfies never;
  }
}
