import { createHash } from 'node:crypto';
import { UsageError } from '../../../core/errors.ts';
import { describeIssues } from '../../../core/issues.ts';
import { readUserFile } from '../../../core/user-file.ts';
import { readRows } from '../../retrieval/read/read-rows.ts';
import type { Row } from '../../retrieval/read/row.ts';
import type { Question } from './question.ts';
import { isUnanswerable, nqWithoutHeader, readQuestionRow, type QuestionForm } from './question-forms.ts';

export interface LoadedQuestions {
  readonly questions: readonly Question[];
  /** Rows that are no questions, with the first few reasons. */
  readonly bad: number;
  readonly firstBad: readonly string[];
  /** Questions that an earlier row has with the same answers. */
  readonly repeated: number;
  /** Questions that their documents do not answer, by the file. They are left out. */
  readonly unanswerable: number;
}

const namedAtMost = 5;
const mostBytes = 500 * 2 ** 20;

/**
 * Loads a file of questions: JSON lines, a list in JSON, CSV, TSV or Parquet. Bad rows are counted and named.
 *
 * @throws UsageError where the file cannot be read, has no question, or has more bad rows than good ones
 */
export async function loadQuestions(
  file: string,
  form: QuestionForm,
  signal: AbortSignal,
): Promise<LoadedQuestions> {
  const questions: Question[] = [];
  const firstBad: string[] = [];
  const seen = new Set<string>();
  let [bad, repeated, unanswerable, good] = [0, 0, 0, 0];
  for await (const rows of rowsOf(file, signal)) {
    for (const row of rows) {
      if (row.kind === 'row' && isUnanswerable(row.value, form)) {
        unanswerable += 1;
        continue;
      }
      const read = row.kind === 'row' ? readQuestionRow(row.value, form) : undefined;
      if (row.kind === 'bad' || read?.success !== true) {
        bad += 1;
        const why =
          row.kind === 'bad' ? row.why : read?.error === undefined ? '' : describeIssues(read.error);
        if (firstBad.length < namedAtMost) firstBad.push(`${row.place}: ${why}`);
        continue;
      }
      good += 1;
      const { id = row.place, ...question } = read.data;
      const key = JSON.stringify([question.question, question.answers]);
      if (seen.has(key)) repeated += 1;
      else questions.push({ ...question, id, path: [], traps: 0 });
      seen.add(key);
    }
  }
  if (questions.length > 0 && bad <= good + unanswerable)
    return { questions, bad, firstBad, repeated, unanswerable };
  const reasons = firstBad.length === 0 ? '' : ` ${firstBad.join('; ')}.`;
  const all =
    unanswerable > 0 && bad === 0 ? ` All ${unanswerable} are marked with \`answerable: false\`.` : '';
  throw new UsageError({
    where: file,
    what:
      questions.length === 0
        ? `it has no questions.${reasons}${all}`
        : `${bad} of its ${bad + good + unanswerable} rows are no questions.${reasons}`,
    fix: 'Give one question a row, with `question` and `answers`, or set questionForm.',
  });
}

async function* rowsOf(file: string, signal: AbortSignal): AsyncGenerator<readonly Row[], void> {
  const list = file.toLowerCase().endsWith('.json') ? await listOf(file) : undefined;
  if (list === undefined) return yield* readRows(file, { signal, headerless: nqWithoutHeader });
  yield list.map((value, at): Row => {
    const place = `entry ${at + 1}`;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { kind: 'row', place, value: { ...value } }
      : { kind: 'bad', place, why: 'it is no JSON object' };
  });
}

/** The list of a JSON file, or undefined where it is JSON lines. */
async function listOf(file: string): Promise<readonly unknown[] | undefined> {
  const text = await readUserFile(file, {
    fix: 'Give a file of questions, as JSON lines where it is large.',
    maxBytes: mostBytes,
  });
  if (!/^\s*\[/.test(text)) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : undefined;
  } catch (thrown) {
    throw new UsageError(
      { where: file, what: 'it is a list in JSON that is cut off or damaged.', fix: 'Get the file again.' },
      { cause: thrown },
    );
  }
}

/** Splits questions by a digest of their text: 80 of 100 for training, 10 for `dev`, 10 for `test`. */
export function splitQuestions(
  questions: readonly Question[],
): Readonly<Record<'train' | 'dev' | 'test', readonly Question[]>> {
  const parts: Record<'train' | 'dev' | 'test', Question[]> = { train: [], dev: [], test: [] };
  for (const question of questions) {
    const share = createHash('sha256').update(question.question).digest().readUInt32LE(0) % 100;
    parts[share < 80 ? 'train' : share < 90 ? 'dev' : 'test'].push(question);
  }
  return parts;
}
