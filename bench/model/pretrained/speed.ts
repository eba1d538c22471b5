import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { memory } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { createContext } from '../../../envs/core/context.ts';
import { createRng } from '../../../envs/core/rng.ts';
import type { BackendName } from '../../../models/backend/backend.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { TokenGenerator } from '../../../models/token/generate/token-generator.ts';
import { openTokenModel } from '../../../models/token/open-token-model.ts';
import { precisions, type Precision } from '../../../models/token/weight-layout.ts';
import { describeMachine, peakMemoryMiB } from '../../report/machine.ts';
import { printReport } from '../../report/print-report.ts';

/*
 * Tokens a second that a pretrained model reads and writes on one core. Cairn, transformers and llama.cpp take turns, each in a process of its own:
 * CAIRN_MODEL=FOLDER CAIRN_PYTHON=python3 CAIRN_LLAMA=FOLDER_OF_NODE_LLAMA_CPP CAIRN_GGUF=FILE npm run --silent perf -- pretrained/speed
 */

const readTokens = 128;
const writtenTokens = 24;
const rounds = 3;

const spent = z.object({ clock: z.number(), processor: z.number() });
const measured = z.looseObject({ read: spent, write: spent });
type Measured = z.output<typeof measured>;
type Spent = z.output<typeof spent>;

const now = (): Spent => {
  const { user, system } = process.cpuUsage();
  return { clock: performance.now() / 1e3, processor: (user + system) / 1e6 };
};
const since = (from: Spent, to: Spent): Spent => ({
  clock: to.clock - from.clock,
  processor: to.processor - from.processor,
});

/** Measures twice, because the first time packs and compiles. */
async function ours(folder: string, name: BackendName, precision: Precision): Promise<Measured> {
  const backend = await openBackend(name);
  const model = await openTokenModel({ backend, folder, precision });
  const settings = { contextLength: 512, slots: 1 };
  const generator = new TokenGenerator({ backend, model, codec: { decode: () => '' }, settings });
  const context = createContext({ seed: 1, now: () => performance.now() });
  const rng = createRng(1);
  const request = { stopTokens: [], stopTexts: [], decoding: { temperature: 0 } };
  const measure = async (): Promise<Measured> => {
    const session = generator.begin();
    const prompt = Array.from({ length: readTokens }, () => 10 + rng.int(10_000));
    const begun = now();
    const { tokens } = await session.sample({ ...request, prompt, maxTokens: 1 }, context);
    const middle = now();
    await session.sample({ ...request, prompt: [...prompt, ...tokens], maxTokens: writtenTokens }, context);
    const end = now();
    session.end();
    return { read: since(begun, middle), write: since(middle, end) };
  };
  await measure();
  const tensorsMiB = Math.round(memory().numBytes / 2 ** 20);
  const result = { ...(await measure()), tensorsMiB, peakMiB: peakMemoryMiB() };
  await generator.dispose();
  await model.dispose();
  return result;
}

/** What is used of `node-llama-cpp`, which is no dependency. */
interface LlamaModule {
  getLlama(options: object): Promise<{
    loadModel(options: { readonly modelPath: string }): Promise<{
      createContext(options: object): Promise<{
        getSequence(): {
          evaluate(tokens: readonly number[], options: object): AsyncIterable<number>;
          clearHistory(): Promise<void>;
        };
      }>;
    }>;
  }>;
}

async function llama(folder: string, file: string): Promise<Measured> {
  const entry = pathToFileURL(path.join(folder, 'dist', 'index.js')).href;
  const llamaModule = (await import(entry)) as LlamaModule;
  const engine = await llamaModule.getLlama({ gpu: false, build: 'never', maxThreads: 1 });
  const model = await engine.loadModel({ modelPath: file });
  const context = await model.createContext({ contextSize: 512, threads: 1 });
  const sequence = context.getSequence();
  const rng = createRng(1);
  const measure = async (): Promise<Measured> => {
    await sequence.clearHistory();
    const prompt = Array.from({ length: readTokens }, () => 10 + rng.int(10_000));
    const begun = now();
    let middle = begun;
    let written = 0;
    for await (const _token of sequence.evaluate(prompt, { temperature: 0, yieldEogToken: true })) {
      if (written === 0) middle = now();
      written += 1;
      if (written > writtenTokens) break;
    }
    return { read: since(begun, middle), write: since(middle, now()) };
  };
  await measure();
  return measure();
}

/** One variant in a process of its own, on one core. */
function inOwnProcess(words: readonly string[]): Measured {
  const [program = '', ...rest] =
    process.platform === 'linux' ? ['taskset', '-c', process.env['CAIRN_CORE'] ?? '0', ...words] : words;
  const out = execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return measured.parse(JSON.parse(out.trim().split('\n').at(-1) ?? ''));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const rate = (tokens: number, seconds: readonly number[]): number =>
  Math.round((10 * tokens) / median(seconds)) / 10;

function summary(all: readonly Measured[]) {
  return {
    readPerProcessorSecond: rate(
      readTokens,
      all.map(({ read }) => read.processor),
    ),
    writtenPerProcessorSecond: rate(
      writtenTokens,
      all.map(({ write }) => write.processor),
    ),
    readPerSecond: rate(
      readTokens,
      all.map(({ read }) => read.clock),
    ),
    writtenPerSecond: rate(
      writtenTokens,
      all.map(({ write }) => write.clock),
    ),
    ...Object.fromEntries(
      ['tensorsMiB', 'peakMiB'].flatMap((key) => (all[0]?.[key] === undefined ? [] : [[key, all[0][key]]])),
    ),
  };
}

function compare(folder: string): void {
  const own = fileURLToPath(import.meta.url);
  const { CAIRN_PYTHON: python, CAIRN_LLAMA: llamaFolder, CAIRN_GGUF: gguf } = process.env;
  const script = path.join('bench', 'model', 'pretrained', 'transformers-speed.py');
  const sizes = [String(readTokens), String(writtenTokens)];
  const variants = new Map<string, readonly string[]>([
    ['wasm, float32', [process.execPath, own, 'ours', folder, 'wasm', 'float32']],
    ['wasm, bf16', [process.execPath, own, 'ours', folder, 'wasm', 'bf16']],
    ['tensorflow, float32', [process.execPath, own, 'ours', folder, 'tensorflow', 'float32']],
  ]);
  if (python !== undefined)
    for (const type of ['float32', 'bfloat16'])
      variants.set(`transformers, ${type}`, [python, script, folder, type, ...sizes]);
  if (llamaFolder !== undefined && gguf !== undefined)
    variants.set('llama.cpp, Q4_1', [process.execPath, own, 'llama', llamaFolder, gguf]);
  const machine = describeMachine();
  const found = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, words] of variants) {
      try {
        found.set(name, [...(found.get(name) ?? []), inOwnProcess(words)]);
      } catch (thrown) {
        process.stderr.write(`${name} fails: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
      }
      process.stderr.write(`round ${round}, ${name}: ${JSON.stringify(found.get(name)?.at(-1))}\n`);
    }
  }
  const rows = Object.fromEntries([...found].map(([name, all]) => [name, summary(all)]));
  printReport({ what: 'tokens a second on one core', machine, readTokens, writtenTokens, rounds, rows });
}

const [job, ...words] = process.argv.slice(2);
const model = process.env['CAIRN_MODEL'];
if (job === 'ours') {
  const [folder, backend, precision] = z
    .tuple([z.string(), z.enum(['wasm', 'tensorflow', 'webgpu', 'cpu']), z.enum(precisions)])
    .parse(words);
  process.stdout.write(`${JSON.stringify(await ours(folder, backend, precision))}\n`);
} else if (job === 'llama') {
  const [folder, file] = z.tuple([z.string(), z.string()]).parse(words);
  process.stdout.write(`${JSON.stringify(await llama(folder, file))}\n`);
  process.exit(0); // its threads would keep the process
} else if (model === undefined) {
  printReport({ what: 'tokens a second on one core', skipped: 'CAIRN_MODEL names no folder' });
} else compare(model);
