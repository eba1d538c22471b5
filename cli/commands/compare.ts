import { resolve } from 'node:path';
import { z } from 'zod';
import type { SidesComparison } from '../../lab/compare/compare-sides.ts';
import type { Side } from '../../lab/compare/side.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { RunError, UsageError } from '../../envs/core/errors.ts';
import { assertNew, writeNew } from '../options/new-file.ts';
import { numberBetween } from '../options/option-values.ts';

const file = z.string().min(1, 'must be a file').optional();

const options = z.strictObject({
  results: z.array(z.string()),
  panel: z.string().optional(),
  decoding: z.enum(['sampled', 'greedy']).optional(),
  threshold: numberBetween(0, 1).optional(),
  out: file,
  page: file,
});

export const compareCommand = defineCommand({
  arguments: [
    {
      name: 'results',
      says: 'folders of finished runs, or result files of `cairn-gym eval` and `cairn-gym bench`; NAME=RUN,RUN,RUN pools seeds of one method, and so does a pattern, "NAME=runs/g-*"; a folder that holds runs is all of them, pooled where they differ only in the seed; each is compared with the first',
      required: true,
      rest: true,
    },
  ],
  flags: [
    {
      flags: '--panel <name>',
      says: 'for runs: the held-out panel whose results are compared (default: the first of the final evaluation)',
    },
    { flags: '--decoding <kind>', says: 'for runs: sampled or greedy (default: as each evaluates on dev)' },
    {
      flags: '--threshold <share>',
      says: 'also print the environment steps to reach this success on dev, such as 0.85, with the median over seeds',
    },
    {
      flags: '--page <file>',
      says: 'write a page with the tables and the learning curves of all runs there',
    },
    {
      flags: '--out <file>',
      says: 'write the document with the pooled results there; `cairn-gym compare` can read it',
    },
  ],
  examples: [
    {
      line: 'npx cairn-gym compare gigpo=runs/g-0,runs/g-1,runs/g-2 grpo=runs/r-0,runs/r-1,runs/r-2',
      says: 'two methods with three seeds each, from stored results: nothing is played',
    },
    {
      line: 'npx cairn-gym compare gigpo=runs/g-0,runs/g-1 grpo=runs/r-0,runs/r-1 --threshold 0.85 --page compare.html',
      says: 'with steps to 85 % on dev, and a page of learning curves',
    },
    {
      line: "npx cairn-gym compare 'gigpo=runs/g-*' 'grpo=runs/r-*'",
      says: 'the same runs by patterns, in quotes so that the shell leaves them alone',
    },
    { line: 'npx cairn-gym eval household --agent random --out random.json', says: 'creates a result file' },
    {
      line: 'npx cairn-gym compare gigpo.json grpo.json random.json',
      says: 'one table, and GiGPO against each of the others',
    },
    {
      line: 'npx cairn-gym compare GiGPO=one-bench.json GRPO=other-bench.json',
      says: 'one row of each file that `cairn-gym bench --out` wrote',
    },
  ],
  options,
  run: compareWords,
});

/** Compares results that words of the command line name, and writes the files that are named. */
export async function compareWords(
  {
    results: words,
    panel,
    decoding,
    threshold,
    out,
    page,
  }: Partial<z.output<typeof options>> & Pick<z.output<typeof options>, 'results'>,
  session: CommandContext,
): Promise<Outcome> {
  if (out !== undefined && page !== undefined && resolve(out) === resolve(page))
    throw new UsageError({
      where: 'cairn-gym compare, --out and --page',
      what: 'both name the same file.',
      fix: 'Name two.',
    });
  for (const path of [out, page]) if (path !== undefined) await assertNew(path);
  const { readSides } = await import('../../lab/compare/read-sides.ts');
  const { compareSides } = await import('../../lab/compare/compare-sides.ts');
  const { describeSides } = await import('../../lab/compare/describe-sides.ts');
  const { figuresBySeed } = await import('../../lab/compare/side.ts');
  const { renderTable } = await import('../../trainers/results/table.ts');
  const sides: Side[] = [];
  // one after the other, so that the first wrong one is reported
  for (const word of words) sides.push(...(await readSides(word, { panel, decoding })));
  if (sides.length < 2 && !sides.some(({ members }) => members.length > 1)) {
    throw new UsageError({
      where: 'cairn-gym compare',
      what: 'it needs at least two results.',
      fix: 'Name the folders of runs, or files that `cairn-gym eval --out` wrote.',
    });
  }
  const compared = compareSides(sides, threshold);
  const results = compared.sides.map(({ result }) => result);
  const { comparisons, settings, steps, notes, unmeasured } = compared;
  const methods = results.map((result) => ({
    name: result.agent,
    ...methodOf(result),
    bySeed: figuresBySeed(result),
  }));
  const document = {
    comparisons,
    methods,
    settings,
    ...(steps === undefined ? {} : { stepsToThreshold: steps }),
    notes,
  };
  const files: readonly NamedContent[] = [
    ...(out === undefined ? [] : [{ path: out, content: `${JSON.stringify({ ...document, results })}\n` }]),
    ...(page === undefined ? [] : [{ path: page, content: await renderPage(compared) }]),
  ];
  const unwritten = await writeAll(files);
  const mishap = unwritten ?? (unmeasured.length === 0 ? undefined : nothingToCompare(unmeasured));
  return {
    document,
    lines: [
      renderTable(results, { bold: session.terminal.out.decorated, explained: true }),
      ...describeSides(compared),
    ],
    ...(mishap === undefined ? {} : { mishap }),
  };
}

/** What the document says about a method besides its seeds. */
const methodOf = ({
  panel,
  success,
  score,
  interval,
  training,
}: EvaluationResult): Pick<EvaluationResult, 'panel' | 'success' | 'score' | 'interval' | 'training'> => ({
  panel,
  success,
  score,
  interval,
  ...(training === undefined ? {} : { training }),
});

async function renderPage(compared: SidesComparison): Promise<string> {
  const { renderComparison } = await import('../../lab/report/comparison-page.ts');
  return renderComparison(compared);
}

interface NamedContent {
  readonly path: string;
  readonly content: string;
}

/** Returns an error, if any: the comparison is printed regardless. */
async function writeAll(files: readonly NamedContent[]): Promise<unknown> {
  try {
    for (const { path, content } of files) await writeNew(path, content);
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

const nothingToCompare = (results: readonly EvaluationResult[]): RunError =>
  new RunError({
    where: results.map(({ agent }) => agent).join(', '),
    what: 'nothing was measured: every episode was faulted, or not one reply could be read.',
    fix: 'Fix what the lines below the table say, and evaluate again.',
  });
