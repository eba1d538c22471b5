import { describe, expect, it } from 'vitest';
import { tellApart } from '../../../trainers/results/tell-apart.ts';
import { compareResults } from '../../../trainers/results/compare.ts';
import { mcnemarProbability, pairedDifference } from '../../../trainers/results/paired.ts';
import type { EvaluationResult, Shown } from '../../../trainers/results/result.ts';
import { poolSeeds, summarise, summariseRows } from '../../../trainers/results/summarise.ts';
import { makeFacts, makeGroups, makePanel, type Ending } from '../evaluate/make-trajectories.ts';

const resultOf = (agent: string, endings: readonly Ending[][], kind: Shown['kind'] = 'choice') =>
  summarise(
    [{ seed: 1, groups: makeGroups(endings) }],
    makeFacts(endings.length, { agent, shown: { ...makeFacts(1).shown, kind } }),
  );
/** Scores of the episodes of each task; 1 is solved. */
const gradedOf = (agent: string, scores: readonly (readonly number[])[]) => {
  const rows = scores.flatMap((members, index) =>
    members.map((score) => ({
      seed: 1,
      index,
      family: 'heat',
      outcome: score === 1 ? ('solved' as const) : ('failed' as const),
      score,
      turns: 3,
    })),
  );
  return summariseRows(rows, makeFacts(scores.length, { agent }));
};
const endings = (pattern: string): Ending[][] =>
  Array.from(pattern, (mark) => [mark === '+' ? 'solved' : mark === '!' ? 'faulted' : 'failed']);

describe('compareResults', () => {
  it('distinguishes two agents of one name by checkpoint, decoding or place', () => {
    const of = (shown: Partial<Shown>) =>
      summarise(
        [{ seed: 1, groups: makeGroups(endings('+-')) }],
        makeFacts(2, { agent: 'shop', shown: { ...makeFacts(1).shown, ...shown } }),
      );
    const named = (one: Partial<Shown>, other: Partial<Shown>): readonly string[] => {
      const { first, second } = compareResults(of(one), of(other));
      return [first, second];
    };
    const sampled = { kind: 'sampled', temperature: 1 } as const;
    expect(named({ decoding: sampled }, { decoding: { kind: 'greedy' } })).toEqual([
      'shop (sampled at 1)',
      'shop (greedy)',
    ]);
    expect(
      named({ checkpoint: 'i-1', decoding: sampled }, { checkpoint: 'i-2', decoding: { kind: 'greedy' } }),
    ).toEqual(['shop (i-1, sampled at 1)', 'shop (i-2, greedy)']);
    const remote = {
      model: 'm',
      server: 'host',
      prompt: { name: 'plain', fingerprint: `sha256:${'0'.repeat(64)}` },
      maxTokens: 64,
    };
    const { checkpoint: _none, ...written } = { ...makeFacts(1).shown, kind: 'text' as const, remote };
    const text = (over: object): EvaluationResult => ({
      ...of({}),
      shown: { ...written, remote: { ...remote, ...over } },
    });
    expect(tellApart([text({}), text({ observationCharacters: 300 })])).toEqual([
      'shop (observations as the prompt shows them)',
      'shop (observations up to 300 characters)',
    ]);
    expect(tellApart([text({}), text({ prompt: { ...remote.prompt, name: 'own' } })])).toEqual([
      'shop (prompt plain)',
      'shop (prompt own)',
    ]);
    expect(tellApart([text({}), text({ maxTokens: 77 })])).toEqual([
      `shop (at most ${remote.maxTokens} tokens a reply)`,
      'shop (at most 77 tokens a reply)',
    ]);
    const blind = text({});
    expect(
      tellApart([
        text({}),
        { ...blind, shown: { ...blind.shown, admissible: !blind.shown.admissible } },
      ]).toSorted(),
    ).toEqual(['shop (admissible actions not shown)', 'shop (admissible actions shown)']);
    expect(tellApart([text({}), of({})])).toEqual([
      `shop (no one checkpoint, at host, prompt plain, observations as the prompt shows them, at most ${remote.maxTokens} tokens a reply)`,
      'shop (iteration-40, no server)',
    ]);
    const local = { prompt: remote.prompt, maxTokens: 64, contextLength: 1024, restricted: false };
    expect(named({ written: local }, { written: { ...local, restricted: true } })).toEqual([
      'shop',
      'shop (only admissible actions can be written)',
    ]);
    expect(named({ written: local }, { written: { ...local, contextLength: 2048 } })).toEqual([
      'shop (a context of 1,024)',
      'shop (a context of 2,048)',
    ]);
    expect(tellApart([text({}), of({ written: { ...local, prompt: remote.prompt } })])).toEqual([
      'shop (no one checkpoint, at host, observations as the prompt shows them)',
      'shop (iteration-40, no server, a context of 1,024)',
    ]);
    const three = [
      of({ checkpoint: 'i-1' }),
      of({ checkpoint: 'i-2' }),
      of({ checkpoint: 'i-2' }),
      { ...of({}), agent: 'random' },
    ];
    expect(tellApart(three)).toEqual([
      'shop (i-1)',
      'shop (i-2, number 2)',
      'shop (i-2, number 3)',
      'random',
    ]);
    expect(named({}, {})).toEqual(['shop (number 1)', 'shop (number 2)']);
  });

  it('pairs tasks and tests the discordant ones', () => {
    const comparison = compareResults(
      resultOf('new', endings('++++++++-!')),
      resultOf('old', endings('+++-----+-')),
    );
    const cells = { both: 3, onlyFirst: 5, onlySecond: 1, neither: 1 };
    expect(comparison.pairs).toEqual({ kind: 'mcnemar', p: mcnemarProbability(cells), ...cells });
    expect(comparison).toMatchObject({ first: 'new', second: 'old' });
    expect(comparison.success.mean).toBeCloseTo(0.4, 12);
    expect(comparison.score.mean).toBeCloseTo(0.4, 12);
  });

  it('changes sign when the agents swap', () => {
    const a = resultOf('a', endings('++++--+-+'));
    const b = resultOf('b', endings('+--+--+--'));
    const there = compareResults(a, b);
    const back = compareResults(b, a);
    expect(back.success.low).toBeCloseTo(-there.success.high, 12);
    expect(
      back.pairs.kind === 'mcnemar' && there.pairs.kind === 'mcnemar' && back.pairs.p === there.pairs.p,
    ).toBe(true);
  });

  it('resamples tasks that were played more than once', () => {
    const twice = endings('+-+-++').map(([ending]): Ending[] => [ending as Ending, 'solved']);
    const comparison = compareResults(resultOf('twice', twice), resultOf('once', endings('+-----')));
    expect(comparison.pairs).toEqual({ kind: 'bootstrap' });
    expect(comparison.success.low).toBeLessThanOrEqual(comparison.success.mean);
    expect(comparison.success.high).toBeGreaterThanOrEqual(comparison.success.mean);
  });

  it('keeps a difference of success between -1 and 1, even for few seeds', () => {
    const pooled = (...seeds: readonly string[]) =>
      poolSeeds(
        seeds.map((shown, seed) => ({ seed, result: resultOf('pooled', endings(shown)) })),
        { agent: 'pooled' },
      );
    const { success } = compareResults(
      pooled('++++++++++', '+---------'),
      pooled('+++++-----', '----------'),
    );
    expect([success.low, success.high]).toEqual([-1, 1]);
  });

  it('reports a wide interval around 0 between an agent and itself', () => {
    const a = gradedOf('a', [[1], [1], [0], [0], [1]]);
    const expected = pairedDifference({ both: 3, onlyFirst: 0, onlySecond: 0, neither: 2 });
    expect(expected.low).toBeLessThan(0);
    expect(compareResults(a, a)).toMatchObject({ success: expected, score: expected, pairs: { p: 1 } });
  });

  it('reports an interval with width for a difference that is the same on every task', () => {
    const { success, score, pairs } = compareResults(
      gradedOf('all', [
        [1, 1],
        [1, 1],
        [1, 1],
      ]),
      gradedOf('none', [
        [0, 0],
        [0, 0],
        [0, 0],
      ]),
    );
    expect(pairs.kind).toBe('bootstrap');
    expect(success).toEqual(pairedDifference({ both: 0, onlyFirst: 3, onlySecond: 0, neither: 0 }));
    expect(score).toEqual(success);
    expect(success.low).toBeLessThan(0.8);
  });

  describe('comparison on a single task', () => {
    it('gives success the interval of counts when played once, and a score between 0 and 1 none', () => {
      const { success, score } = compareResults(gradedOf('a', [[1]]), gradedOf('b', [[0.4]]));
      expect(success).toEqual(pairedDifference({ both: 0, onlyFirst: 1, onlySecond: 0, neither: 0 }));
      expect(score).toEqual({ mean: expect.closeTo(0.6, 12) as number });
    });

    it('gives success the interval [-1, 1] when played often', () => {
      const { success, score } = compareResults(gradedOf('a', [[1, 0.5]]), gradedOf('b', [[0.4, 0]]));
      expect(success).toEqual({ mean: 0.5, low: -1, high: 1 });
      expect(score).toEqual({ mean: expect.closeTo(0.55, 12) as number });
    });
  });

  it('refuses different panels and names both', () => {
    const a = resultOf('a', endings('++-'));
    const b = resultOf('b', endings('++-+'));
    expect(() => compareResults(a, b)).toThrow(
      new RegExp(
        `${makePanel(3).fingerprint}.*${makePanel(4).fingerprint}.*Evaluate both agents on the same env`,
      ),
    );
  });

  it('refuses an agent that chooses against one that writes, and allows scripted ones on either side', () => {
    const choice = resultOf('picker', endings('++-'));
    const text = resultOf('writer', endings('+--'), 'text');
    const scripted = resultOf('random', endings('---'), 'scripted');
    expect(() => compareResults(choice, text)).toThrow(/picker and writer.*chooses among listed actions/);
    expect(() => compareResults(text, choice)).toThrow(/not comparable/);
    expect(compareResults(choice, scripted).success.mean).toBeCloseTo(2 / 3, 12);
    expect(compareResults(text, scripted).success.mean).toBeCloseTo(1 / 3, 12);
  });
});
