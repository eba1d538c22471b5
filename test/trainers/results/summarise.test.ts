import { describe, expect, it } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import { bootstrapMean } from '../../../trainers/results/bootstrap.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import type { EpisodeRow, EvaluationResult } from '../../../trainers/results/result.ts';
import { reward } from '../../../envs/core/step.ts';
import { describeFaults, describeRetries, renderTable } from '../../../trainers/results/table.ts';
import { poolSeeds, retriedFault, summarise, summariseRows } from '../../../trainers/results/summarise.ts';
import { wilsonInterval } from '../../../trainers/results/intervals.ts';
import { makeFacts, makeGroups, makeTrajectory, type Ending } from '../evaluate/make-trajectories.ts';

const once: readonly Ending[][] = [['solved'], ['failed'], ['solved'], ['solved'], ['truncated'], ['solved']];

describe('summarise, one episode per task', () => {
  const result = summarise([{ seed: 7, groups: makeGroups(once) }], makeFacts(6));

  it('computes Wilson intervals, overall and by family', () => {
    expect(result.interval).toEqual({ kind: 'wilson', level: 0.95 });
    expect(result.success).toEqual(wilsonInterval(4, 6));
    // The families take turns: tasks 0 and 3, 1 and 4, 2 and 5.
    expect(Object.keys(result.byFamily)).toEqual(['cool', 'heat', 'look']);
    expect(result.byFamily['cool']).toMatchObject({
      ...wilsonInterval(2, 2),
      tasks: 2,
      meanTurns: 3,
      score: { mean: 1 },
    });
    expect(result.byFamily['heat']).toMatchObject({
      ...wilsonInterval(0, 2),
      score: { mean: 0, low: 0, high: wilsonInterval(0, 2).high },
    });
  });

  it('reports the score without penalties, turns, steps and each episode', () => {
    expect(result.score.mean).toBeCloseTo(4 / 6, 12);
    expect(result).toMatchObject({ meanTurns: 3, steps: 18, seconds: 1.5, episodesPerTask: 1, seeds: [7] });
    expect(result.episodes[1]).toEqual({
      seed: 7,
      index: 1,
      family: 'heat',
      outcome: 'failed',
      cause: 'turn-limit',
      score: 0,
      turns: 3,
    });
    expect(result.episodes[4]).toMatchObject({ outcome: 'truncated', cause: 'wall' });
    expect(result.faults).toEqual({
      count: 0,
      retried: 0,
      share: 0,
      rateLow: 4 / 6,
      rateHigh: 4 / 6,
      scoreHigh: 4 / 6,
      excessive: false,
    });
  });

  it('reports the env’s metrics, summed over an episode, as means with intervals', () => {
    const counted = makeGroups(once).map(({ task, members }) => ({
      task,
      members: members.map((member) => ({
        ...member,
        steps: member.steps.map((step, at) =>
          task.index === 5
            ? step
            : { ...step, metrics: { looks: 1, ...(at === 2 && task.index < 3 ? { share: 0.5 } : {}) } },
        ),
      })),
    }));
    const told = summarise([{ seed: 7, groups: counted }], makeFacts(6));
    expect(told.episodes.map(({ metrics }) => metrics)).toEqual([
      { looks: 3, share: 0.5 },
      { looks: 3, share: 0.5 },
      { looks: 3, share: 0.5 },
      { looks: 3 },
      { looks: 3 },
      undefined,
    ]);
    expect([told.metrics?.['looks']?.mean, told.metrics?.['share']?.mean]).toEqual([15 / 6, 1.5 / 6]);
    expect(told.metrics?.['share']).toMatchObject({
      low: expect.any(Number) as number,
      high: expect.any(Number) as number,
    });
    expect(parseResult(JSON.parse(JSON.stringify(told)), 'result.json')).toEqual(told);
    expect(() =>
      parseResult({ ...told, metrics: { ...told.metrics, looks: { mean: 9 } } }, 'result.json'),
    ).toThrow(/metrics\.looks\.mean is 9, and the episodes give 2\.5/);
    expect(told.success).toEqual(result.success);
    expect(result.metrics).toBeUndefined();
  });

  it('ignores the order of the groups, and survives storage', () => {
    const shuffled = makeGroups(once).toReversed();
    expect(summarise([{ seed: 7, groups: shuffled }], makeFacts(6))).toEqual(result);
    expect(parseResult(JSON.parse(JSON.stringify(result)), 'result.json')).toEqual(result);
  });
});

describe('summarise, several episodes per task', () => {
  it('treats tasks, not episodes, as the sample', () => {
    const allOrNothing = Array.from({ length: 20 }, (_, task): Ending[] =>
      Array.from({ length: 16 }, () => (task % 2 === 0 ? 'solved' : 'failed')),
    );
    const { interval, success, episodesPerTask } = summarise(
      [{ seed: 1, groups: makeGroups(allOrNothing) }],
      makeFacts(20),
    );
    expect(interval.kind).toBe('bootstrap-tasks');
    expect(episodesPerTask).toBe(16);
    // 320 independent episodes would give a width of about 0.11.
    expect(success.high - success.low).toBeGreaterThan(0.35);
  });

  it('keeps an interval with width when every episode had the same outcome', () => {
    const solved = Array.from({ length: 12 }, (): Ending[] => ['solved', 'solved']);
    expect(summarise([{ seed: 1, groups: makeGroups(solved) }], makeFacts(12)).success).toEqual(
      wilsonInterval(12, 12),
    );
  });

  it('resamples seeds too when there are several', () => {
    const luck = (share: number): Ending[][] =>
      Array.from({ length: 30 }, (_, task): Ending[] => [task < share * 30 ? 'solved' : 'failed']);
    const seeds = (shares: readonly number[]) =>
      summarise(
        shares.map((share, seed) => ({ seed, groups: makeGroups(luck(share)) })),
        makeFacts(30),
      );
    const steady = seeds([0.5, 0.5, 0.5]);
    const wild = seeds([0.1, 0.5, 0.9]);
    expect(wild.interval.kind).toBe('student-seeds-bootstrap-tasks');
    expect(wild.success.rate).toBeCloseTo(steady.success.rate, 12);
    expect(wild.success.high - wild.success.low).toBeGreaterThan(
      1.3 * (steady.success.high - steady.success.low),
    );
  });
});

describe('intervals where resampling has no variance', () => {
  /** One episode of each seed and task, with its score. */
  const scored = (scores: readonly (readonly number[])[]) => {
    const rowOf = (seed: number, index: number, score: number): EpisodeRow => ({
      seed,
      index,
      family: 'one',
      outcome: score === 1 ? 'solved' : 'failed',
      score,
      turns: 1,
    });
    return summariseRows(
      scores.flatMap((ofSeed, seed) => ofSeed.map((score, index) => rowOf(seed, index, score))),
      makeFacts(scores[0]?.length ?? 0),
    );
  };

  it('become Wilson intervals for scores that are all 0 or all 1', () => {
    for (const [score, tasks] of [
      [0, 1],
      [1, 1],
      [0, 20],
      [1, 20],
    ] as const) {
      const { success, score: found, byFamily } = scored([Array.from({ length: tasks }, () => score)]);
      const { rate, low, high } = wilsonInterval(score * tasks, tasks);
      expect([success, found, byFamily['one']?.score]).toEqual([
        { rate, low, high },
        { mean: rate, low, high },
        { mean: rate, low, high },
      ]);
    }
    expect(
      scored([
        [1, 1, 1],
        [1, 1, 1],
      ]).score,
    ).toEqual({ mean: 1, low: wilsonInterval(3, 3).low, high: 1 });
  });

  it('equal those of success for scores that equal success, by family too', () => {
    for (const result of [
      scored([[1, 0, 0, 1, 1]]),
      scored([
        [1, 0, 0, 1, 1],
        [0, 0, 1, 1, 1],
      ]),
      summarise([{ seed: 7, groups: makeGroups(once) }], makeFacts(6)),
    ]) {
      for (const { success, score } of [
        result,
        ...Object.values(result.byFamily).map(({ rate, low, high, score: of }) => ({
          success: { rate, low, high },
          score: of,
        })),
      ]) {
        expect(score).toEqual({ mean: success.rate, low: success.low, high: success.high });
      }
    }
  });

  it('disappear or cover [0, 1] for a single task', () => {
    const graded = scored([[0.4]]);
    expect(graded.score).toEqual({ mean: 0.4 });
    expect(scored([[1], [0]])).toMatchObject({
      score: { mean: 0.5 },
      success: { rate: 0.5, low: 0, high: 1 },
    });
    const often = summarise([{ seed: 1, groups: makeGroups([['solved', 'failed']]) }], makeFacts(1));
    expect(often.success).toEqual({ rate: 0.5, low: 0, high: 1 });
    expect(often.score).toEqual({ mean: 0.5, low: 0, high: 1 }); // the same quantity
    expect(parseResult(JSON.parse(JSON.stringify(graded)), 'result.json')).toEqual(graded);
  });

  it('stay bootstrap intervals for all other scores', () => {
    const scores = [[1, 0, 0.5, 0.25, 1]];
    const result = scored(scores);
    expect(result.score).toEqual(
      bootstrapMean(scores, {
        rng: createRng(0).fork('evaluate').fork(result.panel.fingerprint).fork('score'),
      }),
    );
    expect([result.score.mean, result.score.low, result.score.high]).toEqual([
      0.55,
      expect.any(Number),
      expect.any(Number),
    ]);
  });
});

describe('faults in a result', () => {
  it('count as failures, with both bounds, and are excessive above 1 %', () => {
    const endings: Ending[][] = [
      ...Array.from({ length: 48 }, (): Ending[] => ['solved']),
      ['faulted'],
      ['failed'],
    ];
    const result = summarise([{ seed: 1, groups: makeGroups(endings) }], makeFacts(50, { retried: 3 }));
    expect(result.success.rate).toBe(48 / 50);
    const first = {
      seed: 1,
      index: 48,
      steps: 3,
      cause: 'env-crashed',
      fault: 'the environment crashed in step: the maze fell in',
    };
    expect(result.faults).toEqual({
      count: 1,
      retried: 3,
      share: 0.02,
      rateLow: 48 / 50,
      rateHigh: 48 / 49,
      scoreHigh: 48 / 49,
      byCause: { 'env-crashed': 1 },
      first,
      excessive: true,
    });
    expect(describeFaults(result)).toMatch(
      /Causes: env-crashed 1\. The first, in task 48 \(seed 1\) after 3 steps: the environment crashed in step: the maze fell in\.$/,
    );
    expect(result.episodes[48]).toMatchObject({ outcome: 'faulted', cause: 'env-crashed' });
  });

  it('appear one by one when retried, and in one line per kind', () => {
    const retries = [...makeGroups([['faulted'], ['solved'], ['faulted']])]
      .toReversed()
      .flatMap(({ members }) => members.flatMap((member) => retriedFault(1, member) ?? []));
    const other = {
      seed: 1,
      index: 1,
      family: 'heat',
      cause: 'deadline-passed' as const,
      fault: 'too late.',
      steps: 1,
    };
    const result = summarise(
      [{ seed: 1, groups: makeGroups([['solved'], ['solved'], ['failed']]) }],
      makeFacts(3, { retried: 3, retries: [...retries, other] }),
    );
    const fault = 'the environment crashed in step: the maze fell in';
    expect(result.faults.retries).toEqual([
      { seed: 1, index: 0, family: 'cool', cause: 'env-crashed', fault, steps: 3 },
      other,
      { seed: 1, index: 2, family: 'look', cause: 'env-crashed', fault, steps: 3 },
    ]);
    expect(describeRetries(result)).toEqual([
      `walker: played again for env-crashed 2 times, the first in task 0 of cool (seed 1) after 3 steps: ${fault}.`,
      'walker: played again for deadline-passed 1 time, in task 1 of heat (seed 1) after 1 step: too late.',
    ]);
    expect(renderTable([result])).toContain('\nwalker: played again for env-crashed 2 times');
    expect(parseResult(JSON.parse(JSON.stringify(result)), 'result.json')).toEqual(result);
    expect(
      poolSeeds([{ seed: 5, result }], { agent: 'walkers' }).faults.retries?.map(({ seed }) => seed),
    ).toEqual([5, 5, 5]);
  });

  it('stay tolerated at exactly 1 %', () => {
    const endings: Ending[][] = [...Array.from({ length: 99 }, (): Ending[] => ['solved']), ['faulted']];
    expect(summarise([{ seed: 1, groups: makeGroups(endings) }], makeFacts(100)).faults.excessive).toBe(
      false,
    );
  });

  it('give bounds for the score too when it differs from success', () => {
    const graded = makeGroups([['solved'], ['failed'], ['faulted']]).map((group, index) => {
      const paid = [0.6, 0.2, 0.1][index] ?? 0;
      return {
        ...group,
        members: group.members.map((member) => ({
          ...member,
          steps: member.steps.map((step, at) => ({ ...step, reward: reward({ goal: at === 0 ? paid : 0 }) })),
        })),
      };
    });
    const result = summarise([{ seed: 1, groups: graded }], makeFacts(3));
    expect(result.faults.scoreHigh).toBeCloseTo(0.4, 12);
    expect(describeFaults(result)).toContain(
      '; success 33.3 % with faults as failures, 50.0 % without them; score 30.0 with what was paid until a fault, 40.0 without them; that is above 1 %: fix the environment',
    );
    const plain = summarise([{ seed: 1, groups: makeGroups([['solved'], ['faulted']]) }], makeFacts(2));
    expect(describeFaults(plain)).not.toContain('score');
  });

  it('count against the server when a language model plays and nothing else failed', () => {
    const ofServer = (
      kinds: readonly ('sampler-failed' | 'env-crashed')[],
      kind: 'text' | 'choice',
    ): string | undefined => {
      const groups = makeGroups(kinds.map((): Ending[] => ['faulted'])).map((group, index) => ({
        ...group,
        members: group.members.map((member) => ({
          ...member,
          stop: {
            kind: 'faulted' as const,
            fault:
              kinds[index] === 'sampler-failed'
                ? { kind: 'sampler-failed' as const, message: 'no', retryable: true }
                : { kind: 'env-crashed' as const, where: 'step', message: 'no' },
          },
        })),
      }));
      return describeFaults(
        summarise([{ seed: 1, groups }], makeFacts(kinds.length, { shown: { ...makeFacts(1).shown, kind } })),
      );
    };
    expect(ofServer(['sampler-failed', 'sampler-failed'], 'text')).toContain(
      'above 1 %: check the model and its server before you use these numbers',
    );
    expect(ofServer(['sampler-failed', 'env-crashed'], 'text')).toContain('above 1 %: fix the environment');
    expect(ofServer(['sampler-failed'], 'choice')).toContain('above 1 %: fix the environment');
  });

  it('leave out unknown means when every episode faulted', () => {
    const result = summarise([{ seed: 1, groups: makeGroups([['faulted'], ['faulted']]) }], makeFacts(2));
    expect(result.meanTurns).toBeUndefined();
    expect(result.faults.rateHigh).toBeUndefined();
    expect(result.success.rate).toBe(0);
    expect(parseResult(JSON.parse(JSON.stringify(result)), 'result.json')).toEqual(result);
  });
});

describe('summarise and parseResult', () => {
  it('refuse a task without episodes', () => {
    expect(() => summarise([{ seed: 1, groups: makeGroups(once.slice(0, 5)) }], makeFacts(6))).toThrow(
      /5 of 6 tasks have episodes/,
    );
    expect(() => summarise([], makeFacts(6))).toThrow(UsageError);
  });

  it('refuse groups of unequal size', () => {
    expect(() =>
      summarise([{ seed: 1, groups: makeGroups([['solved'], ['solved', 'failed']]) }], makeFacts(2)),
    ).toThrow(/1 or 2 each/);
  });

  it('refuse a trajectory of another panel or env', () => {
    const stranger = { ...makeTrajectory(0, 'solved'), task: { panel: 'train', index: 0 } };
    const groups = [{ task: stranger.task, members: [stranger] }];
    expect(() => summarise([{ seed: 1, groups }], makeFacts(1))).toThrow(
      /task 0 of train of maze-v1, which dev of maze-v1 does not hold/,
    );
  });

  it('refuse files that are no results, of a newer format, or with missing episodes', () => {
    const result = summarise([{ seed: 7, groups: makeGroups(once) }], makeFacts(6));
    expect(() => parseResult({ ...result, schema: 2 }, 'new.json')).toThrow(
      /new.json: it is a result of format 2/,
    );
    expect(() => parseResult({ ...result, surprise: 1 }, 'odd.json')).toThrow(/surprise/);
    expect(() => parseResult({ ...result, episodes: result.episodes.slice(1) }, 'cut.json')).toThrow(
      /expected 6/,
    );
    expect(() => parseResult('text', 'text.json')).toThrow(UsageError);
  });

  it('refuse files with a task twice and another missing, and name both', () => {
    const result = summarise([{ seed: 7, groups: makeGroups(once) }], makeFacts(6));
    const episodes = result.episodes.map((row) => (row.index === 4 ? { ...row, index: 2 } : row));
    expect(() => parseResult({ ...result, episodes }, 'twice.json')).toThrow(
      'episodes: expected 1 of each task with each seed, and there are 2 of task 2 with seed 7 and 0 of task 4 with seed 7.',
    );
  });

  it('refuse files with an unknown cause of a fault', () => {
    const result = summarise([{ seed: 7, groups: makeGroups([['solved'], ['faulted']]) }], makeFacts(2));
    const [, row] = result.episodes;
    expect(row).toMatchObject({ outcome: 'faulted', cause: 'env-crashed' });
    const named = {
      ...result,
      episodes: [result.episodes[0], { ...row, cause: '<b>' }],
      faults: { ...result.faults, byCause: { '<b>': 1 }, first: { ...result.faults.first, cause: '<b>' } },
    };
    expect(() => parseResult(named, 'named.json')).toThrow(
      /named\.json: .*episodes\.\[1\]\.cause.*"env-crashed"/,
    );
    const retried = {
      ...result,
      faults: {
        ...result.faults,
        retried: 1,
        retries: [{ seed: 7, index: 0, family: 'heat', cause: '<b>', fault: 'none', steps: 1 }],
      },
    };
    expect(() => parseResult(retried, 'retried.json')).toThrow(
      /retried\.json: .*retries\.\[0\]\.cause.*"env-crashed"/,
    );
  });

  it('refuse files whose success does not follow from their episodes', () => {
    const result = summarise([{ seed: 7, groups: makeGroups(once) }], makeFacts(6));
    const better = { ...result.success, rate: 1 };
    expect(() => parseResult({ ...result, success: better }, 'better.json')).toThrow(
      /better\.json: .*success\.rate is 1, and the episodes give 0\.66/,
    );
    const solved = result.episodes.map((row) => ({ ...row, outcome: 'solved' }));
    expect(() => parseResult({ ...result, episodes: solved }, 'better.json')).toThrow(
      /success\.rate is 0\.66\d*, and the episodes give 1/,
    );
    const byFamily = { ...result.byFamily, heat: { ...result.byFamily['heat'], rate: 1 } };
    expect(() => parseResult({ ...result, byFamily }, 'better.json')).toThrow(
      /byFamily\.heat\.rate is 1, and the episodes give 0/,
    );
  });

  it('refuse files with any number that does not follow from their episodes, and name it', () => {
    const result = summarise([{ seed: 7, groups: makeGroups(once) }], makeFacts(6));
    const [family = '', ofIt] = Object.entries(result.byFamily)[0] ?? [];
    const changed: readonly (readonly [string, Partial<Record<keyof EvaluationResult, unknown>>])[] = [
      ['success.low', { success: { ...result.success, low: 0.65 } }],
      ['score.mean', { score: { ...result.score, mean: 5 } }],
      ['meanTurns', { meanTurns: 1 }],
      ['faults.count', { faults: { ...result.faults, count: 7 } }],
      ['faults.rateLow', { faults: { ...result.faults, rateLow: 1 } }],
      ['steps', { steps: 1 }],
      ['interval.level', { interval: { ...result.interval, level: 0.5 } }],
      [`byFamily.${family}.tasks`, { byFamily: { ...result.byFamily, [family]: { ...ofIt, tasks: 3000 } } }],
      [
        `byFamily.${family}`,
        { byFamily: Object.fromEntries(Object.entries(result.byFamily).filter(([name]) => name !== family)) },
      ],
      ['byFamily.ghost', { byFamily: { ...result.byFamily, ghost: ofIt } }],
      ['score.mean', { episodes: result.episodes.map((row) => ({ ...row, score: 99 })) }],
      [
        'one is of task 1000',
        { episodes: result.episodes.map((row) => ({ ...row, index: row.index + 1000 })) },
      ],
      ['there are none', { episodes: [], panel: { ...result.panel, tasks: 0 } }],
      ['one has seed 77', { episodes: result.episodes.map((row) => ({ ...row, seed: 77 })) }],
    ];
    for (const [named, change] of changed) {
      const text = JSON.parse(JSON.stringify({ ...result, ...change })) as unknown;
      expect(() => parseResult(text, 'changed.json'), named).toThrow(
        `changed.json: it is not the result of an evaluation: ${/^one|^there/.test(named) ? `episodes: ${named}` : named}`,
      );
    }
  });

  it('accept files of older versions, and sums of another order', () => {
    const result = summarise([{ seed: 7, groups: makeGroups(once) }], makeFacts(6));
    const { scoreHigh: _later, ...faults } = result.faults;
    const older = { ...result, faults, score: { ...result.score, mean: result.score.mean * (1 + 1e-15) } };
    expect(parseResult(JSON.parse(JSON.stringify(older)), 'older.json')).toEqual(older);
  });
});

describe('poolSeeds', () => {
  const runOf = (seed: number, endings: readonly Ending[][], changes = {}) => ({
    seed,
    result: summarise([{ seed: 0, groups: makeGroups(endings) }], makeFacts(endings.length, changes)),
  });

  it('pools runs whose evaluations shared a seed', () => {
    const pooled = poolSeeds([runOf(1, once), runOf(2, [...once].toReversed(), { retried: 2 })], {
      agent: 'walkers',
    });
    expect(pooled).toMatchObject({
      agent: 'walkers',
      seeds: [1, 2],
      seconds: 3,
      steps: 36,
      faults: { retried: 2 },
    });
    expect(pooled.shown).not.toHaveProperty('checkpoint');
    expect(pooled.interval.kind).toBe('student-seeds-bootstrap-tasks');
    expect(pooled.success.rate).toBeCloseTo(4 / 6, 12);
  });

  it('refuses results that do not belong together', () => {
    const as = { agent: 'walkers' };
    expect(() => poolSeeds([], as)).toThrow(RangeError);
    expect(() => poolSeeds([runOf(1, once), runOf(1, once)], as)).toThrow(/seed 1 comes twice/);
    expect(() => poolSeeds([runOf(1, once), runOf(2, once.slice(0, 5))], as)).toThrow(/different panels/);
    const sampled = { shown: { ...makeFacts(6).shown, decoding: { kind: 'sampled', temperature: 1 } } };
    expect(() => poolSeeds([runOf(1, once), runOf(2, once, sampled)], as)).toThrow(/shown different things/);
    const pooled = poolSeeds([runOf(1, once), runOf(2, once)], as);
    expect(() => poolSeeds([runOf(3, once), { seed: 4, result: pooled }], as)).toThrow(
      /holds seeds 1, 2 already/,
    );
  });
});
