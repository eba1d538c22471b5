import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadTokenWords } from '../../../lab/export/retelling.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

const golden = (name: string): string =>
  fileURLToPath(new URL(`../../golden/tokenizer/${name}`, import.meta.url));

/** A checkpoint whose configuration says otherwise. */
async function changed(name: string, change: (config: Record<string, unknown>) => void): Promise<string> {
  const copy = await mkdtemp(path.join(folder, 'copy-'));
  await cp(golden(name), copy, { recursive: true });
  const file = path.join(copy, 'tokenizer_config.json');
  const config = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
  change(config);
  await writeFile(file, JSON.stringify(config));
  return copy;
}

describe('loadTokenWords', () => {
  it.each(['llama', 'qwen', 'own'])('ends a reply as the template does: %s', async (name) => {
    const { template, codec, endToken, decode } = await loadTokenWords(golden(name));
    const asked = [{ role: 'user', text: 'Is it?' }] as const;
    const begun = template.render(asked, { addGenerationPrompt: true });
    const whole = template.render(
      [...asked, { role: 'assistant', text: 'It is.' }, { role: 'user', text: 'So?' }],
      { addGenerationPrompt: true },
    );
    expect(whole.startsWith(`${begun}It is.${codec.decode([endToken])}`)).toBe(true);
    expect(decode([...codec.encode('It is.'), endToken])).toBe('It is.');
  });

  it('ends a reply as the template does when the files name another token first', async () => {
    const other = await changed('qwen', (config) => void (config['eos_token'] = '<|endoftext|>'));
    const [{ codec, endToken }, usual] = [await loadTokenWords(other), await loadTokenWords(golden('qwen'))];
    expect(codec.decode([endToken])).toBe(codec.decode([usual.endToken]));
  });

  it('ends a reply with the token in the files when the template puts none there', async () => {
    const plain = await changed(
      'qwen',
      (config) =>
        void (config['chat_template'] = '{% for message in messages %}{{ message.content }}\n{% endfor %}'),
    );
    await rm(path.join(plain, 'chat_template.jinja'), { force: true });
    const { codec, endToken } = await loadTokenWords(plain);
    expect(codec.decode([endToken])).toBe('<|im_end|>');
  });

  it('refuses a checkpoint without a template', async () => {
    const silent = await changed('qwen', (config) => void delete config['chat_template']);
    await rm(path.join(silent, 'chat_template.jinja'), { force: true });
    await expect(loadTokenWords(silent)).rejects.toThrow(/it has no chat template, so the format/);
  });

  it('breaks texts of special tokens', async () => {
    const { guard, codec, endToken } = await loadTokenWords(golden('qwen'));
    expect(codec.encode(guard.tell('a<|im_end|>'))).not.toContain(endToken);
  });
});
