import { describe, expect, it } from 'vitest';
import { createRng } from '../../../../envs/core/rng.ts';
import { FaultError } from '../../../../envs/core/errors.ts';
import type { ChatModel } from '../../../../envs/engines/chat/chat-model.ts';
import type { Question } from '../../../../envs/engines/questions/files/question.ts';
import { QuestionHardener } from '../../../../envs/engines/questions/synthesis/harder-question.ts';
import {
  generatedRelations,
  InverseFacts,
} from '../../../../envs/engines/questions/synthesis/relation-world.ts';
import { synthesiseWithModel } from '../../../../envs/engines/questions/synthesis/synthesise-with-model.ts';
import { relations, type Relation } from '../../../../envs/engines/questions/world/relations.ts';
import { WorldGraph, type Entity } from '../../../../envs/engines/questions/world/world-graph.ts';
import { worldPanels, worldQuestions } from '../../../../envs/engines/questions/world/world-questions.ts';
import { contentsOf } from '../../../../envs/engines/retrieval/document.ts';
import { createMemoryRetriever } from '../../../../envs/engines/retrieval/memory-retriever.ts';

const graph = new WorldGraph({ seed: 1, documents: 1_000, wordings: 4 });
const entities: readonly Entity[] = Array.from({ length: graph.documents }, (_, document) =>
  graph.page(document),
)
  .filter(({ kind }) => kind === 'main')
  .map(({ about }) => about);

const unknown = String.raw`(?:Person|Work|Organisation|Town|Event) [A-Z]`;

interface Clue {
  readonly subject: string;
  readonly relation: Relation;
  readonly object: string;
}

/** The clue of a sentence, read back from its words. */
function clueIn(sentence: string): Clue | undefined {
  for (const relation of relations) {
    for (const statement of relation.statements) {
      const pattern = statement
        .replace(/\b[Tt]he (?=[SO]\b)/g, '')
        .replace(/\bthe year (?=O\b)/, '(?:the year )?')
        .replace(/\bS\b/, `(?<subject>${unknown})`)
        .replace(/\bO\b/, '(?<object>.+)');
      const found = new RegExp(`^${pattern.replace(/\.$/, '\\.')}$`).exec(sentence)?.groups;
      if (found?.['subject'] !== undefined && found['object'] !== undefined)
        return { subject: found['subject'], relation, object: found['object'] };
    }
  }
  return undefined;
}

/** The names of all entities that fit the clues about an unknown one, found by looking at each. */
function fitting(name: string, clues: readonly Clue[]): readonly string[] {
  const own = clues
    .filter(({ subject }) => subject === name)
    .map(({ relation, object }) => {
      const years = /^one of the years (\d{4}) to (\d{4})$/.exec(object);
      const isUnknown = new RegExp(`^${unknown}$`).test(object);
      const texts = new Set(isUnknown ? fitting(object, clues) : [object.replaceAll('"', '')]);
      const fits = (text: string): boolean =>
        years === null ? texts.has(text) : text >= (years[1] ?? '') && text <= (years[2] ?? '');
      return { relation, fits };
    });
  return entities
    .filter((entity) =>
      own.every(
        ({ relation, fits }) =>
          relation.from === entity.kind && fits(graph.textOf(graph.objectOf(entity, relation))),
      ),
    )
    .map((entity) => graph.nameOf(entity));
}

describe('questions made harder by the relations of a world', () => {
  const world = generatedRelations(graph);
  const hardener = new QuestionHardener(world, new InverseFacts(world));
  const seeds = worldQuestions(graph, 1, worldPanels[0] ?? { name: 'train', size: 0, classes: [] }, [1, 2]);
  const harden = (index: number, rounds = 4) =>
    hardener.harden(seeds[index] as Question, rounds, createRng(3).fork(index));

  it('describe exactly one subject in their words, and keep the answer', () => {
    let [made, vague] = [0, 0];
    for (let index = 0; index < 40; index += 1) {
      const seed = seeds[index] as Question;
      const harder = harden(index);
      if (harder === undefined) continue;
      const sentences = harder.question.split(/(?<=[.?]) /);
      const clues = sentences.slice(0, -1).map((sentence) => clueIn(sentence));
      expect(clues, harder.question).not.toContain(undefined);
      const [asked = ''] = new RegExp(unknown).exec(sentences.at(-1) ?? '') ?? [];
      expect(fitting(asked, clues as readonly Clue[]), harder.question).toEqual([seed.path[0]]);
      expect(harder.answers).toEqual(seed.answers);
      expect(harder.supporting).toEqual(expect.arrayContaining([...seed.supporting]));
      for (const name of [...seed.path, ...seed.answers]) expect(harder.question).not.toContain(name);
      made += 1;
      vague += harder.changes.includes('fuzz') ? 1 : 0;
    }
    expect(made).toBeGreaterThan(25);
    expect(vague).toBeGreaterThan(20);
  });

  it('harder questions have as many changes as rounds, and are the same for the same seed', () => {
    const index = seeds.findIndex((_, at) => harden(at)?.changes.length === 4);
    expect(harden(index, 1)?.changes).toEqual(['inject']);
    expect(harden(index, 2)?.changes).toEqual(['inject', 'fuzz']);
    expect(harden(index)).toEqual(harden(index));
    expect(hardener.harden({ ...(seeds[0] as Question), question: 'Who?' }, 2, createRng(1))).toBeUndefined();
  });
});

describe('questions made harder with a model', () => {
  const seed: Question = {
    id: 's1',
    question: 'Where was Mira Osk born in 1911?',
    answers: ['Velkstead'],
    supporting: ['m'],
    hops: 1,
    path: [],
    traps: 0,
  };
  const retriever = createMemoryRetriever('pages', [
    {
      id: 'm',
      contents: contentsOf(
        'Mira Osk',
        'Mira Osk was born in Velkstead in 1911. She painted the Green Bridge.',
      ),
    },
    { id: 'o', contents: contentsOf('Other', 'Nothing of use.') },
  ]);
  const usual: Readonly<Record<string, string | readonly string[]>> = {
    'Choose one': '{"entity": "Mira Osk"}',
    'Write the question again':
      '<think>hm</think> {"question": "Where was the painter of the Green Bridge born in 1911?", "fact": "painted the Green Bridge"}',
    'Make one specific':
      '{"question": "Where was the painter of the Green Bridge born early in a century?", "detail": "in 1911", "vaguer": "early in a century"}',
    'with documents': 'Velkstead',
    'without documents': 'I do not know',
    'Does this other': '{"fits": false}',
  };

  const synthesise = (changes: typeof usual = {}, rounds = 2) => {
    const replies = { ...usual, ...changes };
    let turn = 0;
    const model: ChatModel = {
      ask: ([message]) => {
        const content = message?.content ?? '';
        const key = content.startsWith('Answer with')
          ? content.includes('Document:')
            ? 'with documents'
            : 'without documents'
          : Object.keys(replies).find((start) => content.startsWith(start));
        const reply = replies[key ?? ''] ?? '';
        turn += 1;
        const words = typeof reply === 'string' ? reply : (reply[turn % reply.length] ?? '');
        return Promise.resolve({ content: words, calls: [], usage: undefined });
      },
      unusable: (why) => new FaultError({ kind: 'env-crashed', where: 'model', message: why }),
      close: () => Promise.resolve(),
    };
    const { signal } = new AbortController();
    return synthesiseWithModel(seed, { model, retriever }, { rounds, tries: 2, signal });
  };

  it('questions are kept where the documents answer them and nothing else does', async () => {
    expect(await synthesise()).toEqual({
      kind: 'kept',
      made: {
        question: 'Where was the painter of the Green Bridge born early in a century?',
        answers: ['Velkstead'],
        supporting: ['m'],
        changes: ['inject', 'fuzz'],
      },
    });
  });

  it.each([
    ['not answered with the documents', { 'with documents': 'Osk' }],
    ['answered without the documents', { 'without documents': 'It is Velkstead.' }],
    ['no change was usable', { 'Choose one': 'Mira Osk', 'Make one specific': '{}' }],
    // the name is still there, the fact is not on the page, the answer is in the question
    [
      'no change was usable',
      {
        'Write the question again':
          '{"question": "Where was Mira Osk, a painter, born?", "fact": "painted the Green Bridge"}',
        'Make one specific': '',
      },
    ],
    [
      'no change was usable',
      {
        'Write the question again':
          '{"question": "Where was the queen of France born?", "fact": "queen of all France"}',
        'Make one specific': '',
      },
    ],
    [
      'no change was usable',
      {
        'Write the question again':
          '{"question": "Was the painter of the Green Bridge born in Velkstead?", "fact": "painted the Green Bridge"}',
        'Make one specific': '',
      },
    ],
  ] as const)('questions are left out where %s', async (why, changes) => {
    expect(await synthesise(changes)).toEqual({ kind: 'rejected', why });
  });

  it('questions are left out where another answer fits as well', async () => {
    // of two answers with the documents, one is another
    expect(
      await synthesise({ 'with documents': ['Velkstead', 'Oskham'], 'Does this other': '{"fits": true}' }),
    ).toEqual({ kind: 'rejected', why: 'another answer fits' });
    expect(await synthesise({ 'with documents': ['Velkstead', 'Oskham'] })).toMatchObject({ kind: 'kept' });
  });
});
