import { z } from 'zod';
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
const texts = z.union([text.transform((one) => [one]), z.array(text).min(1)]);

type Read = Omit<Question, 'id' | 'path' | 'traps'> & { readonly id: string | undefined };

/** JSON lines of a question and its answers, as FlashRAG and Search-R1 have them: `golden_answers`. */
const plain = z
  .looseObject({
    id: id.optional(),
    question: text.optional(),
    query: text.optional(),
    answers: texts.optional(),
    golden_answers: texts.optional(),
    answer: texts.optional(),
    supporting: z.array(id).optional(),
    hops: z.int().min(1).max(100).optional(),
  })
  .transform((row, context): Read => {
    const question = row.question ?? row.query;
    const answers = row.answers ?? row.golden_answers ?? row.answer;
    if (question === undefined || answers === undefined) {
      context.addIssue({ code: 'custom', message: 'it has no question, or no answers' });
      return z.NEVER;
    }
    return { id: row.id, question, answers, supporting: row.supporting ?? [], hops: row.hops };
  });

/** Natural Questions, open domain (Lee et al. 2019): `question` and a list `answer`. */
const nq = z
  .looseObject({
    id: id.optional(),
    question: text,
    answer: texts.optional(),
    golden_answers: texts.optional(),
  })
  .transform((row, context): Read => {
    const answers = row.answer ?? row.golden_answers;
    if (answers !== undefined)
      return { id: row.id, question: row.question, answers, supporting: [], hops: undefined };
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
    answer: text,
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
    answer: text,
    answer_aliases: z.array(text).default([]),
    paragraphs: z.array(z.looseObject({ title: text, is_supporting: z.boolean() })).default([]),
    question_decomposition: z.array(z.unknown()).min(1),
  })
  .transform((row): Read => ({
    id: row.id,
    question: row.question,
    answers: [...new Set([row.answer, ...row.answer_aliases])],
    supporting: [...new Set(row.paragraphs.filter((part) => part.is_supporting).map(({ title }) => title))],
    hops: row.question_decomposition.length,
  }));

/** Bamboogle (Press et al. 2023): two hops each. */
const bamboogle = z.looseObject({ Question: text, Answer: text }).transform((row): Read => ({
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
    possible_answers: z.union([z.array(text).min(1), text.transform(listIn)]),
    s_wiki_title: text.optional(),
  })
  .transform((row): Read => ({
    id: row.id,
    question: row.question,
    answers: row.possible_answers,
    supporting: row.s_wiki_title === undefined ? [] : [row.s_wiki_title],
    hops: 1,
  }));

function listIn(json: string, context: z.RefinementCtx): string[] {
  try {
    return z.array(text).min(1).parse(JSON.parse(json));
  } catch {
    context.addIssue({ code: 'custom', message: 'it is no list in JSON' });
    return z.NEVER;
  }
}

const schemas = { plain, nq, hotpotqa: hotpot, '2wiki': hotpot, musique, bamboogle, popqa } as const;

/** Reads a row, or says why it is no question. */
export function readQuestionRow(
  value: Readonly<Record<string, unknown>>,
  form: QuestionForm,
): z.ZodSafeParseResult<Read> {
  return schemas[form === 'auto' ? formOf(value) : form].safeParse(value);
}

function formOf(value: Readonly<Record<string, unknown>>): Exclude<QuestionForm, 'auto'> {
  if ('question_decomposition' in value) return 'musique';
  if ('supporting_facts' in value) return 'hotpotqa';
  if ('possible_answers' in value) return 'popqa';
  return 'Question' in value && 'Answer' in value ? 'bamboogle' : 'plain';
}
