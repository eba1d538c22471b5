import type { ResetContext } from '../../core/context.ts';
import { UsageError } from '../../core/errors.ts';
import type { CodeConfig } from '../config.ts';
import type { Judge } from '../judge/judge.ts';
import type { Problem } from '../problems/problem.ts';
import { holdSolutions, type Unusable } from './hold-solutions.ts';
import { humanEvalProblem, mbppProblem } from './python-problems.ts';
import { readRecords } from './read-records.ts';
import { readSuites } from './suites.ts';

/** Problems of files, as one panel. */
export interface LoadedProblems {
  readonly panel: string;
  readonly problems: readonly Problem[];
}

type FileSource = Exclude<CodeConfig['problems'], { readonly kind: 'own' }>;

/** What opening needs beside the config: what was left out is said in the log. */
export type LoadContext = Pick<ResetContext, 'signal' | 'log' | 'path'>;

/** Unusable problems that an error names, of each reason. */
const named = 5;

const reasons = ['failing', 'too-long'] as const;
const leftOut = { failing: 'left out, whose solution fails its own tests', 'too-long': 'left out, whose solution is longer than longestProgram' };
const refused = { failing: 'solutions fail their own tests', 'too-long': 'solutions are longer than a program may be' };

/** Reads the problems that the config names, and holds their own solutions to their tests. @throws UsageError that names what is wrong */
export async function loadProblems(config: CodeConfig, judge: Judge, context: LoadContext): Promise<LoadedProblems> {
  const { problems: source, language } = config;
  if (source.kind === 'own') throw new UsageError({ where: 'config of code-v1, problems', what: 'our own problems are in no file.', mend: 'Leave it out.' });
  if (config.pieces > 0) throw new UsageError({ where: 'config of code-v1, pieces', what: 'problems of files have no pieces.', mend: 'Leave it out: there, programs are written.' });
  const { problems, untested } = await read(source);
  const say = (name: string, count: number): void => {
    if (count > 0) context.log.event(context.path, { type: 'opening-tally', part: `problems of kind ${source.kind}`, name, count });
  };
  say('passed over, without tests', untested);
  assertNames(problems);
  if (language !== 'python' && problems.some(({ hidden }) => hidden.some(({ kind }) => kind === 'script'))) {
    throw new UsageError({ where: 'config of code-v1, language', what: `the tests of ${source.kind} are Python.`, mend: 'Set language=python.' });
  }
  const { whole, unusable } = config.checkSolutions ? await holdSolutions(problems, { judge, config }, context) : { whole: problems, unusable: [] };
  if (unusable.length > 0 && source.failing === 'refuse') throw refusal(unusable);
  for (const because of reasons) say(leftOut[because], unusable.filter((each) => each.because === because).length);
  if (whole.length === 0) throw emptied(source, unusable);
  return { panel: source.split, problems: whole };
}

async function read(source: FileSource): Promise<{ readonly problems: readonly Problem[]; readonly untested: number }> {
  if (source.kind === 'suites') return readSuites(source.files, source.visible);
  const records = await readRecords(source.file);
  return { problems: records.map(source.kind === 'humaneval' ? humanEvalProblem : mbppProblem), untested: 0 };
}

/** Names tell problems apart in what is said of them. @throws UsageError for one that comes twice */
function assertNames(problems: readonly Problem[]): void {
  const seen = new Set<string>();
  const twice = problems.find(({ name }) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw new UsageError({ where: 'problems of files', what: `two are called ${twice.name}.`, mend: 'Give each an id of its own, or remove one.' });
}

function refusal(unusable: readonly Unusable[]): UsageError {
  const isLong = unusable.some(({ because }) => because === 'too-long');
  return new UsageError({
    where: 'problems of files',
    what: `${describeUnusable(unusable)}.`,
    mend: `Leave these problems out with problems.failing=leave-out, mend them,${isLong ? ' raise longestProgram,' : ''} or set checkSolutions=false to take them as they are.`,
  });
}

/** What is wrong where no problem is left for the panel. */
function emptied(source: Pick<FileSource, 'kind' | 'split'>, unusable: readonly Unusable[]): UsageError {
  const where = `problems of kind ${source.kind}`;
  if (unusable.length === 0) return new UsageError({ where, what: 'there are none.', mend: 'Name a file or folder that has some.' });
  return new UsageError({
    where,
    what: `every one of them was left out, so that the panel ${source.split} is empty: ${describeUnusable(unusable)}.`,
    mend: 'Set problems.failing=refuse to be told which they are and how to mend them, or name a file or folder that has others.',
  });
}

/** The first of each reason, by name. */
function describeUnusable(unusable: readonly Unusable[]): string {
  const parts = reasons.map((because): string => {
    const all = unusable.filter((each) => each.because === because).map(({ what }) => what);
    const more = all.length > named ? ` and ${all.length - named} more` : '';
    return all.length === 0 ? '' : `${refused[because]}: ${all.toSorted().slice(0, named).join('; ')}${more}`;
  });
  return parts.filter((part) => part !== '').join('. Other ');
}
