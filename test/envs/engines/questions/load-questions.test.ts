import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadQuestions, splitQuestions } from '../../../../envs/engines/questions/files/load-questions.ts';
import type { QuestionForm } from '../../../../envs/engines/questions/files/question-forms.ts';
import { useFolder } from '../../../support/own-folder.ts';

const at = useFolder();
const { signal } = new AbortController();

async function load(name: string, content: string, form: QuestionForm = 'auto') {
  await writeFile(at(name), content);
  return loadQuestions(at(name), form, signal);
}

const lines = (...rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

describe('files of questions', () => {
  it.each<readonly [string, string, string, object]>([
    [
      'FlashRAG',
      'f.jsonl',
      lines({ id: 'test_0', question: 'q', golden_answers: ['a', 'b'] }),
      { id: 'test_0', answers: ['a', 'b'] },
    ],
    ['NQ', 'nq.jsonl', lines({ question: 'q', answer: ['a'] }), { id: 'line 1', answers: ['a'] }],
    [
      'plain',
      'p.jsonl',
      lines({ query: 'q', answer: 'a', supporting: [3, 'x'], hops: 2 }),
      { supporting: ['3', 'x'], hops: 2 },
    ],
    [
      'HotpotQA',
      'h.json',
      JSON.stringify([
        {
          _id: '5a',
          question: 'q',
          answer: 'a',
          supporting_facts: [
            ['T', 0],
            ['U', 2],
            ['T', 1],
          ],
          context: [['T', ['s']]],
          type: 'bridge',
          level: 'hard',
        },
      ]),
      { id: '5a', supporting: ['T', 'U'], hops: 2 },
    ],
    [
      '2Wiki on Hugging Face',
      '2.jsonl',
      lines({ id: 'x', question: 'q', answer: 'a', supporting_facts: { title: ['T'], sent_id: [0] } }),
      { supporting: ['T'], hops: 1 },
    ],
    [
      'MuSiQue',
      'm.jsonl',
      lines({
        id: '2hop__1_2',
        question: 'q',
        answer: 'a',
        answer_aliases: ['a', 'b'],
        answerable: true,
        paragraphs: [
          { idx: 0, title: 'T', paragraph_text: 't', is_supporting: true },
          { idx: 1, title: 'U', paragraph_text: 'u', is_supporting: false },
        ],
        question_decomposition: [{ id: 1 }, { id: 2 }],
      }),
      { answers: ['a', 'b'], supporting: ['T'], hops: 2 },
    ],
    ['Bamboogle', 'b.csv', 'Question,Answer\n"q","a"\n', { answers: ['a'], hops: 2 }],
    [
      'PopQA',
      'p.tsv',
      'id\tquestion\tpossible_answers\ts_wiki_title\n4\tq\t["a", "b"]\tT\n',
      { id: '4', answers: ['a', 'b'], supporting: ['T'], hops: 1 },
    ],
    [
      'NQ by DPR, without a header',
      'nq-test.csv',
      `q\t['a, b', "c's"]\nr, s\t"[""d""]"\n`,
      { id: 'line 1', answers: ['a, b', "c's"] },
    ],
    ['a list of JSON in CSV', 'l.csv', 'question,answers\nq,"[""a"", 1911]"\n', { answers: ['a', '1911'] }],
    [
      'a list of Python in CSV',
      'y.csv',
      `question,answers\nq,"['a', 'b\\'s',]"\n`,
      { answers: ['a', "b's"] },
    ],
    ['a title in brackets', 't.csv', 'question,answers\nq,[REC]\n', { answers: ['[REC]'] }],
    ['semicolons', 's.csv', 'question;answers\nq;a\n', { answers: ['a'] }],
    ['tabs', 'UP.TSV', 'question\tanswers\nq\ta, b\n', { answers: ['a, b'] }],
    ['a number', 'n.jsonl', lines({ question: 'q', answers: 1911 }), { answers: ['1911'] }],
    [
      'numbers',
      'm.jsonl',
      lines({ question: 'q', answer: [14, 'fourteen', ''] }),
      { answers: ['14', 'fourteen'] },
    ],
  ])('a file may have the form of %s', async (_name, file, content, question) => {
    expect((await load(file, content)).questions).toMatchObject([
      { question: 'q', ...question },
      ...(file === 'nq-test.csv' ? [{ answers: ['d'] }] : []),
    ]);
  });

  it('may have bad and repeated rows, which are counted and named', async () => {
    const loaded = await load(
      'bad.jsonl',
      `${lines({ question: 'q', answers: ['a'] }, { question: 'r' }, { question: 'q', answers: ['a'] })}\n{`,
    );
    expect(loaded).toMatchObject({
      bad: 2,
      repeated: 1,
      firstBad: [/line 2: .*no answers/, /line 4: it is no JSON/].map((text) => expect.stringMatching(text)),
    });
    expect(loaded.questions).toHaveLength(1);
  });

  it('unanswerable questions of MuSiQue are left out, and empty aliases and titles are skipped', async () => {
    const row = {
      question: 'q',
      answer: 'a',
      answer_aliases: ['', 'b'],
      paragraphs: [{ title: '', is_supporting: true }],
      question_decomposition: [{}, {}],
    };
    const loaded = await load('musique.jsonl', lines(row, { ...row, question: 'r', answerable: false }));
    expect(loaded).toMatchObject({ bad: 0, unanswerable: 1 });
    expect(loaded.questions).toMatchObject([{ question: 'q', answers: ['a', 'b'], supporting: [] }]);
    await expect(load('none.jsonl', lines({ ...row, answerable: false }))).rejects.toThrow(
      'answerable: false',
    );
  });

  it('a file with more bad rows than good ones is refused', async () => {
    const content = lines({ question: 'q', answers: ['a'] }, { question: 'r' }, { question: 's' });
    await expect(load('mostly-bad.jsonl', content)).rejects.toThrow(
      /2 of its 3 rows are no questions\. line 2/,
    );
  });

  it('files are refused without a question, of another form, and cut off', async () => {
    await expect(load('none.jsonl', '{"x": 1}')).rejects.toThrow('it has no questions. line 1');
    await expect(load('other.jsonl', lines({ question: 'q', answer: 'a' }), 'musique')).rejects.toThrow(
      'it has no questions',
    );
    await expect(load('cut.json', '[{"question": "q", "ans')).rejects.toThrow('cut off or damaged');
  });

  it('questions are split by their text', async () => {
    const rows = Array.from({ length: 400 }, (_, number) => ({ question: `q ${number}`, answers: ['a'] }));
    const parts = splitQuestions((await load('many.jsonl', lines(...rows))).questions);
    expect(parts.train.length + parts.dev.length + parts.test.length).toBe(400);
    expect(parts.train.length).toBeGreaterThan(280);
    expect(Math.min(parts.dev.length, parts.test.length)).toBeGreaterThan(20);
  });
});
