import { z } from 'zod';
import type { Outcome } from '../command.ts';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../../envs/core/errors.ts';

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
  const { assertComparable, compareResults } = await import('../../trainers/evaluate/compare.ts');
  const { describeComparison } = await import('../../trainers/evaluate/describe-comparison.ts');
  const { renderTable } = await import('../../trainers/evaluate/table.ts');
  const { tellApart } = await import('../../trainers/evaluate/tell-apart.ts');
  const read = await Promise.all(files.map(readResult));
  assertComparable(read);
  const names = tellApart(read);
  const results = read.map((result, index) => ({ ...result, agent: names[index] ?? result.agent }));
  const [first, ...others] = results;
  const comparisons = first === undefined ? [] : others.map((other) => compareResults(first, other));
  return { document: { comparisons }, lines: [renderTable(results), ...comparisons.map(describeComparison)] };
}
