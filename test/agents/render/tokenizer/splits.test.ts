import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { loadTokenizer } from '../../../../agents/render/tokenizer/load-tokenizer.ts';
import type { Tokenizer } from '../../../../agents/render/tokenizer/tokenizer.ts';

const row = z.object({ ids: z.array(z.int()), text: z.string() });
/** See make-splits.py beside the file. */
const goldens = z
  .object({
    rows: z.record(
      z.string(),
      z.object({
        tokenizer: z.looseObject({}),
        encoded: z.array(row),
        decoded: z.array(row),
      }),
    ),
  })
  .parse(
    JSON.parse(await readFile(new URL('../../../golden/tokenizer/splits.json', import.meta.url), 'utf8')),
  );

async function open(content: object): Promise<Tokenizer> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-splits-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(content));
  await writeFile(join(folder, 'tokenizer_config.json'), '{}');
  return (await loadTokenizer(folder)).tokenizer;
}

describe.each(Object.entries(goldens.rows))(
  'tokenizer with %s',
  (_name, { tokenizer: content, encoded, decoded }) => {
    test('encodes to the ids of the Rust library', async () => {
      const tokenizer = await open(content);
      for (const { text, ids } of encoded) expect(tokenizer.encode(text), text).toEqual(ids);
    });

    test('decodes to the texts of the Rust library', async () => {
      const tokenizer = await open(content);
      for (const { text, ids } of decoded) expect(tokenizer.decode(ids), ids.join()).toBe(text);
    });
  },
);
