import { z } from 'zod';
import type { Comparison } from '../../trainers/evaluate/compare.ts';
import type { EvaluationResult } from '../../trainers/evaluate/result.ts';
import type { Outcome } from '../command.ts';
import { defineCommand } from '../define-command.ts';
import { RunError, UsageError } from '../../envs/core/errors.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';

export const compareCommand = defineCommand({
  name: 'compare',
  summary: 'compare evaluations task by task',
  arguments: [{ name: 'results', says: 'result files of `cairn eval`; each is compared with the first', required: true, rest: true }],
  flags: [],
  examples: [
    { line: 'cairn eval household --agent random --out random.json', says: 'makes a result' },
    { line: 'cairn compare gigpo.json grpo.json random.json', says: 'one table, and GiGPO against each of the others' },
  ],
  options: z.strictObject({ results: z.array(z.string()) }),
  run: ({ results }) => compare(results),
});

async function compare(files: readonly string[]): Promise<Outcome> {
  if (files.length < 2) {
    throw new UsageError({ where: 'cairn compare', what: 'it takes two results or more.', mend: 'Name the files that `cairn eval --out` wrote.' });
  }
  const { readResult } = await import('../read-result.ts');
  const { assertComparable, compareResults, nothingMeasured } = await import('../../trainers/evaluate/compare.ts');
  const { describeComparison } = await import('../../trainers/evaluate/describe-comparison.ts');
  const { renderTable } = await import('../../trainers/evaluate/table.ts');
  const { tellApart } = await import('../../trainers/evaluate/tell-apart.ts');
  const read = await Promise.all(files.map(readResult));
  assertComparable(read);
  const names = tellApart(read);
  const results = read.map((result, index) => ({ ...result, agent: names[index] ?? result.agent }));
  const [first, ...others] = results;
  const unmeasured = results.filter(nothingMeasured);
  const pairs = first === undefined ? [] : others.map((other) => ({ first, other, empty: [first, other].filter((result) => unmeasured.includes(result)) }));
  const compared = pairs.map((pair) => (pair.empty.length > 0 ? notCompared(pair) : compareResults(pair.first, pair.other)));
  return {
    document: { comparisons: compared },
    lines: [renderTable(results, { explained: true }), ...compared.map((one) => ('notCompared' in one ? describeNotCompared(one) : describeComparison(one)))],
    ...(unmeasured.length === 0 ? {} : { mishap: nothingToCompare(unmeasured) }),
  };
}

/** Two of which at least one measured nothing. */
interface NotCompared extends Pick<Comparison, 'first' | 'second' | 'panel'> {
  /** Why. */
  readonly notCompared: string;
}

function notCompared({ first, other, empty }: { readonly first: EvaluationResult; readonly other: EvaluationResult; readonly empty: readonly EvaluationResult[] }): NotCompared {
  return { first: first.agent, second: other.agent, panel: first.panel, notCompared: `nothing was measured of ${empty.map(({ agent }) => agent).join(' and ')}` };
}

const describeNotCompared = ({ first, second, notCompared: why }: NotCompared): string => terminalLine(`${first} against ${second}: not compared: ${why}.`);

const nothingToCompare = (results: readonly EvaluationResult[]): RunError =>
  new RunError({
    where: results.map(({ agent }) => agent).join(', '),
    what: 'nothing was measured: every episode was faulted, or not one reply could be read.',
    mend: 'Mend what the lines below the table say, and evaluate again.',
  });
