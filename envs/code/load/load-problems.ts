import type { ResetContext } from '../../core/context.ts';
import { UsageError } from '../../core/errors.ts';
import type { CodeConfig } from '../config.ts';
import type { Judge } from '../judge/judge.ts';
import type { Problem } from '../problems/problem.ts';
import { holdSolutions } from './hold-solutions.ts';
import { apartFrom, dealProblems, type DealtProblems } from './panels.ts';
import { readProblems, type FileSource, type ReadProblems } from './read-problems.ts';
import { countLeftOut, describeUnusable, isUnusable, refusalOf, type Unusable } from './unusable.ts';

/** What opening needs besides the config. The log reports what was left out. */
export type LoadContext = Pick<ResetContext, 'signal' | 'log' | 'path'>;

/** Problems by the purpose of their file; undefined where no file is configured. */
interface Files {
  readonly heldOut: readonly Problem[] | undefined;
  readonly toLearn: readonly Problem[] | undefined;
}

/**
 * Reads the configured problems, and judges their own solutions by their tests.
 *
 * @throws UsageError that names what is wrong
 */
export async function loadProblems(
  config: CodeConfig,
  judge: Judge,
  context: LoadContext,
): Promise<DealtProblems> {
  const source = sourceOf(config);
  const { unusable: unread, ...files } = await readFiles(source, context);
  refuse(source, unread); // before solutions run, which takes long
  assertLanguage(config, problemsOf(files));
  const { unusable: failed, ...held } = config.checkSolutions
    ? await holdFiles(files, { judge, config }, context)
    : { ...files, unusable: [] };
  refuse(source, failed);
  const unusable = [...unread, ...failed];
  const whole = problemsOf(held);
  const unchecked = whole.filter(({ solutions }) => solutions[config.language] === undefined).length;
  const tallies = [
    ...countLeftOut(unusable),
    ...(unchecked === 0
      ? []
      : [
          [
            `without a solution in ${config.language}, so that nothing has checked their tests`,
            unchecked,
          ] as const,
        ]),
  ];
  for (const [name, count] of tallies)
    context.log.event(context.path, {
      type: 'opening-tally',
      part: `problems of kind ${source.kind}`,
      name,
      count,
    });
  if (whole.length === 0) throw emptied(source, unusable);
  return dealProblems(source, held.toLearn, held.heldOut);
}

const problemsOf = ({ heldOut = [], toLearn = [] }: Files): readonly Problem[] => [...heldOut, ...toLearn];

function sourceOf({ problems: source, pieces }: CodeConfig): FileSource {
  if (source.kind === 'own')
    throw new UsageError({
      where: 'config of code-v1, problems',
      what: 'built-in problems are not in files.',
      fix: 'Leave it out.',
    });
  if (pieces > 0)
    throw new UsageError({
      where: 'config of code-v1, pieces',
      what: 'problems from files have no pieces.',
      fix: 'Remove it: programs for such problems are written.',
    });
  return source;
}

/** Reads both files, and lists what cannot be used. Held-out problems are removed from those for training. */
async function readFiles(
  source: FileSource,
  context: LoadContext,
): Promise<Files & { readonly unusable: readonly Unusable[] }> {
  const heldOut = await readNamed(source, source.kind === 'suites' ? source.files : source.file, context);
  const toLearn = await readNamed(source, source.train, context);
  const own = toLearn && apartFrom(heldOut?.problems ?? [], toLearn.problems);
  return {
    heldOut: heldOut?.problems,
    toLearn: own?.problems,
    unusable: [heldOut, toLearn, own].flatMap((read) => read?.unusable ?? []),
  };
}

async function readNamed(
  source: FileSource,
  file: string | undefined,
  { signal, log, path }: LoadContext,
): Promise<ReadProblems | undefined> {
  if (file === undefined) return undefined;
  return readProblems(source, file, {
    signal,
    onRead: (come) => log.event(path, { type: 'opening-advance', part: file, ...come }),
  });
}

/** The files' problems whose solutions passed their tests, or that have none. */
async function holdFiles(
  files: Files,
  bench: Parameters<typeof holdSolutions>[1],
  context: LoadContext,
): Promise<Files & { readonly unusable: readonly Unusable[] }> {
  const tried = await holdSolutions(problemsOf(files), bench, context);
  const border = files.heldOut?.length ?? 0;
  const usable = (part: typeof tried): readonly Problem[] =>
    part.filter((each): each is Problem => !isUnusable(each));
  return {
    heldOut: files.heldOut && usable(tried.slice(0, border)),
    toLearn: files.toLearn && usable(tried.slice(border)),
    unusable: tried.filter(isUnusable),
  };
}

function refuse({ failing }: FileSource, unusable: readonly Unusable[]): void {
  if (failing === 'refuse' && unusable.length > 0) throw refusalOf(unusable);
}

function assertLanguage({ language, problems: { kind } }: CodeConfig, problems: readonly Problem[]): void {
  if (language === 'python' || !problems.some(({ hidden }) => hidden.some((test) => test.kind === 'script')))
    return;
  throw new UsageError({
    where: 'config of code-v1, language',
    what: `the tests of ${kind} are in Python.`,
    fix: 'Set language=python.',
  });
}

/** The error for a source without usable problems. */
function emptied({ kind }: FileSource, unusable: readonly Unusable[]): UsageError {
  const where = `problems of kind ${kind}`;
  if (unusable.length === 0)
    return new UsageError({
      where,
      what: 'it contains no problems.',
      fix: 'Name a file or folder that contains problems.',
    });
  return new UsageError({
    where,
    what: `every one of them was left out: ${describeUnusable(unusable)}.`,
    fix: 'Set problems.failing=refuse to list them with their fixes, or name a file or folder with other problems.',
  });
}
