import { describe, expect, it } from 'vitest';
import { summariseRows } from '../../../trainers/results/summarise.ts';
import { resultTables } from '../../../lab/report/result-tables.ts';
import { makeFacts } from '../../trainers/evaluate/make-trajectories.ts';

/** The tables of one agent with an episode of each score. */
const tablesOf = (scores: readonly number[]): string =>
  resultTables([
    summariseRows(
      scores.map((score, index) => ({
        seed: 0,
        index,
        family: 'one',
        outcome: score === 1 ? 'solved' : 'failed',
        score,
        turns: 1,
      })),
      makeFacts(scores.length),
    ),
  ]).html;

describe('score in a report', () => {
  it('appears as in every table, times 100 with its interval', () => {
    expect(tablesOf([1, 0.5, 0.25, 0])).toMatch(
      /<th>score <small>× 100<\/small><\/th>.*<td>43\.8<br><small>\d+\.\d to \d+\.\d<\/small><\/td>/s,
    );
    expect(tablesOf([0.4])).toContain('<td>40.0<br><small>–</small></td>');
  });

  it('disappears when it equals success', () => {
    expect(tablesOf([1, 0, 1])).not.toContain('score');
  });
});
