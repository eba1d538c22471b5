import { UsageError } from '../../core/errors.ts';
import type { CodeConfig } from '../config.ts';
import type { Problem } from '../problems/problem.ts';
import { humanEvalProblem, mbppProblem } from './python-problems.ts';
import { readRecords, type FileRecord, type ReadOptions } from './read-records.ts';
import { suiteProblem, suiteRecords } from './suites.ts';
import type { Unusable } from './unusable.ts';

export type FileSource = Exclude<CodeConfig['problems'], { readonly kind: 'own' }>;

/** The problems of a file, and the invalid records. */
export interface ReadProblems {
  readonly problems: readonly Problem[];
  readonly unusable: readonly Unusable[];
}

/**
 * Reads a file or a folder record by record, in the format of the source.
 *
 * @throws UsageError for a file that cannot be read or is damaged, and for two problems of one name
 */
export async function readProblems(
  source: FileSource,
  file: string,
  reading: ReadOptions,
): Promise<ReadProblems> {
  const problems: Problem[] = [];
  const unusable: Unusable[] = [];
  for await (const record of source.kind === 'suites'
    ? suiteRecords(file, reading)
    : readRecords(file, reading)) {
    const problem = problemOr(source, record);
    if ('because' in problem) unusable.push(problem);
    else problems.push(problem);
  }
  assertNames(problems);
  return { problems, unusable };
}

function problemOr(source: FileSource, record: FileRecord): Problem | Unusable {
  try {
    const problem =
      source.kind === 'suites'
        ? suiteProblem(record, source.visible)
        : (source.kind === 'humaneval' ? humanEvalProblem : mbppProblem)(record);
    return problem ?? { because: 'untested', what: record.where };
  } catch (thrown) {
    if (!UsageError.is(thrown)) throw thrown;
    const { where, what } = thrown.parts;
    // becomes part of a sentence
    return { because: 'malformed', what: `${where}: ${what.replace(/\.$/, '')}` };
  }
}

/**
 * Checks that names are unique, because errors identify problems by name.
 *
 * @throws UsageError for a repeated name
 */
function assertNames(problems: readonly Problem[]): void {
  const seen = new Set<string>();
  const twice = problems.find(({ name }) => seen.size === seen.add(name).size);
  if (twice !== undefined)
    throw new UsageError({
      where: 'problems of files',
      what: `two problems have the name ${twice.name}.`,
      fix: 'Give each a unique id, or remove one.',
    });
}
