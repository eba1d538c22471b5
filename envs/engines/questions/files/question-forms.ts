import { z } from 'zod';
import { listInText } from './answer-list.ts';
import type { Question } from './question.ts';

/** The forms of files of questions. `auto` decides for each row. */
export const questionForms = [
  'auto',
  'plain',
  'nq',
  'hotpotqa',
  '2wiki',
  'musique',
  'bamboogle',
  'popqa',
] as const;
export type QuestionForm = (typeof questionForms)[number];

const text = z.string().min(1);
const id = z.union([z.string(), z.number()]).transform(String);
/** A text, or a number as its text. */
const answer = z.union([text, z.number().transform(String)]);
/** Answers: one, a list, or a list that is written as text, as in CSV. Empty texts in a list are no answers. */
const answers = z
  .union([
    answer.transform((one) => listInText(one) ?? [one]),
    z.array(z.union([z.string(), z.number().transform(String)])),
  ])
  .transform((list) => list.filter((one) => one !== ''))
  .refine((list) => list.length > 0, 'it has no answer');

type Read = Omit<Question, 'id' | 'path' | 'traps'> & { readonly id: string | undefined };

/** JSON lines of a question and its answers, as FlashRAG and Search-R1 have them: `golden_answers`. */
const plain = z
  .looseObject({
    id: id.optional(),
    question: text.optional(),
    query: text.optional(),
    answers: answers.optional(),
    golden_answers: answers.optional(),
    answer: answers.optional(),
    supporting: z.array(id).optional(),
    hops: z.int().min(1).max(100).optional(),
  })
  .transform((row, context): Read => {
    const question = row.question ?? row.query;
    const gold = row.answers ?? row.golden_answers ?? row.answer;
    if (question === undefined || gold === undefined) {
      context.addIssue({ code: 'custom', message: 'it has no question, or no answers' });
      return z.NEVER;
    }
    return { id: row.id, question, answers: gold, supporting: row.supporting ?? [], hops: row.hops };
  });

/** Natural Questions, open domain (Lee et al. 2019): `question` and a list `answer`. */
const nq = z
  .looseObject({
    id: id.optional(),
    question: text,
    answer: answers.optional(),
    golden_answers: answers.optional(),
  })
  .transform((row, context): Read => {
    const gold = row.answer ?? row.golden_answers;
    if (gold !== undefined)
      return { id: row.id, question: row.question, answers: gold, supporting: [], hops: undefined };
    context.addIssue({ code: 'custom', message: 'it has no answer' });
    return z.NEVER;
  });

const facts = z.array(z.tuple([text, z.int()]));
/** HotpotQA (Yang et al. 2018) and 2WikiMultihopQA (Ho et al. 2020): supporting facts are titles and sentences. */
const hotpot = z
  .looseObject({
    _id: id.optional(),
    id: id.optional(),
    question: text,
    answer,
    // on Hugging Face the pairs are two lists
    supporting_facts: z.union([facts, z.looseObject({ title: z.array(text) })]),
  })
  .transform((row): Read => {
    const titles = Array.isArray(row.supporting_facts)
      ? row.supporting_facts.map(([title]) => title)
      : row.supporting_facts.title;
    const supporting = [...new Set(titles)];
    return {
      id: row._id ?? row.id,
      question: row.question,
      answers: [row.answer],
      supporting,
      hops: Math.max(1, supporting.length),
    };
  });

/** MuSiQue (Trivedi et al. 2022). */
const musique = z
  .looseObject({
    id: id.optional(),
    question: text,
    answer,
    answer_aliases: z.array(z.union([z.string(), z.number().transform(String)])).default([]),
    paragraphs: z.array(z.looseObject({ title: z.string(), is_supporting: z.boolean() })).default([]),
    question_decomposition: z.array(z.unknown()).min(1),
  })
  .transform((row): Read => ({
    id: row.id,
    question: row.question,
    answers: [...new Set([row.answer, ...row.answer_aliases])].filter((one) => one !== ''),
    supporting: [
      ...new Set(row.paragraphs.filter((part) => part.is_supporting).map(({ title }) => title)),
    ].filter((title) => title !== ''),
    hops: row.question_decomposition.length,
  }));

/** Bamboogle (Press et al. 2023): two hops each. */
const bamboogle = z.looseObject({ Question: text, Answer: answer }).transform((row): Read => ({
  id: undefined,
  question: row.Question,
  answers: [row.Answer],
  supporting: [],
  hops: 2,
}));

/** PopQA (Mallen et al. 2023): `possible_answers` is a list, in its table as JSON. */
const popqa = z
  .looseObject({
    id: id.optional(),
    question: text,
    possible_answers: z.union([z.array(answer).min(1), text.transform(listIn)]),
    s_wiki_title: text.optional(),
  })
  .transform((row): Read => ({
    id: row.id,
    question: row.question,
    answers: row.possible_answers,
    supporting: row.s_wiki_title === undefined ? [] : [row.s_wiki_title],
    hops: 1,
  }));

function listIn(written: string, context: z.RefinementCtx): readonly string[] {
  const list = listInText(written)?.filter((one) => one !== '') ?? [];
  if (list.length > 0) return list;
  context.addIssue({ code: 'custom', message: 'it is no list in JSON' });
  return z.NEVER;
}

const schemas = { plain, nq, hotpotqa: hotpot, '2wiki': hotpot, musique, bamboogle, popqa } as const;

/** Reads a row, or says why it is no question. */
export function readQuestionRow(
  value: Readonly<Record<string, unknown>>,
  form: QuestionForm,
): z.ZodSafeParseResult<Read> {
  return schemas[form === 'auto' ? formOf(value) : form].safeParse(value);
}

/** Whether a row of MuSiQue says that its paragraphs do not answer it. */
export const isUnanswerable = (value: Readonly<Record<string, unknown>>, form: QuestionForm): boolean =>
  (form === 'auto' ? formOf(value) : form) === 'musique' && value['answerable'] === false;

/** The columns of NQ as DPR publishes it: no header, and after a tab the answers as a list of Python. */
export const nqWithoutHeader = (
  firstLine: string,
): { readonly columns: readonly string[]; readonly delimiter: string } | undefined =>
  /^[^\t]+\t"?\[.*\]"?\s*$/.test(firstLine)
    ? { columns: ['question', 'answer'], delimiter: '\t' }
    : undefined;

function formOf(value: Readonly<Record<string, unknown>>): Exclude<QuestionForm, 'auto'> {
  if ('question_decomposition' in value) return 'musique';
  if ('supporting_facts' in value) return 'hotpotqa';
  if ('possible_answers' in value) return 'popqa';
  return 'Question' in value && 'Answer' in value ? 'bamboogle' : 'plain';
}
