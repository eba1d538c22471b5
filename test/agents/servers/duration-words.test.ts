import { describe, expect, it } from 'vitest';
import { durationWords } from '../../../agents/servers/duration-words.ts';

describe('durationWords', () => {
  it.each([
    [0, '0 seconds'],
    [200, '0.2 seconds'],
    [1_000, '1 second'],
    [119_400, '119 seconds'],
    [120_000, '2 minutes'],
    [600_000, '10 minutes'],
    [7_199_000, '120 minutes'],
    [7_200_000, '2 hours'],
    [129_600_000, '36 hours'],
    [172_800_000, '2 days'],
    [86_400_000_000, '1000 days'],
  ])('writes %d ms in words', (milliseconds, words) => {
    expect(durationWords(milliseconds)).toBe(words);
  });
});
