// Slow: trains a policy in a program of its own.
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { loadChatFormat } from '../../agents/render/chat-format.ts';
import { cairn } from '../support/command-line.ts';
import { useFolder } from '../support/own-folder.ts';
import { root, run } from '../support/run-program.ts';
import { startServer } from '../support/stub-server.ts';

const jiti = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');
const runExample = (file: string, ...words: readonly string[]) =>
  run(process.execPath, [jiti, path.join('examples', file), ...words]);
const inFolder = useFolder();

it('examples/own-loop.ts teaches a policy to sort', async () => {
  const { code, out, err } = await runExample('own-loop.ts');
  expect(code, err).toBe(0);
  const solved = [...out.matchAll(/^iteration \d+: (\d+) of 128 solved$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(solved).toHaveLength(10);
  expect(solved.at(-1)).toBeGreaterThan(2 * (solved[0] ?? 0));
});

it('examples/evaluate-agent.ts compares an agent with chance', async () => {
  const { code, out, err } = await runExample('evaluate-agent.ts');
  expect(code, err).toBe(0);
  expect(out).toMatch(/^backwards +100\.0 \[88\.6, 100\.0\].* 5\.0\nrandom /m);
  expect(out).toMatch(/^\d\d\.\d points more than chance$/m);
});

const sampleSchema = z.object({
  prompt: z.array(z.int()),
  maxTokens: z.int(),
  stopTokens: z.array(z.int()),
  temperature: z.literal(1),
  seed: z.int(),
});

it('examples/token-server.ts plays by what a server of its own protocol samples', async () => {
  const folder = inFolder('nano');
  const made = await cairn(['model', 'init', 'nano', '--out', folder, '--quiet']);
  expect(made.code, made.err).toBe(0);
  const { tokenizer, stopTokens } = await loadChatFormat(folder);
  /** Moves e, d, c, b and a to the front, one after the other. */
  await using server = await startServer(
    sampleSchema,
    ({ path: route, body }) => {
      const moves = tokenizer.decode(body.prompt).split('front ').length - 1;
      const tokens = [...tokenizer.encode(`front ${'edcba'[moves] ?? ''}`), stopTokens[0] ?? 0];
      const logprobs = tokens.map(() => -0.5);
      return route === '/sample'
        ? { kind: 'json', body: { tokens, logprobs, done: true } }
        : { kind: 'json', status: 404, body: {} };
    },
    ['nano'],
  );
  const { code, out, err } = await runExample('token-server.ts', folder, server.url);
  expect(code, err).toBe(0);
  expect(out).toMatch(/^own server +100\.0 .* 5\.0 +605 +40$/m);
});
