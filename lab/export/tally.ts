import type { Trajectory } from '../../agents/rollout/trajectory.ts';
import { plural } from '../../trainers/results/number-words.ts';

/** What became of the episodes of an export, so that none is left out in silence. */
export class Tally {
  /** Lines that were written. */
  lines = 0;
  /** Of how many episodes. */
  exported = 0;
  /** Left out because a filter said so. */
  filtered = 0;
  /** Not looked at, because there were as many as were asked for. */
  unread = 0;
  /** Left out: the world failed, and they say nothing of the policy. */
  readonly faulted: string[] = [];
  /** Left out: the policy did nothing in them. */
  readonly empty: string[] = [];
  /** Exported although a limit foreign to the task cut them off. */
  readonly truncated: string[] = [];
  /** Exported with less than all that was seen, because the prompt shows no more. */
  cutEpisodes = 0;
  /** Exported without the list of actions that the prompt shows, because the trajectory has none. */
  unlisted = 0;
  /** Exported with advantages of 0, because no other of their group came to an end. */
  alone = 0;
  /** Token policies' episodes that are written by their actions alone. */
  undecoded = 0;

  /** Notes an episode that is left out whatever is asked for; false of any other. */
  refuse({ path, stop, steps }: Trajectory): boolean {
    if (stop.kind === 'faulted') this.faulted.push(path);
    else if (steps.length === 0) this.empty.push(path);
    return stop.kind === 'faulted' || steps.length === 0;
  }

  take({ path, stop }: Trajectory, lines: number): void {
    this.lines += lines;
    this.exported += 1;
    if (stop.kind === 'truncated') this.truncated.push(path);
  }

  /** As plain JSON, every episode that is named. */
  document(): Readonly<Record<string, unknown>> {
    const {
      lines,
      exported,
      filtered,
      unread,
      faulted,
      empty,
      truncated,
      cutEpisodes,
      unlisted,
      alone,
      undecoded,
    } = this;
    return {
      lines,
      episodes: exported,
      filtered,
      unread,
      faulted,
      empty,
      truncated,
      cutObservations: cutEpisodes,
      withoutListOfActions: unlisted,
      withoutPeers: alone,
      actionsAlone: undecoded,
    };
  }

  /** The same in sentences. */
  describe(): readonly string[] {
    const {
      lines,
      exported,
      filtered,
      unread,
      faulted,
      empty,
      truncated,
      cutEpisodes,
      unlisted,
      alone,
      undecoded,
    } = this;
    const episodes = (count: number): string => `${count} ${plural(count, 'episode')}`;
    const when = (count: number, sentence: string): readonly string[] => (count === 0 ? [] : [sentence]);
    return [
      `${lines} ${plural(lines, 'line')} of ${episodes(exported)}${filtered === 0 ? '' : `; ${episodes(filtered)} left out by the filters`}${unread === 0 ? '' : `; ${episodes(unread)} not looked at, beyond --limit`}`,
      ...when(
        faulted.length,
        `${episodes(faulted.length)} left out because the world failed: ${named(faulted)}`,
      ),
      ...when(
        empty.length,
        `${episodes(empty.length)} left out because nothing was done in them: ${named(empty)}`,
      ),
      ...when(
        truncated.length,
        `${episodes(truncated.length)} cut off by a limit that is not the task's, and exported as they are: ${named(truncated)}`,
      ),
      ...when(
        cutEpisodes,
        `${episodes(cutEpisodes)} told with less than was seen, because the prompt shows no more`,
      ),
      ...when(
        unlisted,
        `${episodes(unlisted)} told without the list of actions that the prompt shows: only choice policies and experts write it down`,
      ),
      ...when(alone, `${episodes(alone)} with advantages of 0: no other of their group came to an end`),
      ...when(
        undecoded,
        `${episodes(undecoded)} of a token policy told by their actions alone: --tokenizer gives what was written`,
      ),
    ];
  }
}

const mostNamed = 5;

const named = (paths: readonly string[]): string =>
  `${paths.slice(0, mostNamed).join(', ')}${paths.length > mostNamed ? ` and ${paths.length - mostNamed} more, which --json names` : ''}`;
