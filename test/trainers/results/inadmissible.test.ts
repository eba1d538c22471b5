import { describe, expect, it } from 'vitest';
import type { Trajectory, TrajectoryStep } from '../../../agents/rollout/trajectory.ts';
import {
  describeInadmissible,
  inadmissibleIn,
  inadmissibleOf,
  nothingAdmissible,
} from '../../../trainers/results/inadmissible.ts';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { poolSeeds, summarise } from '../../../trainers/results/summarise.ts';
import { renderTable } from '../../../trainers/results/table.ts';
import { makeFacts, makeTrajectory } from '../evaluate/make-trajectories.ts';

/** An episode of these actions; those that are no text, or end in a question mark, could not be done. */
function tried(index: number, ...actions: readonly unknown[]): Trajectory {
  const base = makeTrajectory(index, 'failed', actions.length);
  const steps = base.steps.map((step, at): TrajectoryStep => {
    const action = actions[at];
    return {
      ...step,
      reply: { kind: 'action', action },
      verdict: typeof action !== 'string' || action.endsWith('?') ? 'inadmissible' : 'admissible',
    };
  });
  return { ...base, steps };
}

const resultOf = (seed: number, ...episodes: readonly Trajectory[]) =>
  summarise(
    [{ seed, groups: episodes.map((member) => ({ task: member.task, members: [member] })) }],
    makeFacts(episodes.length),
  );

describe('inadmissible actions', () => {
  it('get counted in an episode, with the first of them as printable text', () => {
    expect(inadmissibleOf(tried(0, 'north', '\u001b[2Jfly\n?', 'swim?'))).toEqual({
      actions: 2,
      first: 'fly ?',
    });
    expect(inadmissibleOf(tried(0, { kind: 'dig', depth: 2 }))).toEqual({
      actions: 1,
      first: '{"kind":"dig","depth":2}',
    });
    expect(inadmissibleOf(tried(0, `a${'\u{1f9f9}'.repeat(99)}?`))?.first).toBe(
      `a${'\u{1f9f9}'.repeat(39)}…`,
    );
    expect(inadmissibleOf(tried(0, 'north'))).toBeUndefined();
  });

  it('make up a share of all steps in the result, its file and the table', () => {
    const result = resultOf(7, tried(0, 'north', 'north'), tried(1, 'fly?', 'north', 'swim?'));
    expect(result.inadmissible).toEqual({ actions: 2, share: 0.4, first: 'fly?' });
    expect(result.episodes.map(({ inadmissible }) => inadmissible)).toEqual([
      undefined,
      { actions: 2, first: 'fly?' },
    ]);
    expect(renderTable([result])).toMatch(
      /^walker {2}.*\n\nChoice agents: .*\n\nwalker: 2 of 5 steps \(40\.0 %\) were inadmissible actions; the first was "fly\?"\.$/m,
    );
    expect(parseResult(JSON.parse(JSON.stringify(result)), 'result.json')).toEqual(result);
    expect(() =>
      parseResult({ ...result, inadmissible: { actions: 1, share: 0.2, first: 'fly?' } }, 'result.json'),
    ).toThrow(/inadmissible\.actions is 1, and the episodes give 2/);
  });

  it('appear as none when every action was admissible, without a note', () => {
    const result = resultOf(7, tried(0, 'north'));
    expect(result.inadmissible).toEqual({ actions: 0, share: 0 });
    expect(renderTable([result])).not.toContain('inadmissible action');
  });

  it('mark the row when every step was inadmissible or unreadable', () => {
    const result = resultOf(7, tried(0, 'fly?', 'fly?'));
    expect(renderTable([result])).toMatch(
      /^walker \(!\) .*\n\nChoice agents: .*\n\nwalker: 2 of 2 steps \(100\.0 %\) were inadmissible actions, and not one was admissible; the first was "fly\?"\.$/m,
    );
    const reading = { replies: 3, unreadable: 1, episodesEnded: 0 };
    expect(
      nothingAdmissible({
        steps: 3,
        reading,
        inadmissible: inadmissibleIn([{ turns: 3, inadmissible: { actions: 2, first: 'fly?' } }]),
      }),
    ).toBe(true);
    expect(nothingAdmissible({ steps: 4, reading, inadmissible: { actions: 2, share: 0.5 } })).toBe(false);
    expect(nothingAdmissible({ steps: 0, inadmissible: { actions: 0, share: 0 } })).toBe(false);
  });

  it('stay unknown, not zero, in results of older versions, even when pooled', () => {
    const [new0, new1] = [resultOf(0, tried(0, 'fly?')), resultOf(0, tried(0, 'north'))];
    const { inadmissible: _unknown, ...old } = new1;
    expect(parseResult(JSON.parse(JSON.stringify(old)), 'old.json')).toEqual(old);
    expect(describeInadmissible(old)).toBeUndefined();
    expect(
      poolSeeds(
        [
          { seed: 0, result: new0 },
          { seed: 1, result: new1 },
        ],
        { agent: 'walker' },
      ).inadmissible,
    ).toEqual({ actions: 1, share: 0.5, first: 'fly?' });
    expect(
      poolSeeds(
        [
          { seed: 0, result: new0 },
          { seed: 1, result: old },
        ],
        { agent: 'walker' },
      ),
    ).not.toHaveProperty('inadmissible');
  });
});
