import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextDecision, TokenDecision } from '../../../agents/core/agent.ts';
import type { Trajectory } from '../../../agents/rollout/trajectory.ts';
import { grouped, plural } from '../../../trainers/results/number-words.ts';
import {
  addTokens,
  describeTokens,
  tokensOf,
  type TokenCounts,
} from '../../../trainers/results/token-counts.ts';
import { makeTrajectory } from '../evaluate/make-trajectories.ts';

const written = (usage: TextDecision['usage'], over: Partial<TextDecision> = {}): TextDecision => ({
  kind: 'text',
  text: 'go',
  usage,
  reasoningCharacters: 0,
  leftOut: 0,
  ...over,
});
const played = (...decisions: readonly (TextDecision | TokenDecision | undefined)[]): Trajectory => {
  const trajectory = makeTrajectory(0, 'solved', decisions.length);
  return {
    ...trajectory,
    steps: trajectory.steps.map((step, index) => ({ ...step, decision: decisions[index] })),
  };
};
const counts = (over: Partial<TokenCounts>): TokenCounts => ({
  replies: 1,
  uncounted: 0,
  prompt: 0,
  completion: 0,
  reasoningCharacters: 0,
  shortened: 0,
  ...over,
});

describe('token counts', () => {
  it('come from the server, without estimates', () => {
    expect(tokensOf(played(undefined))).toBeUndefined();
    expect(
      tokensOf(
        played(
          written({ prompt: 90, completion: 7, cached: 64 }),
          written(undefined, { reasoningCharacters: 5 }),
          written({ prompt: 10, completion: 3 }, { leftOut: 2, charactersCut: 9, actionsLeftOut: 3 }),
        ),
      ),
    ).toEqual({
      replies: 3,
      uncounted: 1,
      prompt: 100,
      completion: 10,
      cached: 64,
      reasoningCharacters: 5,
      shortened: 1,
      cutObservations: 1,
      cutLists: 1,
    });
  });

  it('count a turn with cut content once, however often it was retried', () => {
    const cut = written(undefined, { charactersCut: 9 });
    const whole = written(undefined);
    const { steps, ...rest } = played(cut, cut, cut, cut, whole, cut, cut);
    const malformed = new Set([0, 1, 4]); // turns: 0 to 2, 3, 4 and 5, 6
    const trajectory = {
      ...rest,
      steps: steps.map((step, index) => ({
        ...step,
        verdict: malformed.has(index) ? ('malformed' as const) : ('admissible' as const),
      })),
    };
    expect(tokensOf(trajectory)).toMatchObject({ replies: 7, cutObservations: 4 });
  });

  it('add up in any order', () => {
    const count = fc.nat(1_000);
    const one = fc.option(
      fc.record(
        {
          replies: count,
          uncounted: count,
          prompt: count,
          completion: count,
          cached: count,
          reasoning: count,
          reasoningCharacters: count,
          shortened: count,
          cutObservations: count,
          cutLists: count,
        },
        {
          requiredKeys: ['replies', 'uncounted', 'prompt', 'completion', 'reasoningCharacters', 'shortened'],
          noNullPrototype: true,
        },
      ),
      { nil: undefined },
    );
    fc.assert(
      fc.property(fc.array(one), fc.nat(), (all, split) => {
        const at = split % (all.length + 1);
        expect(addTokens([addTokens(all.slice(at)), addTokens(all.slice(0, at))])).toEqual(addTokens(all));
      }),
    );
  });

  it.each([
    [
      { replies: 2, prompt: 1_234_567, completion: 89 },
      '1,234,567 prompt tokens and 89 completion tokens in 2 replies, as the server counts',
    ],
    [
      { prompt: 9, cached: 4, completion: 8, reasoning: 2 },
      '9 prompt tokens (4 of them from a cache) and 8 completion tokens (2 of them reasoning) in 1 reply, as the server counts',
    ],
    [{ uncounted: 1 }, 'the server gives no usable count of tokens for its 1 reply'],
    [
      { replies: 3, uncounted: 1 },
      '0 prompt tokens and 0 completion tokens in 3 replies, as the server counts; 1 reply came without a usable count, so there were more',
    ],
    [
      { uncounted: 1, reasoningCharacters: 5_000, shortened: 1 },
      'the server gives no usable count of tokens for its 1 reply; 5,000 characters of reasoning were not read; 1 prompt lacked earlier steps because the model had refused one as long',
    ],
    [
      { uncounted: 1, cutObservations: 1 },
      'the server gives no usable count of tokens for its 1 reply; 1 observation was cut in the middle because it is longer than the prompt shows or the model takes',
    ],
    [
      { replies: 2, prompt: 9, completion: 8, cutObservations: 2 },
      '9 prompt tokens and 8 completion tokens in 2 replies, as the server counts; 2 observations were cut in the middle because they are longer than the prompt shows or the model takes',
    ],
    [
      { uncounted: 1, cutLists: 1 },
      'the server gives no usable count of tokens for its 1 reply; 1 prompt listed only a part of the actions because all are more than the prompt lists or the model takes',
    ],
  ])('read as a sentence: %j', (over, sentence) => {
    expect(describeTokens(counts(over), { countedBy: 'server' })).toBe(sentence);
  });

  it('read for a local model without the refusals of a server', () => {
    const short = (shortened: number): string =>
      describeTokens(counts({ replies: 2, prompt: 9, completion: 8, shortened }), { countedBy: 'us' });
    expect([short(1), short(2)]).toEqual([
      '9 prompt tokens and 8 completion tokens in 2 replies; 1 prompt lacked earlier steps because it would not have fitted the context',
      '9 prompt tokens and 8 completion tokens in 2 replies; 2 prompts lacked earlier steps because they would not have fitted the context',
    ]);
  });

  it.each<[TokenCounts | undefined, TokenCounts | undefined, string]>([
    [
      counts({ prompt: 9, completion: 8 }),
      counts({ replies: 2, prompt: 1_000, completion: 7 }),
      '9 prompt tokens and 8 completion tokens in 1 reply, as the server counts; and 1,000 prompt tokens and 7 completion tokens in 2 replies in replaced attempts',
    ],
    [
      counts({ prompt: 9, completion: 8 }),
      counts({ replies: 2, uncounted: 1, prompt: 5, completion: 7 }),
      '9 prompt tokens and 8 completion tokens in 1 reply, as the server counts; and over 5 prompt tokens and 7 completion tokens in 2 replies in replaced attempts',
    ],
    [
      counts({ uncounted: 1 }),
      counts({ uncounted: 1 }),
      'the server gives no usable count of tokens for its 1 reply; and 1 reply without a usable count of tokens in replaced attempts',
    ],
    [
      undefined,
      counts({ prompt: 5, completion: 7 }),
      '5 prompt tokens and 7 completion tokens in 1 reply in replaced attempts',
    ],
    [counts({ uncounted: 1 }), undefined, 'the server gives no usable count of tokens for its 1 reply'],
  ])('read together with those of replaced attempts: %#', (own, replaced, sentence) => {
    expect(describeTokens(own, { replaced, countedBy: 'server' })).toBe(sentence);
  });

  it('come for a local policy from the package itself', () => {
    const span = (kept: number, appended: number, sampled: number) => ({
      kept,
      appended: Array<number>(appended).fill(1),
      sampled: Array<number>(sampled).fill(2),
      logprobs: Array<number>(sampled).fill(-1),
    });
    const decision: TokenDecision = { kind: 'tokens', spans: [span(0, 5, 2), span(7, 3, 4)], leftOut: 1 };
    const own = tokensOf(played(decision, decision));
    expect(own).toMatchObject({ replies: 2, uncounted: 0, prompt: 30, completion: 12, shortened: 2 });
    expect(describeTokens(own, { countedBy: 'us' })).toMatch(
      /^30 prompt tokens and 12 completion tokens in 2 replies; /,
    );
  });

  it('use singular or plural nouns', () => {
    expect(
      [0, 1, 2].map(
        (count) => `${count} ${plural(count, 'task')}, ${count} ${plural(count, 'reply', 'replies')}`,
      ),
    ).toEqual(['0 tasks, 0 replies', '1 task, 1 reply', '2 tasks, 2 replies']);
  });

  it('group digits by thousands', () => {
    expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567']);
  });
});
