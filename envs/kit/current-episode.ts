import { UsageError } from '../core/errors.ts';

/**
 * The episode that an env plays.
 *
 * @throws UsageError where there is none
 */
export function currentEpisode<Episode>(env: string, episode: Episode | undefined): Episode {
  if (episode !== undefined) return episode;
  throw new UsageError({
    where: env,
    what: 'there is no episode under way.',
    fix: 'Call reset(task, context) first.',
  });
}
