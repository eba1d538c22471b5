import { UsageError } from '../core/errors.ts';

/**
 * Returns the episode that an env plays.
 *
 * @throws UsageError where no episode is running
 */
export function currentEpisode<Episode>(env: string, episode: Episode | undefined): Episode {
  if (episode !== undefined) return episode;
  throw new UsageError({
    where: env,
    what: 'no episode is running.',
    fix: 'Call reset(task, context) first.',
  });
}
