import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { loadTokenizer } from '../../../../agents/render/tokenizer/load-tokenizer.ts';
import { assertFits } from '../../../../agents/render/tokenizer/tokenizer.ts';
import { UsageError } from '../../../../envs/core/errors.ts';

const golden = (name: string): string =>
  new URL(`../../../golden/tokenizer/${name}`, import.meta.url).pathname;

/** A copy of a folder that a test may spoil. */
async function copyOf(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-tokenizer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(golden(name), folder, { recursive: true });
  return folder;
}

const partsSchema = z.looseObject({
  model: z.looseObject({ vocab: z.record(z.string(), z.unknown()) }).prefault({ vocab: {} }),
  added_tokens: z.array(z.looseObject({ content: z.string() })).default([]),
});
type Parts = z.output<typeof partsSchema>;

async function change(folder: string, file: string, edit: (content: Parts) => void): Promise<string> {
  const content = partsSchema.parse(JSON.parse(await readFile(join(folder, file), 'utf8')));
  edit(content);
  await writeFile(join(folder, file), JSON.stringify(content));
  return folder;
}

const refused = (folder: string, message: RegExp): Promise<void> =>
  loadTokenizer(folder).then(
    () => expect.unreachable('it was taken'),
    (thrown: unknown) => {
      expect(thrown).toBeInstanceOf(UsageError);
      expect(thrown).toHaveProperty('message', expect.stringMatching(message));
    },
  );

describe('loadTokenizer', () => {
  test('reports which ids end a turn, and which tokens are special', async () => {
    const { tokenizer } = await loadTokenizer(golden('llama'));
    expect(tokenizer.endOfTurn).toEqual(
      new Set([tokenizer.special.get('<|eot_id|>'), tokenizer.special.get('<|end_of_text|>')]),
    );
    const qwen = (await loadTokenizer(golden('qwen'))).tokenizer;
    expect([...qwen.special.keys()].toSorted()).toEqual([
      '<K>',
      '<|endoftext|>',
      '<|im_end|>',
      '<|im_start|>',
    ]);
    expect(qwen.encode('<think>')).toHaveLength(1);
  });

  test('reads names from special_tokens_map.json and prefers a template file, and leaves out what is missing', async () => {
    const folder = await change(await copyOf('llama'), 'tokenizer_config.json', (config) => {
      delete config['eos_token'];
      delete config['chat_template'];
    });
    await rm(join(folder, 'generation_config.json'));
    const bare = await loadTokenizer(folder);
    expect([...bare.tokenizer.endOfTurn]).toEqual([]);
    expect(bare.template).toBe(undefined);
    await writeFile(
      join(folder, 'special_tokens_map.json'),
      JSON.stringify({ eos_token: { content: '<|eot_id|>', lstrip: false } }),
    );
    await writeFile(join(folder, 'chat_template.jinja'), 'hello');
    const full = await loadTokenizer(folder);
    expect(full.tokenizer.endOfTurn.size).toBe(1);
    expect(full.template).toMatchObject({
      text: 'hello',
      tokens: { eos_token: '<|eot_id|>', bos_token: '<|begin_of_text|>' },
    });
  });

  test('names a file that is missing, cut, too long or malformed', async () => {
    await refused(join(golden('llama'), 'nowhere'), /tokenizer\.json is missing/);
    const lone = await copyOf('llama');
    await rm(join(lone, 'tokenizer_config.json'));
    await refused(lone, /tokenizer_config\.json is missing/);
    const cut = await copyOf('llama');
    await truncate(join(cut, 'tokenizer.json'), 5000);
    await refused(cut, /tokenizer\.json: it is not valid JSON.*truncated/);
    const long = await copyOf('llama');
    await truncate(join(long, 'tokenizer.json'), 65 * 2 ** 20);
    await refused(long, /tokenizer\.json: it has \d+ bytes, and at most/);
    const list = await copyOf('llama');
    await writeFile(join(list, 'tokenizer_config.json'), '[]');
    await refused(list, /tokenizer_config\.json: it is not a JSON object/);
    const nested = await copyOf('llama');
    await rm(join(nested, 'tokenizer.json'));
    await mkdir(join(nested, 'tokenizer.json'));
    await refused(nested, /tokenizer\.json: it is a (?:folder|pipe)/);
  });

  test('refuses a tokenizer of another kind, and lists the supported kinds', async () => {
    const model = (edit: (content: Parts) => void): Promise<string> =>
      copyOf('llama').then((folder) => change(folder, 'tokenizer.json', edit));
    await refused(await model((content) => (content.model['type'] = 'WordPiece')), /only BPE is supported/);
    await refused(await model((content) => (content.model['dropout'] = 0.1)), /random merge dropout/);
    await refused(
      await model((content) => (content['pre_tokenizer'] = { type: 'Telepathy' })),
      /cannot be used.*Telepathy/,
    );
    await refused(
      await model((content) => (content['normalizer'] = { type: 'Whim' })),
      /cannot be used.*Whim/,
    );
    await refused(await model((content) => (content.model.vocab['a'] = -1)), /"a" has the invalid id -1/);
    await refused(await model((content) => (content.model.vocab['a'] = '7')), /"a" has the invalid id "7"/);
    await refused(
      await model((content) => (content.added_tokens[0] = { id: 1, content: 'x', single_word: true })),
      /whole-word tokens/,
    );
  });

  test('refuses files that do not belong together', async () => {
    await refused(
      await change(
        await copyOf('llama'),
        'tokenizer_config.json',
        (config) => (config['eos_token'] = '<|stranger|>'),
      ),
      /<\|stranger\|>/,
    );
    await refused(
      await change(
        await copyOf('llama'),
        'tokenizer_config.json',
        (config) => (config['added_tokens_decoder'] = { 700: { content: '<|new|>' } }),
      ),
      /<\|new\|>/,
    );
    await refused(
      await change(
        await copyOf('llama'),
        'generation_config.json',
        (config) => (config['eos_token_id'] = 128_009),
      ),
      /128009/,
    );
    await refused(
      await change(
        await copyOf('gpt'),
        'tokenizer_config.json',
        (config) => (config['chat_template'] = [{ name: 'rag', template: '' }]),
      ),
      /named default \(rag\)/,
    );
  });
});

describe('tokenizer', () => {
  test('reserves added tokens that steer a model, special or not, and no pieces of plain text', async () => {
    const folder = await change(await copyOf('qwen'), 'tokenizer.json', (content) => {
      for (const [place, text] of ['  ', 'word', "don't", '[INST]', '<｜User｜>', '###'].entries())
        content.added_tokens.push({ id: 600 + place, content: text, special: false });
    });
    const { tokenizer } = await loadTokenizer(folder);
    expect([...tokenizer.reserved.keys()].filter((text) => !tokenizer.special.has(text))).toEqual([
      '<think>',
      '</think>',
      '<tool_response>',
      '</tool_response>',
      '[INST]',
      '<｜User｜>',
    ]);
  });

  test('fits a model with more ids, and is refused for a model with fewer', async () => {
    const { tokenizer } = await loadTokenizer(golden('qwen'));
    expect(() => assertFits(tokenizer, 599, 'here')).toThrow(
      /here: the tokenizer has ids up to 599, and the model has ids below 599/,
    );
    assertFits(tokenizer, 600, 'here');
    assertFits(tokenizer, 640, 'here');
  });

  test('finds special tokens only in the text as written: no normal form makes one', async () => {
    const { tokenizer } = await loadTokenizer(golden('qwen'));
    const special = tokenizer.special.get('<K>');
    expect(tokenizer.encode('<K>')).toEqual([special]);
    for (const text of ['<\u212A>', 'a<\u212A>', '<\u212A>\n<K>']) {
      expect(tokenizer.encode(text).filter((id) => id === special)).toHaveLength(
        text.split('<K>').length - 1,
      );
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text.normalize('NFC'));
    }
  });

  test('accepts a special token that is only in the vocabulary', async () => {
    const folder = await change(await copyOf('llama'), 'tokenizer.json', (content) => {
      content.model.vocab['<|eot_id|>'] = 599;
      content.added_tokens = content.added_tokens.filter((token) => token.content !== '<|eot_id|>');
    });
    const { tokenizer } = await loadTokenizer(folder);
    expect(tokenizer.encode('ab<|eot_id|>')).toEqual([...tokenizer.encode('ab'), 599]);
  });

  test('decodes lone surrogates as U+FFFD, and ignores ids without a token', async () => {
    const { tokenizer } = await loadTokenizer(golden('gpt'));
    expect(tokenizer.decode(tokenizer.encode('a\uD800b\uDC00'))).toBe('a\uFFFDb\uFFFD');
    expect(tokenizer.decode([])).toBe('');
    expect(tokenizer.decode([tokenizer.size, 999_999])).toBe('');
    expect(tokenizer.decode([...tokenizer.encode('a b'), tokenizer.size + 5])).toBe('a b');
    expect(tokenizer.decode(tokenizer.encode("a , b . don 't"))).toBe("a , b . don 't");
  });
});
