import { describe, expect, it } from 'vitest';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import { summarise } from '../../../trainers/results/summarise.ts';
import { renderTable, shortFingerprint } from '../../../trainers/results/table.ts';
import { makeFacts, makeGroups, makePanel, type Ending } from '../evaluate/make-trajectories.ts';

const resultOf = (agent: string, pattern: string, shown: Partial<EvaluationResult['shown']> = {}) =>
  summarise(
    [
      {
        seed: 1,
        groups: makeGroups(
          Array.from(pattern, (mark): Ending[] => [
            mark === '+' ? 'solved' : mark === '!' ? 'faulted' : 'failed',
          ]),
        ),
      },
    ],
    makeFacts(pattern.length, { agent, shown: { ...makeFacts(1).shown, ...shown } }),
  );

describe('renderTable', () => {
  it('aligns agents and families below a description of the setup', () => {
    const table = renderTable([resultOf('choice:3f2a', '+++-+-'), resultOf('choice:beef', '------')]);
    expect(table).toBe(
      [
        `maze-v1, panel dev (${shortFingerprint(makePanel(6).fingerprint)}), 6 tasks`,
        'size 5',
        'Success in %, with 95 % intervals; faults that are left count as failures.',
        '',
        'agent                cool (2)             heat (2)          look (2)                All  turns',
        `── Choice agents: pick among listed actions ${'─'.repeat(50)}`,
        'choice:3f2a  50.0 [9.5, 90.5]  100.0 [34.2, 100.0]  50.0 [9.5, 90.5]  66.7 [30.0, 90.3]    3.0',
        'choice:beef   0.0 [0.0, 65.8]      0.0 [0.0, 65.8]   0.0 [0.0, 65.8]    0.0 [0.0, 39.0]    3.0',
        '',
        'Choice agents: admissible actions shown; history: all steps; decoding: greedy; checkpoint: iteration-40; seed 1; one episode a task',
        '',
      ].join('\n'),
    );
  });

  it('says that an untrained policy has random weights', () => {
    expect(renderTable([resultOf('untrained', '+--', { checkpoint: 'warm-start' })])).toContain(
      'checkpoint: warm-start, of random weights;',
    );
    expect(renderTable([resultOf('cloned', '+--', { checkpoint: 'warm-start' })])).toContain(
      'checkpoint: warm-start;',
    );
  });

  it('separates choice, text and scripted agents by rules, and describes each kind below', () => {
    const table = renderTable([
      resultOf('writer', '++-', { kind: 'text', admissible: false }),
      resultOf('picker', '+++'),
      resultOf('random', '---', { kind: 'scripted', decoding: { kind: 'none' } }),
    ]);
    const order = [
      '── Choice agents',
      'picker',
      '── Text agents',
      'writer',
      '── Scripted agents',
      'random',
      'Choice agents: admissible',
      'not shown',
      'decoding: none',
    ];
    const places = order.map((text) => table.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('shows agents side by side by section when rows are wider than the terminal', () => {
    const results = [
      resultOf('cloned', '+++-+-'),
      resultOf('GiGPO', '++++++'),
      resultOf('random', '------', { kind: 'scripted' }),
    ];
    const wide = renderTable(results);
    const longest = Math.max(
      ...wide
        .split('\n')
        .filter((line) => /^(?:agent|cloned|GiGPO|random) /.test(line))
        .map((line) => line.length),
    );
    expect(renderTable(results, { width: longest })).toBe(wide);
    expect(
      renderTable(results, { width: longest - 1 })
        .split('\n')
        .slice(5),
    ).toEqual([
      'agent                  cloned                GiGPO',
      'cool (2)     50.0 [9.5, 90.5]  100.0 [34.2, 100.0]',
      'heat (2)  100.0 [34.2, 100.0]  100.0 [34.2, 100.0]',
      'look (2)     50.0 [9.5, 90.5]  100.0 [34.2, 100.0]',
      'All         66.7 [30.0, 90.3]  100.0 [61.0, 100.0]',
      'turns                     3.0                  3.0',
      '',
      'Scripted agents: not trained',
      'agent              random',
      'cool (2)  0.0 [0.0, 65.8]',
      'heat (2)  0.0 [0.0, 65.8]',
      'look (2)  0.0 [0.0, 65.8]',
      'All       0.0 [0.0, 39.0]',
      'turns                 3.0',
      '',
      'Choice agents: admissible actions shown; history: all steps; decoding: greedy; checkpoint: iteration-40; seed 1; one episode a task',
      'Scripted agents: admissible actions shown; history: all steps; decoding: greedy; checkpoint: iteration-40; seed 1; one episode a task',
      '',
    ]);
  });

  it('describes the setup agent by agent when it differs', () => {
    const table = renderTable([
      resultOf('a', '++-'),
      resultOf('b', '++-', { decoding: { kind: 'sampled', temperature: 0.4 } }),
    ]);
    expect(table).toContain('  a: admissible actions shown; history: all steps; decoding: greedy');
    expect(table).toContain('  b: admissible actions shown; history: all steps; decoding: sampled at 0.4');
    const filtered = { kind: 'sampled', temperature: 1, topK: 20, topP: 0.9, minP: 0.05 } as const;
    expect(renderTable([resultOf('a', '++-', { decoding: filtered })])).toContain(
      'decoding: sampled at 1, top-k 20, top-p 0.9, min-p 0.05; checkpoint',
    );
  });

  it('marks agents with too many faults, and prints both bounds', () => {
    const table = renderTable([resultOf('a', '++!')]);
    expect(table).toContain('a (!)');
    expect(table).toContain(
      'a: 1 fault left (33.3 % of episodes) after 0 retries; success 66.7 % with faults as failures, 100.0 % without them; that is above 1 %',
    );
  });

  it('prints no control characters unless requested, whatever the names contain', () => {
    const hostile = resultOf('\u001b[31mred\u001b]0;title\u0007 agent\n\u202e', '+-+', {
      history: '\u009b2Jall',
      checkpoint: 'a\rb',
    });
    const table = renderTable([hostile]);
    expect(table).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(table).toContain('red agent');
    expect(renderTable([hostile], { bold: true })).toContain('\u001b[1mmaze-v1');
  });

  it('prints what distinguishes the results: the identity, or else the config', () => {
    const identity = {
      catalogue: { kind: 'generated', products: 1000 },
      nouns: 'tagger 2\u001b[2J',
      modes: ['text'],
    };
    const [, line] = renderTable([{ ...resultOf('a', '+-'), identity }]).split('\n');
    expect(line).toBe('catalogue.kind generated; catalogue.products 1000; nouns tagger 2; modes.0 text');
    const head = (config: EvaluationResult['config']): string | undefined =>
      renderTable([{ ...resultOf('a', '+-'), config }]).split('\n')[1];
    expect([head({ dialect: 'classic', maxSteps: 50 }), head({})]).toEqual([
      'dialect classic; maxSteps 50',
      expect.stringMatching(/^Success in %/),
    ]);
  });

  it('explains its columns on request', () => {
    const [, , plain] = renderTable([resultOf('a', '+-')], { explained: true }).split('\n');
    expect(plain).toBe(
      'Success in %, with 95 % intervals; faults that are left count as failures. Turns are means per episode without a fault.',
    );
    const tokens = {
      replies: 6,
      uncounted: 0,
      prompt: 60,
      completion: 6,
      reasoningCharacters: 0,
      shortened: 0,
    };
    const columns = [
      { kind: 'success', title: 'All' },
      { kind: 'turns' },
      { kind: 'time' },
      { kind: 'tokens' },
    ] as const;
    expect(
      renderTable([{ ...resultOf('a', '+-', { kind: 'text' }), tokens }], { explained: true, columns }).split(
        '\n',
      )[2],
    ).toMatch(
      /failures\. Turns and tokens are means per episode without a fault; time is that of the whole row, by the clock\.$/,
    );
    expect(
      renderTable([resultOf('a', '+-')], {
        explained: true,
        columns: [{ kind: 'success', title: 'All' }],
      }).split('\n')[2],
    ).toMatch(/failures\.$/);
  });

  it('refuses different panels, and says when there are no results', () => {
    expect(() => renderTable([resultOf('a', '+-'), resultOf('b', '+-+')])).toThrow(/different panels/);
    expect(renderTable([])).toBe('No results.\n');
  });
});
