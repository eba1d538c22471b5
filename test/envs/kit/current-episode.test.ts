import { expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { currentEpisode } from '../../../envs/kit/current-episode.ts';

it('currentEpisode returns the episode, and refuses a call without one by the name of the env', () => {
  expect(currentEpisode('maze', 7)).toBe(7);
  expect(() => currentEpisode('maze', undefined)).toThrow(UsageError);
  expect(() => currentEpisode('maze', undefined)).toThrow('maze: no episode is running.');
});
