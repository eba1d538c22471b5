import { describeSource } from '../../../envs/search/describe-source.ts';
import { describe, expect, it } from 'vitest';
import { describeAction, readAction, type SearchAction } from '../../../envs/search/action.ts';
import { contentWordsIn, mentionsIn } from '../../../envs/engines/questions/answers/mentions.ts';
import { passageOf } from '../../../envs/search/observation.ts';

const actionOf = (text: string): SearchAction | string => {
  const reply = readAction(text);
  return reply.kind === 'action' ? reply.action : reply.why;
};

describe('actions in tags', () => {
  it.each<readonly [string, SearchAction]>([
    ['<search> red kite </search>', { kind: 'search', query: 'red kite' }],
    ['<think>hm</think>\n<search>red</search>', { kind: 'search', query: 'red', thought: 'hm' }],
    ['So: <think>hm</think><search>red</search>', { kind: 'search', query: 'red' }],
    ['<think>hm</think><answer>A\nB</answer> done', { kind: 'answer', text: 'A\nB' }],
    ['<search>a</search><answer>b</answer>', { kind: 'search', query: 'a' }],
    ['<answer>b</answer><confidence> 0.75 </confidence>', { kind: 'answer', text: 'b', confidence: 0.75 }],
    [
      '<think>hm</think><answer>b</answer><analysis>x</analysis>\n<confidence>1</confidence>',
      { kind: 'answer', text: 'b', confidence: 1, thought: 'hm' },
    ],
    ['<confidence>0.5</confidence><answer>b</answer>', { kind: 'answer', text: 'b' }],
    ['<open>Doc 2, part 3</open>', { kind: 'open', doc: 2, part: 3 }],
    ['<open>1</open>', { kind: 'open', doc: 1 }],
    ['<judge>Doc 1: Misleading</judge>', { kind: 'judge', doc: 1, verdict: 'misleading' }],
    ['<think>only this</think>', { kind: 'think', text: 'only this' }],
    ['<search></search>', { kind: 'search', query: '' }],
    ['{"name": "find", "arguments": {"text": "x"}}', { kind: 'find', text: 'x' }],
    ['{"kind": "open", "doc": 1}', { kind: 'open', doc: 1 }],
    [
      'answer where wrote it _ in first "Mira"',
      { kind: 'answer', text: 'Mira', where: 'wrote it _ in first' },
    ],
  ])('%j is read', (text, action) => {
    expect(actionOf(text)).toEqual(action);
  });

  it.each([
    '',
    'hello',
    '<search>open',
    '<open>Doc x</open>',
    '<judge>Doc 1: fine</judge>',
    '<answer>b</answer><confidence>sure</confidence>',
    '<answer>b</answer><confidence>1.5</confidence>',
    '{"name": "fly"}',
    '{',
    `<search>${'x'.repeat(1_000_000)}</search>`,
  ])('text that is no action is malformed', (text) => {
    expect(readAction(text)).toMatchObject({ kind: 'malformed' });
  });

  it('actions are printed as they are read', () => {
    const actions: readonly SearchAction[] = [
      { kind: 'search', query: 'a < b', thought: 'hm' },
      { kind: 'search', query: 'Mira', where: 'named in question' },
      { kind: 'answer', text: 'Mira', where: '_ wrote it in first' },
      { kind: 'answer', text: 'Mira', confidence: 0.3, thought: 'hm' },
      { kind: 'open', doc: 3, part: 2, thought: '' },
      { kind: 'find', text: 'x' },
      { kind: 'judge', doc: 1, verdict: 'good' },
      { kind: 'judge', doc: 2, verdict: 'misleading', where: 'a letter about _ in second' },
      { kind: 'think', text: 'x' },
    ];
    for (const action of actions) expect(actionOf(describeAction(action))).toEqual(action);
  });
});

describe('the kind of a document', () => {
  it.each([
    ['Selmira Dolvenor (edition of 1993)', 'Selmira works.', '_ edition of _ selmira works'],
    [
      'A letter about "The Oak"',
      'Nobody has confirmed this. More.',
      'a letter about _ nobody has confirmed this',
    ],
    ['Limalstead', '12 May 1993 was fine.', '_ _ was fine'],
    ['', '', '_'],
  ])('%j is described without names', (title, passage, words) => {
    expect(describeSource({ title, passage })).toBe(words);
  });
});

describe('names in sight', () => {
  const found = (text: string, title = ''): readonly string[] =>
    mentionsIn(text, title).map(({ name, words }) => `${name}: ${words}`);

  it('names are runs of capitals, texts in quotes and years, with the words around them', () => {
    expect(
      found(
        'Mira Dolven was taught by Tarn A. Hollow in 1893. The Osk Institute, of old, paid.',
        'Mira Dolven',
      ),
    ).toEqual([
      'Tarn A. Hollow: it was taught by _ in',
      '1893: taught by in _',
      'Osk Institute: the _ of old paid',
    ]);
    expect(found('He wrote "The Silent Lantern of Rivers" and the Bank of Osk.')).toEqual([
      'The Silent Lantern of Rivers: he wrote _ and the',
      'Bank of Osk: wrote and the _',
    ]);
  });

  it('a page of a megabyte costs no more than its beginning', () => {
    expect(mentionsIn('Mira '.repeat(250_000), '').length).toBeLessThan(10);
  });

  it('leave the words that say what is asked', () => {
    expect(contentWordsIn('Who was the mentor of the person who wrote "The Silent Lantern"?', 9)).toEqual([
      'mentor',
      'person',
      'wrote',
    ]);
  });
});

describe('passages', () => {
  it('a passage is the first words on one line', () => {
    expect(passageOf('a b\n c d', 3)).toEqual({ passage: 'a b c', isCut: true });
    expect(passageOf(' a b ', 3)).toEqual({ passage: 'a b', isCut: false });
    expect(passageOf('x'.repeat(1_000), 3)).toEqual({ passage: 'x'.repeat(36), isCut: true });
    expect(passageOf('', 3)).toEqual({ passage: '', isCut: false });
  });
});
