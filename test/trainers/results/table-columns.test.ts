import { describe, expect, it } from 'vitest';
import { householdEnv } from '../../../envs/household/definition.ts';
import { shopEnv } from '../../../envs/shop/definition.ts';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import { summarise } from '../../../trainers/results/summarise.ts';
import { layColumns, type TableColumn } from '../../../trainers/results/table-columns.ts';
import { renderTable } from '../../../trainers/results/table.ts';
import { panelTable } from '../../../lab/report/result-tables.ts';
import { benchPresetFor } from '../../../trainers/recipes/bench-preset.ts';
import { makeFacts, makeGroups } from '../evaluate/make-trajectories.ts';

/** Three solved of four, with scores of their own. */
function gradedResult(scores: readonly number[], over: Partial<EvaluationResult> = {}): EvaluationResult {
  const result = summarise(
    [{ seed: 1, groups: makeGroups(scores.map((score) => [score === 1 ? 'solved' : 'failed'])) }],
    makeFacts(scores.length),
  );
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const episodes = result.episodes.map((row) => ({ ...row, score: scores[row.index] ?? 0 }));
  return { ...result, episodes, score: { mean, low: mean - 0.1, high: mean + 0.1 }, ...over };
}

const heads = (columns: readonly TableColumn[], results: readonly EvaluationResult[]): readonly string[] =>
  layColumns(columns, results).map(({ head }) => head);
const cells = (columns: readonly TableColumn[], result: EvaluationResult): readonly string[] =>
  layColumns(columns, [result]).map(({ cell }) => cell(result));

describe('benchmark columns', () => {
  it('show for a shop the score in percent and success, with intervals', () => {
    const { columns } = benchPresetFor(shopEnv);
    const result = gradedResult([1, 0.5, 0.25, 0], { seconds: 754 });
    expect(heads(columns, [result])).toEqual(['Score', 'Success', 'turns', 'time']);
    expect(cells(columns, result)).toEqual(['43.8 [33.8, 53.8]', '25.0 [4.6, 69.9]', '3.0', '13 min']);
    expect(renderTable([result], { columns })).toContain(
      'Success in %, score as mean reward times 100, with 95 % intervals;',
    );
  });

  it('show for a household the published families in order, and other families after them', () => {
    const { columns } = benchPresetFor(householdEnv);
    const result = gradedResult([1, 0, 1, 0]); // cool, heat, look, cool
    expect(heads(columns, [result])).toEqual([
      'Pick (0)',
      'Look (1)',
      'Clean (0)',
      'Heat (1)',
      'Cool (2)',
      'Pick2 (0)',
      'All',
      'turns',
      'time',
    ]);
    expect(cells(columns, result).slice(0, 5)).toEqual([
      '-',
      '100.0 [20.7, 100.0]',
      '-',
      '0.0 [0.0, 79.3]',
      '50.0 [9.5, 90.5]',
    ]);
    const other = {
      ...result,
      byFamily: {
        ...result.byFamily,
        slice: result.success && { ...result.success, tasks: 7, score: result.score },
      },
    };
    expect(heads(columns, [other])).toEqual([
      'Pick (0)',
      'Look (1)',
      'Clean (0)',
      'Heat (1)',
      'Cool (2)',
      'Pick2 (0)',
      'slice (7)',
      'All',
      'turns',
      'time',
    ]);
  });

  it('show a dash for an interval of zero width, where all tasks came out alike', () => {
    const halves = summarise(
      [
        {
          seed: 1,
          groups: makeGroups([
            ['solved', 'failed'],
            ['failed', 'solved'],
          ]),
        },
      ],
      makeFacts(2),
    );
    expect(halves.success).toEqual({ rate: 0.5, low: 0.5, high: 0.5 });
    expect(
      cells(
        [
          { kind: 'success', title: 'All' },
          { kind: 'score', title: 'score' },
        ],
        halves,
      ),
    ).toEqual(['50.0 [–]', '50.0 [–]']);
    expect(panelTable([halves]).html).toContain('<td>50.0<br><small>–</small></td>');
  });

  it('show for any other env those of every table, and the time', () => {
    expect(heads(benchPresetFor({ id: 'my-lab/maze-v1' }).columns, [gradedResult([1, 0, 1])])).toEqual([
      'cool (1)',
      'heat (1)',
      'look (1)',
      'All',
      'turns',
      'time',
    ]);
  });

  it('show the score in one format in every table, and omit it when it equals success', () => {
    const [plain, graded] = [gradedResult([1, 0, 1]), gradedResult([1, 0.4, 0])];
    expect(renderTable([plain])).not.toContain('score');
    const table = renderTable([plain, graded]);
    expect(table).toMatch(/^agent .* All +score +turns$/m);
    expect(table).toContain(' 46.7 [36.7, 56.7]    3.0');
    expect(table).toContain('Success in %, score as mean reward times 100, with 95 % intervals;');
    const { columns } = benchPresetFor(shopEnv);
    expect(cells(columns, graded)[0]).toBe('46.7 [36.7, 56.7]');
    expect(cells(columns, { ...graded, score: { mean: 0.4 } })[0]).toBe('40.0 [–]');
    expect(heads(columns, [plain])).toContain('Score'); // papers print both
  });

  it('show tokens per episode when any agent has them', () => {
    const columns: readonly TableColumn[] = [{ kind: 'tokens' }];
    const tokens = {
      replies: 4,
      uncounted: 0,
      prompt: 12_345,
      completion: 100,
      reasoningCharacters: 0,
      shortened: 0,
    };
    const plain = gradedResult([1, 0, 1, 0]);
    const written = (over: Partial<typeof tokens> = {}): EvaluationResult => ({
      ...plain,
      tokens,
      episodes: plain.episodes.map((row, index) => ({
        ...row,
        tokens: { ...tokens, ...(index === 0 ? over : {}) },
      })),
    });
    expect(heads(columns, [plain])).toEqual([]);
    expect(heads(columns, [plain, written()])).toEqual(['tokens in', 'tokens out']);
    expect(cells(columns, written())).toEqual(['12,345', '100']);
    expect(cells(columns, written({ uncounted: 1 }))).toEqual(['over 12,345', 'over 100']);
    const uncounted = written();
    expect(
      cells(columns, {
        ...uncounted,
        episodes: uncounted.episodes.map((row) => ({ ...row, tokens: { ...tokens, uncounted: 4 } })),
      }),
    ).toEqual(['not counted', 'not counted']);
    expect(layColumns(columns, [plain, written()]).map(({ cell }) => cell(plain))).toEqual(['-', '-']);
    const faulted = written({ prompt: 99_999, completion: 99 }); // of what faulted neither turns nor tokens are in the means
    expect(
      cells(columns, {
        ...faulted,
        episodes: faulted.episodes.map((row, index) => (index === 0 ? { ...row, outcome: 'faulted' } : row)),
      }),
    ).toEqual(['12,345', '100']);
  });

  it.each([
    [4.25, '4.3 s'],
    [99.94, '99.9 s'],
    [99.96, '2 min'],
    [3_540, '59 min'],
    [5_971, '1.7 h'],
  ])('show %d seconds as %s', (seconds, said) => {
    expect(cells([{ kind: 'time' }], gradedResult([1], { seconds }))).toEqual([said]);
  });
});

describe('block of a text agent', () => {
  it('shows model, server, prompt, history, decoding and limit', () => {
    const remote = {
      model: 'Qwen/Qwen3-8B',
      server: 'localhost:8000',
      prompt: { name: 'own', fingerprint: `sha256:${'ab'.repeat(32)}` },
      maxTokens: 512,
    };
    const shown = {
      kind: 'text',
      admissible: false,
      history: 'last 3 steps',
      decoding: { kind: 'server' },
      remote,
    } as const;
    const choice = gradedResult([1, 0, 1]);
    const table = renderTable([
      { ...choice, agent: 'writer', shown },
      choice,
      { ...choice, agent: 'other', shown: { ...shown, remote: { ...remote, maxTokens: 64 } } },
    ]);
    const line =
      'model Qwen/Qwen3-8B at localhost:8000; prompt own (sha256:abababababab); admissible actions not shown; history: last 3 steps; decoding: as the server is set; at most 512 tokens a reply; seed 1; one episode a task';
    expect(table).toContain(`  writer: ${line}`);
    expect(table).toContain(`  other: ${line.replace('512', '64')}`);
    const [choices = '', texts = ''] = table
      .slice(0, table.indexOf('Choice agents: adm'))
      .split('Text agents: write their actions');
    expect([
      choices.includes('walker'),
      choices.includes('writer'),
      texts.includes('walker'),
      texts.includes('writer'),
    ]).toEqual([true, false, false, true]);
  });
});
