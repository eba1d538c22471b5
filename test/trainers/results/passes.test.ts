import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { attemptLines } from '../../../trainers/results/attempts-table.ts';
import { leastSquares, summariseAttempts } from '../../../trainers/results/attempts.ts';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { passAtK, passHatK, shownKs } from '../../../trainers/results/passes.ts';
import type { EpisodeRow, EvaluationResult } from '../../../trainers/results/result.ts';
import { summarise, summariseRows } from '../../../trainers/results/summarise.ts';
import { renderTable } from '../../../trainers/results/table.ts';
import { makeFacts, makeGroups, type Ending } from '../evaluate/make-trajectories.ts';

const golden = z
  .object({
    passes: z.array(
      z.object({ n: z.int(), c: z.int(), k: z.int(), passAtK: z.number(), passHatK: z.number() }),
    ),
    lines: z.array(
      z.object({ rates: z.array(z.number()), slope: z.number(), intercept: z.number(), r2: z.number() }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('../../golden/evaluate/passes.json', import.meta.url), 'utf8')));

describe('pass@k and pass^k', () => {
  it.each(golden.passes)('of n = $n, c = $c, k = $k equal those of exact binomials', (want) => {
    expect(passAtK(want.n, want.c, want.k)).toBeCloseTo(want.passAtK, 12);
    expect(passHatK(want.n, want.c, want.k)).toBeCloseTo(want.passHatK, 12);
  });

  it('refuse counts that cannot be', () => {
    for (const [n, c, k] of [
      [4, 5, 1],
      [4, 2, 5],
      [4, 2, 0],
      [4, 1.5, 1],
    ] as const)
      expect(() => passAtK(n, c, k)).toThrow(RangeError);
  });

  it('stand as means over tasks with their conventions in the result, in its file and in the table', () => {
    const of = (solved: number): Ending[] =>
      Array.from({ length: 4 }, (_, at) => (at < solved ? 'solved' : 'failed'));
    const result = summarise([{ seed: 0, groups: makeGroups([of(4), of(2), of(0)]) }], makeFacts(3));
    // by hand: C(2, 2) / C(4, 2) = 1/6 for the task with 2 of 4
    expect(result.passes?.byK.map(({ k, passAtK: at, passHatK: hat }) => [k, at.rate, hat.rate])).toEqual([
      [1, 0.5, 0.5],
      [2, expect.closeTo((1 + 5 / 6 + 0) / 3, 12), expect.closeTo((1 + 1 / 6 + 0) / 3, 12)],
      [3, expect.closeTo(2 / 3, 12), expect.closeTo(1 / 3, 12)],
      [4, expect.closeTo(2 / 3, 12), expect.closeTo(1 / 3, 12)],
    ]);
    const [, second] = result.passes?.byK ?? [];
    expect(second?.passAtK.low).toBeLessThan(second?.passAtK.rate ?? 0);
    expect(parseResult(JSON.parse(JSON.stringify(result)), 'file').passes).toEqual(result.passes);
    const wrong = JSON.parse(JSON.stringify(result)) as { passes: { byK: { passHatK: { rate: number } }[] } };
    for (const each of wrong.passes.byK) each.passHatK.rate = 0.9;
    expect(() => parseResult(wrong, 'file')).toThrow(/passes\.byK/);
    const table = renderTable([result]);
    expect(table).toMatch(/pass@2 +pass@3 +pass@4/);
    expect(table).toMatch(/Chen et al\. 2021.*Yao et al\. 2024/s);
  });

  it('need several episodes of each task', () => {
    const once = summarise([{ seed: 0, groups: makeGroups([['solved'], ['failed']]) }], makeFacts(2));
    expect(once.passes).toBeUndefined();
    expect(renderTable([once])).not.toContain('pass@');
  });

  it('show few of many k', () => {
    expect(shownKs(4)).toEqual([1, 2, 3, 4]);
    expect(shownKs(200)).toEqual([1, 2, 3, 4, 5, 8, 10, 16, 32, 64, 100, 128, 200]);
  });
});

describe('success over turns', () => {
  it.each(golden.lines)('has the line of $rates', ({ rates, slope, intercept, r2 }) => {
    const line = leastSquares(rates);
    expect(line.slope).toBeCloseTo(slope, 12);
    expect(line.intercept).toBeCloseTo(intercept, 12);
    expect(line.r2).toBeCloseTo(r2, 12);
  });

  it('rises at the turn in which an agent solves its tasks', () => {
    const { withoutFeedback, withFeedback } = summariseAttempts({
      turns: 5,
      attempts: 5,
      without: played([3, 3, 3]),
    });
    expect(withoutFeedback.within.map(({ rate }) => rate)).toEqual([0, 0, 1, 1, 1]);
    // by hand: (0*-2 + 0*-1 + 0 + 1 + 2) / (4 + 1 + 0 + 1 + 4)
    expect(withoutFeedback.perTurn).toEqual({ mean: 0.3 }); // equal tasks say nothing of others
    expect(withFeedback).toBeUndefined();
  });

  it('gains by feedback, task by task, and counts no success beyond the turns', () => {
    const report = summariseAttempts({
      turns: 3,
      attempts: 2,
      without: played([1, undefined, undefined, 4]),
      withFeedback: { feedback: 'scripted', result: played([1, 2, undefined, 3]) },
    });
    expect(report.withoutFeedback.within.map(({ rate }) => rate)).toEqual([0.25, 0.25, 0.25]);
    expect(report.withoutFeedback.r2).toBeUndefined();
    expect(report.withFeedback?.gain).toEqual([
      { k: 1, mean: 0 },
      { k: 2, mean: 0.25, low: 0, high: 0.75 },
      { k: 3, mean: 0.5, low: 0, high: 1 },
    ]);
    const lines = attemptLines(report, 'random', false).join('\n');
    expect(lines).toMatch(/gain of feedback +0\.0 \[–\] +\+25\.0 \[0\.0, 75\.0\] +\+50\.0/);
    expect(lines).toMatch(/at most 2 attempts.*MINT plays a run for each k/s);
  });

  it('refuses results of different tasks', () => {
    expect(() =>
      summariseAttempts({
        turns: 2,
        attempts: 2,
        without: played([1, 1]),
        withFeedback: { feedback: 'scripted', result: played([1]) },
      }),
    ).toThrow(/do not have the same tasks/);
  });
});

/** A result of one episode a task: the turn in which it was solved, or undefined. */
function played(solvedAt: readonly (number | undefined)[]): EvaluationResult {
  const rows = solvedAt.map((turn, index): EpisodeRow => {
    const [outcome, score] = turn === undefined ? (['failed', 0] as const) : (['solved', 1] as const);
    return { seed: 0, index, family: 'heat', outcome, score, turns: turn ?? 5 };
  });
  return summariseRows(rows, makeFacts(solvedAt.length));
}
