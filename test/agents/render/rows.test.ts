import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenAgent, type TokenAgentOptions } from '../../../agents/policy/token.ts';
import { loadPrompt } from '../../../agents/prompt/load-prompt.ts';
import { parsePrompt } from '../../../agents/prompt/prompt.ts';
import { createChatTemplate } from '../../../agents/render/chat-template.ts';
import { loadTokenizer } from '../../../agents/render/tokenizer/load-tokenizer.ts';
import { rowsOf, type TokenRow } from '../../../agents/render/rows.ts';
import { createTextGuard } from '../../../agents/render/special-text.ts';
import type { MessageTemplate } from '../../../agents/render/token-prompt.ts';
import { createEnvPool, type EnvPool } from '../../../agents/rollout/env-pool.ts';
import { runEpisode } from '../../../agents/rollout/episode.ts';
import { episodeLimitsSchema } from '../../../agents/rollout/limits.ts';
import { readTrajectories } from '../../../agents/rollout/store/read-store.ts';
import { openTrajectoryStore } from '../../../agents/rollout/store/store.ts';
import type { Trajectory } from '../../../agents/rollout/trajectory.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { openEnv } from '../../../envs/open.ts';
import { corridor, type CorridorMove, type CorridorView } from '../../support/corridor.ts';
import { rowAdvantages } from '../../../trainers/update/tokens/row-advantages.ts';
import { collect, testContext } from '../../support/rollout.ts';
import {
  anyReply,
  byteCodec,
  byteGuard,
  endToken,
  otherEndToken,
  scriptedSampler,
  templates,
  type Exchanged,
} from '../../support/token-play.ts';
import { smallPrompt } from '../prompt/small-prompt.ts';
import { runs } from '../../support/thorough.ts';

let folder: string;
let envs: EnvPool<CorridorView, CorridorMove>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rows-'));
  envs = createEnvPool(await openEnv(corridor, { turns: 9 }, testContext()));
});
afterAll(async () => {
  await envs.close();
  await rm(folder, { recursive: true });
});

const actions = ['go right', 'go left', 'go wait'];
type Options = TokenAgentOptions<CorridorView, CorridorMove>;

interface Played {
  readonly trajectory: Trajectory;
  readonly asked: readonly Exchanged[];
  /** All that the template said. */
  readonly rendered: ReadonlySet<string>;
  readonly rows: readonly TokenRow[];
}

async function play(
  replies: readonly (readonly number[])[],
  over: Partial<Options> = {},
  contextLength?: number,
): Promise<Played> {
  const sampler = scriptedSampler(
    (_, number) => ({ tokens: replies[number % replies.length] ?? [] }),
    contextLength,
  );
  const rendered = new Set<string>();
  const told: MessageTemplate = over.template ?? templates.plain;
  const template: MessageTemplate = {
    render: (messages, options) => {
      const text = told.render(messages, options);
      rendered.add(text);
      return text;
    },
  };
  const agent = createTokenAgent<CorridorView, CorridorMove>({
    id: 'writer',
    sampler,
    codec: byteCodec,
    guard: byteGuard,
    prompt: parsePrompt({ ...smallPrompt, history: 'all' }, 'test'),
    text: corridor.text,
    view: { admissible: false, history: 'all' },
    decoding: { temperature: 1 },
    maxTokens: 40,
    stopTokens: [endToken, otherEndToken],
    ...over,
    template,
  });
  const plan = {
    path: 'one',
    envs,
    env: { id: 'corridor-v1', config: {} },
    agent,
    task: { panel: 'train', index: 2 },
    family: 'rooms-5',
    limits: episodeLimitsSchema.parse({ malformed: { inARow: 6 } }),
  };
  const trajectory = await runEpisode(plan, testContext());
  expect(sampler.ended()).toBe(1);
  return { trajectory, asked: sampler.asked, rendered, rows: rowsOf(trajectory) };
}

const everyWay: fc.Arbitrary<Partial<Options>> = fc
  .record({
    template: fc.constantFrom(...Object.values(templates)),
    history: fc.constantFrom(
      'all' as const,
      'all' as const,
      0,
      1,
      2,
      50,
      { chunk: 3, carried: 1 },
      { chunk: 'context' as const, carried: 2 },
    ),
    admissible: fc.boolean(),
    remember: fc.constantFrom('reply', 'action'),
    grammar: fc.constantFrom('command', 'command', 'tags', 'react'),
    stop: fc.constantFrom([], ['\n']),
  })
  .map(({ template, history, admissible, ...prompt }) => ({
    template,
    view: { admissible, history },
    prompt: parsePrompt({ ...smallPrompt, ...prompt }, 'test'),
  }));

const sampledOf = ({ tokens, sampled }: TokenRow): readonly number[] =>
  [...tokens].filter((_, place) => sampled[place] === 1);
const marked = <T>(row: TokenRow, values: ArrayLike<T>): readonly T[] =>
  Array.from(values).filter((_, place) => row.sampled[place] === 1);

/** Where in a row what was written stands behind the very prompt that it was written behind. */
const standsIn = ({ tokens, sampled }: TokenRow, { request: { prompt }, written }: Exchanged): boolean => {
  const whole = [...prompt, ...written.tokens];
  return (
    whole.length <= tokens.length &&
    whole.every((token, place) => tokens[place] === token) &&
    written.tokens.every((_, place) => sampled[prompt.length + place] === 1)
  );
};

function expectExact({ rows, asked, trajectory }: Played): void {
  expect(rows.flatMap(sampledOf)).toEqual(asked.flatMap(({ written }) => written.tokens));
  expect(rows.flatMap((row) => marked(row, row.logprobs))).toEqual(
    asked.flatMap(({ written }) =>
      written.logprobs.map((logprob) => (logprob === null ? Number.NaN : Math.fround(logprob))),
    ),
  );
  const steps = trajectory.steps.flatMap(({ decision }, step) =>
    decision?.kind === 'tokens' ? decision.spans.flatMap(({ sampled }) => sampled.map(() => step)) : [],
  );
  expect(rows.flatMap((row) => marked(row, row.steps))).toEqual(steps);
  for (const exchanged of asked) expect(rows.some((row) => standsIn(row, exchanged))).toBe(true);
  for (const row of rows) {
    const isPlain = (place: number): boolean => row.logprobs[place] === 0 && row.steps[place] === -1;
    expect([...row.sampled].every((mark, place) => mark === 1 || isPlain(place))).toBe(true);
  }
}

describe('rows of an episode', () => {
  it('contain every sampled token once, in order, after its exact prompt, and mark nothing else', async () => {
    let [joined, separate] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyReply(actions), { minLength: 1, maxLength: 9 }),
        everyWay,
        async (replies, way) => {
          const played = await play(replies, way);
          expectExact(played);
          if (played.rows.length < played.asked.length) joined += 1;
          if (played.rows.length > 1) separate += 1;
          for (const { request } of played.asked)
            expect(played.rendered).toContain(byteCodec.decode(request.prompt)); // bytes encode stably
        },
      ),
      { numRuns: runs(300) },
    );
    expect(Math.min(joined, separate)).toBeGreaterThan(20);
  });

  it.each(['gpt', 'llama', 'qwen', 'own'])(
    'contain every sampled token once under the tokenizer and template of a checkpoint: %s',
    async (name) => {
      const folder = fileURLToPath(new URL(`../../golden/tokenizer/${name}`, import.meta.url));
      const { tokenizer, template: source } = await loadTokenizer(folder);
      if (source === undefined) throw new TypeError(`${name} has no chat template`);
      const template = createChatTemplate(source, {
        special: tokenizer.special.keys(),
        today: () => new Date(0),
      });
      const stopTokens = [...tokenizer.endOfTurn];
      const texts = fc.constantFrom(
        'go left',
        ' go right',
        '<think>a</think>\n\ngo left',
        '<think>a</think>go left\n',
        'é<|im_end|>',
        '',
      );
      const said = fc.oneof(
        { arbitrary: texts.map((text) => tokenizer.encode(text)), weight: 3 },
        fc.array(fc.nat(tokenizer.size - 1), { maxLength: 12 }),
      );
      const reply = fc
        .tuple(said, fc.boolean())
        .map(([tokens, ends]) => [...tokens, ...(ends ? stopTokens.slice(0, 1) : [])]);
      await fc.assert(
        fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 9 }), everyWay, async (replies, way) => {
          const played = await play(replies, {
            ...way,
            template,
            codec: tokenizer,
            guard: createTextGuard(tokenizer),
            stopTokens,
          });
          expectExact(played);
          for (const { request } of played.asked)
            expect(played.rendered).toContain(tokenizer.decode(request.prompt));
        }),
        { numRuns: 40 },
      );
    },
  );

  it('contain every sampled token once in small contexts and across context resets', async () => {
    let resets = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyReply(actions), { minLength: 1, maxLength: 9 }),
        everyWay,
        fc.nat(4),
        fc.integer({ min: 2, max: 4 }),
        async (replies, way, carriedTokens, contexts) => {
          const played = await play(
            replies,
            { ...way, maxTokens: 5, reset: { carriedTokens, contexts } },
            420,
          );
          expectExact(played);
          for (const { request } of played.asked)
            expect(request.prompt.length + request.maxTokens).toBeLessThanOrEqual(420);
          if (played.asked.length > played.trajectory.steps.length) resets += 1;
        },
      ),
      { numRuns: 200 },
    );
    expect(resets).toBeGreaterThan(50);
  });

  it('number one for a whole transcript, and one per step for a history of last steps', async () => {
    const replies = [[...byteCodec.encode('go left'), endToken], byteCodec.encode('go right')];
    for (const [history, admissible, rows] of [
      ['all', false, 1],
      ['all', true, 9],
      [0, false, 9],
      [2, false, 9],
      [50, false, 9],
    ] as const) {
      const played = await play(replies, { view: { history, admissible }, template: templates.trimming });
      expect(played.trajectory.steps).toHaveLength(9);
      expect(played.rows).toHaveLength(rows);
      if (rows === 1)
        expect(
          byteCodec
            .decode([...(played.rows[0]?.tokens ?? [])])
            .startsWith([...played.rendered].at(-1) ?? '-'),
        ).toBe(true);
    }
  });

  it('number one for each chunk of the context, which begins with the steps that are carried over', async () => {
    const replies = ['left', 'right', 'wait'].map((way) => [...byteCodec.encode(`go ${way}`), endToken]);
    const view = { admissible: false, history: { chunk: 4, carried: 2 } } as const;
    const { trajectory, rows, asked } = await play(replies, { view });
    const decisions = trajectory.steps.map(({ decision }) =>
      decision?.kind === 'tokens' ? [decision.contextStart, decision.leftOut] : [],
    );
    const on = [undefined, 0];
    expect(decisions).toEqual([on, on, on, on, [2, 0], on, [4, 0], on, [6, 0]]);
    expect(rows.map((row) => new Set(marked(row, row.steps)))).toEqual(
      [[0, 1, 2, 3], [4, 5], [6, 7], [8]].map((steps) => new Set(steps)),
    );
    const begun = byteCodec.decode(asked[4]?.request.prompt ?? []);
    expect(begun).toContain('(2 LEFT OUT)');
    expect(begun.match(/go (left|right|wait)/g)).toEqual(['go wait', 'go left']); // of steps 2 and 3
    const advantage = trajectory.steps.map((_, step) => step / 8 - 0.5);
    const whole = await play(replies, { view: { ...view, history: 'all' } });
    const credited = ({ rows: of }: Played): readonly number[] =>
      rowAdvantages(of, { advantage: Float64Array.from(advantage) }).flatMap((row, place) =>
        marked(of[place] as TokenRow, row),
      );
    expect(credited({ trajectory, rows, asked, rendered: new Set() })).toEqual(credited(whole));
  });

  it('begin again with the steps that are carried over where the context is full', async () => {
    const reply = [...byteCodec.encode('go left'), endToken];
    const history = { chunk: 'context', carried: 1 } as const;
    const { trajectory, rows, asked } = await play(
      [reply],
      { view: { admissible: false, history }, maxTokens: 10 },
      330,
    );
    const starts = trajectory.steps.map(({ decision }) =>
      decision?.kind === 'tokens' ? decision.contextStart : undefined,
    );
    const begun = starts.flatMap((start, step) => (start === undefined ? [] : [[step, start]]));
    expect(begun.length).toBeGreaterThan(1);
    for (const [step = 0, start] of begun) expect(start).toBe(step - 1);
    expect(rows).toHaveLength(begun.length + 1);
    for (const { request } of asked) expect(request.prompt.length).toBeLessThanOrEqual(320);
  });

  it('end where the template renders a reply differently from what was written', async () => {
    const think = [...byteCodec.encode('<think>left?</think>go left'), endToken];
    const plainly = [...byteCodec.encode('go left'), endToken];
    expect((await play([think, plainly, plainly], { template: templates.plain })).rows).toHaveLength(1);
    const forgotten = await play([think, plainly, plainly], { template: templates.forgetful });
    expect(forgotten.rows.length).toBe(1 + Math.ceil((forgotten.asked.length - 1) / 3));
    const otherEnd = [...byteCodec.encode('go left'), otherEndToken];
    expect((await play([otherEnd])).rows).toHaveLength(9);
  });

  it('survive the store, which keeps each prompt token once', async () => {
    const reply = [...byteCodec.encode('go left'), endToken];
    for (const history of ['all', 3, { chunk: 3, carried: 1 }] as const) {
      const { trajectory, rows } = await play([reply], {
        prompt: await loadPrompt('terse'),
        view: { admissible: false, history },
      });
      const name = `history-${JSON.stringify(history).replaceAll(/\W/g, '')}`;
      const store = await openTrajectoryStore({ folder, name });
      await store.append({ task: trajectory.task, members: [trajectory] });
      await store.close();
      const [group] = await collect(readTrajectories(folder, name, { onTornTail: () => undefined }));
      const [back] = group?.members ?? [];
      if (back === undefined) throw new Error('one member was stored');
      expect(back).toStrictEqual(trajectory);
      expect(rowsOf(back)).toStrictEqual(rows);
      const kept = trajectory.steps
        .flatMap(({ decision }) => (decision?.kind === 'tokens' ? decision.spans : []))
        .reduce((sum, { appended, sampled }) => sum + appended.length + sampled.length, 0);
      if (history === 'all') expect(kept).toBe(rows[0]?.tokens.length);
      else expect(kept).toBeLessThan(rows.reduce((sum, { tokens }) => sum + tokens.length, 0));
    }
  });

  it('list the tokens that each restricted token was drawn from', async () => {
    const wanted = byteCodec.encode('go right');
    const { rows, asked } = await play([[...wanted, endToken]], { restricted: true });
    const [row] = rows;
    if (row === undefined) throw new Error('there is a row');
    expect(row.allowed.size).toBe(sampledOf(row).length);
    for (const [place, choices] of row.allowed) expect(choices).toContain(row.tokens[place]);
    const start = asked[0]?.request.prompt.length ?? 0;
    const letter = (text: string): number => text.charCodeAt(0);
    expect([
      row.allowed.get(start),
      row.allowed.get(start + 3),
      row.allowed.get(start + wanted.length),
    ]).toEqual([
      [letter('g')],
      [letter('l'), letter('r'), letter('w')].filter((it) =>
        asked[0]?.request.allowed?.some((tokens) => tokens[3] === it),
      ),
      [endToken],
    ]);
  });

  it('reject a trajectory of another agent, and spans that do not fit', async () => {
    const { trajectory } = await play([[...byteCodec.encode('go left'), endToken]]);
    const [first, second] = trajectory.steps;
    if (first === undefined || second?.decision?.kind !== 'tokens')
      throw new Error('there are two steps of tokens');
    const refused =
      (steps: Trajectory['steps']): (() => unknown) =>
      () =>
        rowsOf({ ...trajectory, steps });
    expect(refused([first, { ...second, decision: undefined }])).toThrow(
      /step 1 of trajectory .*: it has no token decision/,
    );
    expect(refused([second])).toThrow(/step 0 of trajectory .*: it keeps \d+ tokens, and 0 precede it/);
    expect(
      refused([
        first,
        {
          ...second,
          decision: {
            ...second.decision,
            spans: second.decision.spans.map((span) => ({ ...span, logprobs: [-1] })),
          },
        },
      ]),
    ).toThrow(/it has 8 sampled tokens and 1 log-probabilities/);
    expect(refused([second])).toThrow(UsageError);
  });
});
