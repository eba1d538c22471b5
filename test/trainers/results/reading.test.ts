import { describe, expect, it } from 'vitest';
import type { Trajectory, TrajectoryStep } from '../../../agents/rollout/trajectory.ts';
import { describeReading, nothingRead, readingOf, unreadableOf } from '../../../trainers/results/reading.ts';
import { makeTrajectory } from '../evaluate/make-trajectories.ts';

/** An episode of replies; those with an exclamation mark could not be read. */
function wrote(...texts: readonly string[]): Trajectory {
  const base = makeTrajectory(0, 'failed', texts.length);
  const steps = base.steps.map((step, index): TrajectoryStep => {
    const text = texts[index] ?? '';
    const decision = { kind: 'text', text, usage: undefined, reasoningCharacters: 7, leftOut: 0 } as const;
    return text.endsWith('!')
      ? { ...step, decision, verdict: 'malformed', reply: { kind: 'malformed', why: 'it is loud.', text } }
      : { ...step, decision };
  });
  return { ...base, steps };
}

describe('unreadable replies', () => {
  it('get counted, with the first shortened and without control characters', () => {
    expect(unreadableOf(wrote('north', '\u001b[2Jno\u0007\n\u202eway!', 'never!'))).toEqual({
      replies: 2,
      first: { why: 'it is loud.', text: 'no way!', reasoningCharacters: 7 },
    });
    expect(unreadableOf(wrote(`a${'\u{1f9f9}'.repeat(300)}!`))?.first.text).toBe(
      `a${'\u{1f9f9}'.repeat(79)}…`,
    );
    expect(unreadableOf(wrote(`${'\u{1f9f9}'.repeat(300)}!`))?.first.text).toBe(`${'\u{1f9f9}'.repeat(80)}…`);
    expect(unreadableOf(wrote('north'))).toBeUndefined();
    expect(unreadableOf(makeTrajectory(0, 'failed'))).toBeUndefined(); // no text agent
  });

  it('add up over the episodes of text agents', () => {
    const first = { why: 'it is empty.', text: '', reasoningCharacters: 0 };
    const rows = [
      { tokens: { replies: 5 } },
      { tokens: { replies: 3 }, unreadable: { replies: 3, first }, cause: 'malformed-cap' },
      {
        tokens: { replies: 2 },
        unreadable: { replies: 1, first: { ...first, text: 'no' } },
        cause: 'turn-limit',
      },
    ];
    const reading = { replies: 10, unreadable: 4, episodesEnded: 1, first };
    expect(readingOf(rows)).toEqual(reading);
    expect(readingOf([{}])).toBeUndefined();
    expect(describeReading(reading, 3)).toBe(
      '4 of 10 replies (40.0 %) could not be read; 1 of 3 episodes ended by it',
    );
    expect(describeReading({ ...reading, unreadable: 0 }, 3)).toBe('all 10 replies could be read');
  });

  it('invalidate an evaluation only when no reply was readable', () => {
    expect(
      [
        { replies: 3, unreadable: 3 },
        { replies: 3, unreadable: 2 },
        { replies: 0, unreadable: 0 },
      ].map((counts) => nothingRead({ ...counts, episodesEnded: 0 })),
    ).toEqual([true, false, false]);
    expect(nothingRead(undefined)).toBe(false);
  });
});
