import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadTokenizer } from '../../../agents/render/tokenizer/load-tokenizer.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { writeAdapter } from '../../../models/token/adapter-files.ts';
import { readWeights } from '../../../models/token/checkpoint.ts';
import { initialFactors, mergeAdapter, type Adapter, type LoraConfig } from '../../../models/token/lora.ts';
import { readTransformerConfig } from '../../../models/token/transformer-config.ts';
import type { NamedValues } from '../../../models/token/weight-layout.ts';
import { cairn } from '../../support/command-line.ts';

let folder = '';
const inFolder = (...parts: readonly string[]): string => path.join(folder, ...parts);
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  expect(await cairn(['model', 'init', 'nano', '--out', inFolder('bytes'), '--seed', '3'])).toMatchObject({
    code: 0,
  });
});
afterAll(() => rm(folder, { recursive: true }));

const filesOf = async (name: string): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(inFolder(name))).map(
        async (file) => [file, (await readFile(inFolder(name, file))).toString('base64')] as const,
      ),
    ),
  );
const weightsOf = async (name: string): Promise<NamedValues> => {
  const weights: Record<string, Float32Array> = {};
  for await (const [tensor, values] of readWeights(
    inFolder(name),
    await readTransformerConfig(inFolder(name)),
  ))
    weights[tensor] = values;
  return weights;
};

const document = z.object({
  parameters: z.number(),
  config: z.object({
    vocabulary: z.number(),
    layers: z.number(),
    width: z.number(),
    longestContext: z.number(),
  }),
  tokenizer: z.object({ size: z.number(), chatTemplate: z.boolean() }),
});

describe('cairn-gym model init', () => {
  it('makes a model with a tokenizer trained on the envs’ texts, the same each time', async () => {
    const plan = [
      '--tokenizer',
      'from-env',
      'lights-out,household',
      '--episodes',
      '12',
      '--vocabulary',
      '400',
      '--context',
      '600',
    ];
    const { code, out } = await cairn([
      'model',
      'init',
      'nano',
      ...plan,
      '--out',
      inFolder('deep', 'one'),
      '--json',
    ]);
    expect(code).toBe(0);
    expect(document.parse(JSON.parse(out))).toEqual({
      parameters: 445_184,
      config: { vocabulary: 400, layers: 2, width: 128, longestContext: 600 },
      tokenizer: { size: 400, chatTemplate: true },
    });
    await cairn(['model', 'init', 'nano', ...plan, '--out', inFolder('deep', 'two')]);
    expect(await filesOf('deep/two')).toEqual(await filesOf('deep/one'));
    const { tokenizer } = await loadTokenizer(inFolder('deep', 'one'));
    expect(tokenizer.encode('go to cabinet 1').length).toBeLessThan(8);
  });

  it('reports why a vocabulary is smaller than requested', async () => {
    const made = async (out: string, vocabulary: string): Promise<string> =>
      (
        await cairn([
          'model',
          'init',
          'nano',
          '--tokenizer',
          'from-env',
          'lights-out',
          '--episodes',
          '2',
          '--vocabulary',
          vocabulary,
          '--out',
          inFolder(out),
        ])
      ).out;
    expect(await made('plenty', '60000')).toMatch(
      /The vocabulary is \d{3}, not 60000: no further pair of tokens occurs twice in the texts of the environments\./,
    );
    expect(await made('few', '270')).not.toContain('The vocabulary is');
  });

  it('makes other weights with the same tokenizer for another seed', async () => {
    await cairn(['model', 'init', 'nano', '--out', inFolder('other'), '--seed', '4']);
    const [one, other] = [await filesOf('bytes'), await filesOf('other')];
    expect(Object.keys(one).filter((file) => one[file] !== other[file])).toEqual(['model.safetensors']);
    expect(Object.keys(one).toSorted()).toEqual([
      'config.json',
      'generation_config.json',
      'model.safetensors',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
  });

  it.each<[what: string, words: readonly string[], said: RegExp]>([
    [
      'an unknown preset',
      ['huge', '--out', 'OUT'],
      /there is no preset "huge"\. Name one of nano, micro, small\./,
    ],
    ['a missing --out', ['nano'], /--out: it is missing\. Name a new folder/],
    ['a folder in use', ['nano', '--out', 'BYTES'], /the folder is not empty, and nothing is overwritten/],
    ['a file in place of a folder', ['nano', '--out', 'FILE'], /FILE.*it cannot be a folder/],
    [
      'an unknown tokenizer',
      ['nano', '--out', 'OUT', '--tokenizer', 'gpt2'],
      /there is no tokenizer "gpt2"\. Give `--tokenizer bytes`/,
    ],
    [
      'a config for several envs',
      ['nano', '--out', 'OUT', '--tokenizer', 'from-env', 'lights-out,tools', '--set', 'size=2'],
      /it is the config of one environment, but 2 are named/,
    ],
    [
      'a config with a key that the env does not have',
      ['nano', '--out', 'OUT', '--tokenizer', 'from-env', 'lights-out', '--set', 'sise=2'],
      /lights-out-v1.*sise/s,
    ],
    [
      'a config for no env',
      ['nano', '--out', 'OUT', '--tokenizer', 'bytes', '--set', 'size=2'],
      /bytes needs no config of an environment/,
    ],
    [
      'a tokenizer without envs to train on',
      ['nano', '--out', 'OUT', '--tokenizer', 'from-env'],
      /from-env needs at least one environment/,
    ],
    [
      'extra arguments',
      ['nano', '--out', 'OUT', '--tokenizer', 'from-env', 'household', 'shop'],
      /"shop" is unexpected/,
    ],
    [
      'an unknown env',
      ['nano', '--out', 'OUT', '--tokenizer', 'from-env', 'houshold'],
      /Did you mean household\?/,
    ],
    [
      'a vocabulary for bytes',
      ['nano', '--out', 'OUT', '--vocabulary', '300'],
      /the byte tokenizer has a fixed vocabulary/,
    ],
    [
      'a vocabulary below the bytes',
      ['nano', '--out', 'OUT', '--tokenizer', 'from-env', 'lights-out', '--vocabulary', '100'],
      /100.*262/,
    ],
    [
      'a context beyond any model',
      ['nano', '--out', 'OUT', '--context', '99999999999'],
      /--context.*must be at most 1000000000/,
    ],
    [
      'a vocabulary beyond any model',
      ['nano', '--out', 'OUT', '--tokenizer', 'from-env', 'lights-out', '--vocabulary', '99999999999'],
      /--vocabulary.*must be at most 16777216/,
    ],
    [
      'an option of another action',
      ['nano', '--out', 'OUT', '--base', 'x'],
      /--base: this option has no effect there/,
    ],
  ])('refuses %s, and writes nothing', async (_, words, said) => {
    await writeFile(inFolder('FILE'), '');
    const places: Readonly<Record<string, string>> = {
      OUT: inFolder('refused'),
      BYTES: inFolder('bytes'),
      FILE: inFolder('FILE'),
    };
    const before = await readdir(folder);
    const { code, err } = await cairn(['model', 'init', ...words.map((word) => places[word] ?? word)]);
    expect(code).toBe(2);
    expect(err).toMatch(said);
    expect(await readdir(folder)).toEqual(before);
  });

  it('fills an empty folder, which keeps the usual permissions', async () => {
    await mkdir(inFolder('empty'));
    expect(await cairn(['model', 'init', 'nano', '--out', inFolder('empty')])).toMatchObject({ code: 0 });
    expect((await stat(inFolder('empty'))).mode & 0o777).toBe(0o777 & ~process.umask());
  });
});

const withTemplate = (content: Buffer, template: string): string =>
  JSON.stringify({ ...z.looseObject({}).parse(JSON.parse(content.toString())), chat_template: template });

const tokensSchema = z.looseObject({
  added_tokens: z.array(z.looseObject({ id: z.int(), content: z.string() })),
  model: z.looseObject({ vocab: z.record(z.string(), z.int()), merges: z.array(z.unknown()) }),
});
function withTokens(content: Buffer, edit: (tokens: z.output<typeof tokensSchema>) => unknown): string {
  const tokens = tokensSchema.parse(JSON.parse(content.toString()));
  edit(tokens);
  return JSON.stringify(tokens);
}

function withHeader(content: Buffer, edit: (header: string) => string): Buffer {
  const length = Number(content.readBigUInt64LE());
  const header = Buffer.from(
    edit(
      content
        .subarray(8, 8 + length)
        .toString()
        .trimEnd(),
    ),
  );
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([prefix, header, content.subarray(8 + length)]);
}

describe('cairn-gym model show', () => {
  it('describes a checkpoint', async () => {
    const { code, out } = await cairn(['model', 'show', inFolder('bytes')]);
    expect(code).toBe(0);
    expect(out).toMatch(/qwen3, 2 layers x 128, 0\.43 million parameters, all valid/);
    expect(out).toMatch(/A vocabulary of 262, of which the tokenizer has 262; with a chat template/);
  });

  it.each<[what: string, file: string, change: (content: Buffer) => Buffer | string, said: RegExp]>([
    [
      'truncated weights',
      'model.safetensors',
      (content) => content.subarray(0, 100_000),
      /model\.safetensors/,
    ],
    [
      'a weight that is not finite',
      'model.safetensors',
      (content) => Buffer.concat([content.subarray(0, -4), Buffer.from([0, 0, 0xc0, 0x7f])]),
      /entry \d+ is NaN, not a finite number/,
    ],
    [
      'another architecture',
      'config.json',
      (content) => content.toString().replaceAll('qwen3', 'mamba'),
      /model_type/,
    ],
    [
      'more layers than any model has',
      'config.json',
      (content) => content.toString().replace('"num_hidden_layers": 2', '"num_hidden_layers": 100000000'),
      /num_hidden_layers: at most 10000 is taken/,
    ],
    [
      'a broken chat template',
      'tokenizer_config.json',
      (content) => withTemplate(content, '{{ m.content'),
      /chat_template of .*tokenizer_config\.json: it is not a valid chat template/,
    ],
    [
      'a chat template that refuses every conversation',
      'tokenizer_config.json',
      (content) => withTemplate(content, '{{ raise_exception("never") }}'),
      /the template refuses this conversation of 3 messages \(.*never/,
    ],
    [
      'weights of another shape',
      'config.json',
      (content) => content.toString().replace('"hidden_size": 128', '"hidden_size": 64'),
      /its shape is \[262, 128\], but config\.json asks for \[262, 64\]/,
    ],
    [
      'a tokenizer with more ids than the model',
      'config.json',
      (content) => content.toString().replace('"vocab_size": 262', '"vocab_size": 200'),
      /ids up to 261, and the model has ids below 200/,
    ],
    [
      'two tokens with one id',
      'tokenizer.json',
      (content) => withTokens(content, ({ model: { vocab } }) => (vocab['b'] = vocab['a'] ?? 0)),
      /the tokens "a" and "b" both have the id \d+/,
    ],
    [
      'an added token with the id of another',
      'tokenizer.json',
      (content) =>
        withTokens(content, ({ added_tokens: added }) =>
          added.splice(0, 1, { id: 65, content: '<|taken|>' }),
        ),
      /tokenizer\.json: the tokens ".*" and ".*" both have the id 65/,
    ],
    [
      'an id without a token',
      'tokenizer.json',
      (content) => withTokens(content, ({ model: { vocab } }) => delete vocab['a']),
      /no token has the id \d+, though higher ids are in use/,
    ],
    [
      'a merge of an unknown token',
      'tokenizer.json',
      (content) => withTokens(content, ({ model: { merges } }) => merges.push(['a', '日'])),
      /merge 0 needs the token "日"/,
    ],
    [
      'a merge into an unknown token',
      'tokenizer.json',
      (content) => withTokens(content, ({ model: { merges } }) => merges.push('a b')),
      /merge 0 needs the token "ab"/,
    ],
    [
      'a merge that is no pair',
      'tokenizer.json',
      (content) => withTokens(content, ({ model: { merges } }) => merges.push(['a', 'b', 'c'])),
      /merge 0 is no pair/,
    ],
    [
      'missing merges',
      'tokenizer.json',
      (content) =>
        withTokens(content, ({ model: { vocab }, added_tokens: added }) => {
          vocab['ab'] = 262;
          added.push({ id: 263, content: '<|new|>' });
        }),
      /no merge makes 1 of its 1 tokens of several characters, "ab" among them/,
    ],
    [
      'a header with a key twice',
      'model.safetensors',
      (content) => withHeader(content, (header) => header.replace(/^\{("[^"]+":\{[^}]*\})/, '{$1,$1')),
      /model\.safetensors: its header has the key ".+" twice/,
    ],
    [
      'a config with a key twice',
      'config.json',
      (content) => content.toString().replace('{', '{"vocab_size": 262,'),
      /config\.json, vocab_size: the key stands there twice/,
    ],
    [
      'a norm that erases its input',
      'config.json',
      (content) => content.toString().replace(/"rms_norm_eps": [^,]+/, '"rms_norm_eps": 1e30'),
      /rms_norm_eps: 1e-12 to 0\.01 is taken/,
    ],
    [
      'a rotary base without rotation',
      'config.json',
      (content) => content.toString().replace(/"rope_theta": [^,]+/, '"rope_theta": 1e300'),
      /rope_theta: 1 to 1000000000000 is taken/,
    ],
    [
      'an end token outside of the vocabulary',
      'config.json',
      (content) => content.toString().replace('{', '{"eos_token_id": [3, 262],'),
      /eos_token_id: the id 262 is outside of the vocabulary of 262 tokens/,
    ],
    [
      'an end token of generation outside of the vocabulary',
      'generation_config.json',
      () => '{"eos_token_id": 999}',
      /eos_token_id names 999, which is not in tokenizer\.json/,
    ],
    [
      'a negative end token',
      'config.json',
      (content) => content.toString().replace('{', '{"eos_token_id": -5,'),
      /eos_token_id/,
    ],
  ])('refuses %s, by file and place', async (what, file, change, said) => {
    const copy = inFolder(what.replaceAll(' ', '-'));
    await cp(inFolder('bytes'), copy, { recursive: true });
    await writeFile(path.join(copy, file), change(await readFile(path.join(copy, file))));
    const { code, err } = await cairn(['model', 'show', copy]);
    expect(code).toBe(2);
    expect(err).toMatch(said);
  });

  it('refuses a folder without an end-of-turn token', async () => {
    const copy = inFolder('endless');
    await cp(inFolder('bytes'), copy, { recursive: true });
    const config = path.join(copy, 'tokenizer_config.json');
    const { eos_token: _end, ...others } = z
      .looseObject({ chat_template: z.string() })
      .parse(JSON.parse(await readFile(config, 'utf8')));
    await writeFile(
      config,
      JSON.stringify({ ...others, chat_template: others.chat_template.replace(" + '<|end|>'", '') }),
    );
    await rm(path.join(copy, 'generation_config.json'));
    expect(await cairn(['model', 'show', copy])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /neither its tokenizer nor its template names the token that ends a turn\. Name it as eos_token/,
      ) as string,
    });
  });

  it('refuses a folder without a model', async () => {
    const { code, err } = await cairn(['model', 'show', inFolder('none')]);
    expect(code).toBe(2);
    expect(err).toMatch(/config\.json: there is no such file/);
  });
});

describe('cairn-gym model merge', () => {
  it('merges an adapter into the weights, and copies the files beside them', async () => {
    const config = await readTransformerConfig(inFolder('bytes'));
    const lora: LoraConfig = { rank: 2, alpha: 4, targets: ['q_proj', 'down_proj'] };
    const drawn = initialFactors(config, lora, createRng(1));
    const factors = Object.fromEntries(
      Object.entries(drawn).map(([name, values]) => [name, values.map((value, at) => value + (at % 3))]),
    );
    const adapter: Adapter<NamedValues> = { config: lora, factors };
    await writeAdapter(inFolder('adapter'), config, { ...adapter, baseModel: 'bytes' });
    await cp(inFolder('bytes'), inFolder('base'), { recursive: true });
    await writeFile(inFolder('base', 'LICENSE.md'), 'as you like');
    await writeFile(
      inFolder('base', 'config.json'),
      (await readFile(inFolder('base', 'config.json'), 'utf8')).replace('{', '{"eos_token_id": 260,'),
    );
    const { code, out } = await cairn([
      'model',
      'merge',
      inFolder('adapter'),
      '--base',
      inFolder('base'),
      '--out',
      inFolder('merged'),
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/rank 2 on q_proj, down_proj/);
    const expected = await weightsOf('base');
    mergeAdapter(config, expected, adapter);
    expect(await weightsOf('merged')).toEqual(expected);
    expect(expected).not.toEqual(await weightsOf('base'));
    expect((await readdir(inFolder('merged'))).toSorted()).toEqual(
      (await readdir(inFolder('base'))).toSorted(),
    );
    expect(JSON.parse(await readFile(inFolder('merged', 'config.json'), 'utf8'))).toMatchObject({
      eos_token_id: 260,
      model_type: 'qwen3',
    });
    expect(await cairn(['model', 'show', inFolder('merged')])).toMatchObject({ code: 0 });
  });

  it('asks for the base model when the adapter names none that exists', async () => {
    const { code, err } = await cairn(['model', 'merge', inFolder('adapter'), '--out', inFolder('baseless')]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/changes bytes, which is not a model folder here.*--base FOLDER/) as string,
    });
  });

  it('refuses a whole model, which has nothing to merge', async () => {
    const { code, err } = await cairn(['model', 'merge', inFolder('bytes'), '--out', inFolder('whole')]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(
        `it is a whole model, not an adapter: there is nothing to merge. Use it directly: ${inFolder('bytes')}.`,
      ) as string,
    });
  });

  it('refuses an adapter of another model, and writes nothing', async () => {
    await cairn(['model', 'init', 'micro', '--out', inFolder('larger')]);
    const { code, err } = await cairn([
      'model',
      'merge',
      inFolder('adapter'),
      '--base',
      inFolder('larger'),
      '--out',
      inFolder('wrong'),
    ]);
    expect(code).toBe(2);
    expect(err).toMatch(/Give the adapter that belongs to this model/);
    expect(await readdir(folder)).not.toContain('wrong');
  });
});
