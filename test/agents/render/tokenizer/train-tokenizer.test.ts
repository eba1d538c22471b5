import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createChatTemplate } from '../../../../agents/render/chat-template.ts';
import { loadTokenizer, type LoadedTokenizer } from '../../../../agents/render/tokenizer/load-tokenizer.ts';
import {
  byteTokenizer,
  ownSpecialTokens,
  smallestVocabulary,
  trainTokenizer,
  type TokenizerFolderFiles,
} from '../../../../agents/render/tokenizer/train-tokenizer.ts';
import { UsageError } from '../../../../envs/core/errors.ts';

const texts = [
  'You are in the middle of a room. Looking quickly around you, you see a bed 1, a desk 2, a drawer 13, and a safe 1.',
  'Your task is to: put a hot apple in the fridge. You open the cabinet 4. The cabinet 4 is open. In it, you see nothing.',
  'go to cabinet 4\nopen cabinet 4\ntake apple 1 from cabinet 4\nheat apple 1 with microwave 1\nput apple 1 in/on fridge 1',
  'search[red cotton shirt, price lower than 40.00 dollars] click[buy now] <|end|> click[size: x-large]',
  'Straße, naïve café; привет, как дела? 今天天气很好。 👍👍',
];

async function load(files: TokenizerFolderFiles): Promise<LoadedTokenizer> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-tokenizer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['tokenizer.json', 'tokenizer_config.json'] as const)
    await writeFile(join(folder, name), files[name]);
  return loadTokenizer(folder);
}

const fileSchema = z.object({
  model: z.object({ vocab: z.record(z.string(), z.int()), merges: z.array(z.array(z.string())) }),
});
const modelOf = (files: TokenizerFolderFiles): z.output<typeof fileSchema>['model'] =>
  fileSchema.parse(JSON.parse(files['tokenizer.json'])).model;

describe('trainTokenizer', () => {
  test('writes the files that transformers reads in make-goldens.py', async () => {
    const files = trainTokenizer(texts, { vocabulary: 400 });
    await expect(files['tokenizer.json']).toMatchFileSnapshot('../../../golden/tokenizer/own/tokenizer.json');
    await expect(files['tokenizer_config.json']).toMatchFileSnapshot(
      '../../../golden/tokenizer/own/tokenizer_config.json',
    );
  });

  test('learns the most frequent pair, the first seen among equals, and joins from left to right', () => {
    const merges = (...given: readonly string[]): unknown => {
      return modelOf(trainTokenizer(given, { vocabulary: smallestVocabulary + 2 })).merges;
    };
    expect(merges('xy xy xy xy ab ab')).toEqual([
      ['x', 'y'],
      ['Ġ', 'xy'],
    ]);
    expect(merges('ab', 'cd', 'ab', 'cd')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(merges('cd', 'ab', 'ab', 'cd')).toEqual([
      ['c', 'd'],
      ['a', 'b'],
    ]);
    expect(merges('aaaaa', 'aaaaa')).toEqual([
      ['a', 'a'],
      ['aa', 'aa'],
    ]);
  });

  test('treats U+FEFF as a symbol, as Unicode does, and U+0085 as a space', () => {
    const firstOf = (text: string): unknown =>
      modelOf(trainTokenizer([text, text], { vocabulary: smallestVocabulary + 1 })).merges;
    expect(firstOf('!\uFEFF')).toEqual([['!', 'ï']]);
    expect(firstOf('!\u0085')).toEqual([['Â', 'ħ']]);
  });

  test('reaches the requested vocabulary, special tokens last, or fewer when no pair repeats', async () => {
    const { tokenizer } = await load(trainTokenizer(texts, { vocabulary: 300 }));
    expect(tokenizer.size).toBe(300);
    expect([...tokenizer.special.keys()]).toEqual([...ownSpecialTokens]);
    expect([...tokenizer.special.values()]).toEqual([294, 295, 296, 297, 298, 299]);
    expect([...tokenizer.endOfTurn]).toEqual([tokenizer.special.get('<|end|>')]);
    expect((await load(trainTokenizer(['abc'], { vocabulary: 300 }))).tokenizer.size).toBe(
      smallestVocabulary,
    );
  });

  test('needs fewer tokens than bytes for text it has seen', async () => {
    const { tokenizer } = await load(trainTokenizer(texts, { vocabulary: 512 }));
    expect(tokenizer.encode(' cabinet 4').length).toBeLessThan(5);
  });

  test('never learns the texts of special tokens', () => {
    expect(
      Object.keys(
        modelOf(trainTokenizer(['<|end|>'.repeat(50), 'x<|user|><|user|>'], { vocabulary: 300 })).vocab,
      ),
    ).toHaveLength(256);
  });

  test('refuses a vocabulary that is too small, too large or no whole number', () => {
    for (const vocabulary of [0, smallestVocabulary - 1, 300.5, Number.NaN, 2e6])
      expect(() => trainTokenizer(texts, { vocabulary })).toThrow(UsageError);
  });

  test('returns equal bytes from equal training, and round-trips every text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 8 }),
        fc.string({ unit: 'binary' }),
        async (given, text) => {
          const files = trainTokenizer([...given, ...given], { vocabulary: 290 });
          expect(trainTokenizer([...given, ...given], { vocabulary: 290 })).toEqual(files);
          const { tokenizer } = await load(files);
          for (const one of [...given, text]) expect(tokenizer.decode(tokenizer.encode(one))).toBe(one);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('byte tokenizer', () => {
  test('maps each byte to an id, and adds the special tokens', async () => {
    const { tokenizer } = await load(byteTokenizer());
    expect(tokenizer.size).toBe(smallestVocabulary);
    expect(tokenizer.encode('aé\n\0')).toEqual([97, 0xc3, 0xa9, 10, 0]);
    expect(tokenizer.encode('<|user|>')).toEqual([257]);
    expect(tokenizer.decode([0xff, 97])).toBe('\uFFFDa');
  });

  test('round-trips every text', async () => {
    const { tokenizer } = await load(byteTokenizer());
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(tokenizer.encode(text)).toEqual([...Buffer.from(text)]);
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
      }),
    );
  });

  test('begins each message with its role, ends it, and refuses other roles', async () => {
    const { tokenizer, template } = await load(byteTokenizer());
    if (template === undefined) throw new Error('the folder has no template');
    const chat = createChatTemplate(template, {
      special: tokenizer.special.keys(),
      today: () => new Date(0),
    });
    const messages = [
      { role: 'system', text: 'S' },
      { role: 'user', text: 'a <|end|>' },
      { role: 'assistant', text: 'b' },
    ] as const;
    expect(chat.render(messages, { addGenerationPrompt: true })).toBe(
      '<|system|>S<|end|><|user|>a < |end|><|end|><|assistant|>b<|end|><|assistant|>',
    );
    expect(chat.render([], { addGenerationPrompt: false })).toBe('');
  });
});
