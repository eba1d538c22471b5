// Slow: opens a pretrained model of 135 million parameters, which `npm run provision -- smollm` imports.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTokenAgent } from '../../agents/policy/token.ts';
import { loadPrompt } from '../../agents/prompt/load-prompt.ts';
import { loadChatFormat, type ChatFormat } from '../../agents/render/chat-format.ts';
import { createEnvPool } from '../../agents/rollout/env-pool.ts';
import { runEpisode } from '../../agents/rollout/episode.ts';
import { episodeLimitsSchema } from '../../agents/rollout/limits.ts';
import { smollmFolder } from '../../cli/doctor/system-parts.ts';
import { strictTextual } from '../../envs/core/textual.ts';
import { householdSmallEnv } from '../../envs/household/definition.ts';
import { openEnv } from '../../envs/open.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { TokenGenerator } from '../../models/token/generate/token-generator.ts';
import { openTokenModel } from '../../models/token/open-token-model.ts';
import type { TokenModel } from '../../models/token/token-model.ts';
import { testContext } from '../support/rollout.ts';
import { describeWithParts } from '../support/system-part.ts';

const ids = z.array(z.int());
const goldenFile = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8'));
const goldens = z
  .object({
    texts: z.array(z.string()),
    rows: z.array(ids),
    logprobs: z.array(z.array(z.number())),
    greedy: z.object({ ids, text: z.string() }),
    question: z.string(),
    ids: z.array(ids),
  })
  .parse(goldenFile('smollm/goldens.json'));
const { strings } = z
  .looseObject({ strings: z.array(z.string()) })
  .parse(goldenFile('tokenizer/goldens.json'));

await describeWithParts(['smollm'], 'SmolLM2-135M-Instruct, imported from GGUF', () => {
  const folder = smollmFolder(process.env);
  const context = testContext();
  let chat: ChatFormat;
  let model: TokenModel;
  let generator: TokenGenerator;
  beforeAll(async () => {
    chat = await loadChatFormat(folder);
    const backend = await openBackend('wasm');
    model = await openTokenModel({ backend, folder });
    const settings = { contextLength: 1_024, slots: 1 };
    generator = new TokenGenerator({ backend, model, codec: chat.tokenizer, settings });
  });
  afterAll(async () => {
    await generator.dispose();
    await model.dispose();
  });

  test('encodes every string to the ids of transformers', () => {
    for (const [index, text] of strings.entries())
      expect(chat.tokenizer.encode(text), JSON.stringify(text.slice(0, 60))).toEqual(goldens.ids[index]);
    for (const [index, text] of goldens.texts.entries())
      expect(chat.tokenizer.encode(text)).toEqual(goldens.rows[index]);
    const messages = [{ role: 'user', text: goldens.question } as const];
    expect(chat.template.render(messages, { addGenerationPrompt: true })).toBe(goldens.texts[0]);
  });

  test('gives the log-probabilities of PyTorch within 2e-4', async () => {
    const starts = [0, ...goldens.rows.map(({ length }) => length)];
    const rowStart = Int32Array.from(starts, (_, row) => starts.slice(0, row + 1).reduce((a, b) => a + b, 0));
    const tokens = Int32Array.from(goldens.rows.flat());
    const scored = Int32Array.from(tokens.keys()).filter((place) => !rowStart.includes(place));
    const found = await model.logprobs({ tokens, rowStart, scored }, 1);
    const wanted = goldens.logprobs.flat();
    expect(found).toHaveLength(wanted.length);
    const distances = wanted.map((logprob, at) => Math.abs(logprob - (found[at] ?? Number.NaN)));
    expect(Math.max(...distances)).toBeLessThan(2e-4);
  });

  test('writes the text that transformers writes greedily', async () => {
    const session = generator.begin();
    const [prompt = []] = goldens.rows;
    const request = {
      maxTokens: 24,
      stopTokens: chat.stopTokens,
      stopTexts: [],
      decoding: { temperature: 0 },
    };
    const { tokens } = await session.sample({ prompt, ...request }, context);
    session.end();
    expect(chat.tokenizer.decode([...tokens])).toBe(goldens.greedy.text);
    expect(tokens).toEqual(goldens.greedy.ids);
  });

  test.each([
    { name: 'free', restricted: false },
    { name: 'restricted', restricted: true },
  ])('plays an episode of household-small: $name', async ({ restricted }) => {
    const host = await openEnv(householdSmallEnv, { maxSteps: 2 }, context);
    const agent = createTokenAgent<string, string>({
      id: 'smollm',
      sampler: generator,
      codec: chat.tokenizer,
      guard: chat.guard,
      template: chat.template,
      prompt: await loadPrompt('plain'),
      text: strictTextual(householdSmallEnv),
      view: { admissible: true, history: 0 },
      decoding: { temperature: 0 },
      maxTokens: restricted ? 64 : 8,
      stopTokens: chat.stopTokens,
      restricted,
    });
    const episode = await runEpisode(
      {
        path: 'dev/0',
        envs: createEnvPool(host),
        env: { id: householdSmallEnv.id, config: { maxSteps: 2 } },
        agent,
        task: { panel: 'dev', index: 0 },
        family: 'any',
        limits: episodeLimitsSchema.parse({}),
      },
      context,
    );
    await host.close();
    expect(episode.steps.length).toBeGreaterThan(0);
    const kinds = episode.steps.map(({ decision }) => decision?.kind);
    expect(new Set(kinds)).toEqual(new Set(['tokens']));
    if (restricted) expect(episode.steps.map(({ verdict }) => verdict)).not.toContain('malformed');
  });
});
