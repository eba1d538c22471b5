import { z } from 'zod';
import type { ResetContext } from '../../../core/context.ts';
import { UsageError } from '../../../core/errors.ts';
import { loadQuestions, splitQuestions } from './load-questions.ts';
import { questionForms, type QuestionForm } from './question-forms.ts';
import { questionSource, type PanelName, type QuestionSource } from './question-source.ts';
import type { Question } from './question.ts';

const path = z.string().min(1);

/** Config keys for files of questions. */
export const questionFiles = {
  questions: z
    .union([
      path,
      z
        .strictObject({
          train: path.optional().describe('questions to train on'),
          dev: path.optional().describe('questions for choices between checkpoints'),
          test: path.optional().describe('held-out questions'),
        })
        .refine((files) => Object.values(files).some((file) => file !== undefined), 'names no file'),
    ])
    .optional()
    .describe(
      'a file of questions, split into train, dev and test by their text, or a file for each of these',
    ),
  questionForm: z
    .enum(questionForms)
    .default('auto')
    .describe('form of the files: JSON lines of question and answers, or that of a data set'),
} as const;

const filesSchema = z.object(questionFiles);
export type QuestionFiles = NonNullable<z.output<typeof filesSchema>['questions']>;

/**
 * Opens files of questions. The log reports rows that are no questions, and repeated ones.
 *
 * @throws UsageError where a file cannot be read, or a question is in two panels
 */
export async function openQuestionFiles(
  { env, files, form }: { readonly env: string; readonly files: QuestionFiles; readonly form: QuestionForm },
  { path: unit, signal, log }: ResetContext,
): Promise<QuestionSource> {
  const load = async (file: string | undefined): Promise<readonly Question[]> => {
    if (file === undefined) return [];
    const { questions, bad, firstBad, repeated, unanswerable } = await loadQuestions(file, form, signal);
    const tell = (name: string, count: number): void => {
      if (count > 0) log.event(unit, { type: 'opening-tally', part: 'questions', name, count });
    };
    tell(`rows that are no questions (${firstBad.join('; ')})`, bad);
    tell('repeated questions, which were left out', repeated);
    tell('questions with `answerable: false`, which were left out', unanswerable);
    return questions;
  };
  const lists =
    typeof files === 'string'
      ? splitQuestions(await load(files))
      : { train: await load(files.train), dev: await load(files.dev), test: await load(files.test) };
  assertApart(`${env}, questions`, lists);
  const panelOf = (name: PanelName) => ({ size: lists[name].length, list: () => lists[name] });
  return questionSource(
    { train: panelOf('train'), dev: panelOf('dev'), test: panelOf('test') },
    {
      env,
      summary: (name) => `${lists[name].length} questions from a file`,
      misleads: () => undefined,
    },
  );
}

/** @throws UsageError where a question is in two panels */
function assertApart(where: string, lists: Readonly<Record<PanelName, readonly Question[]>>): void {
  const seen = new Map<string, string>();
  for (const [name, list] of Object.entries(lists)) {
    for (const { question } of list) {
      const other = seen.get(question);
      if (other !== undefined && other !== name)
        throw new UsageError({
          where,
          what: `${JSON.stringify(question.slice(0, 200))} is in ${other} and in ${name}.`,
          fix: 'Remove it from one of the files: results would be about questions that were trained on.',
        });
      seen.set(question, name);
    }
  }
}
