import { appendFile, cp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { digestWeights } from '../../../models/token/checkpoint.ts';
import { readWeights, writeCheckpoint } from '../../../models/token/checkpoint.ts';
import { readTransformerConfig } from '../../../models/token/transformer-config.ts';
import { cairn } from '../../support/command-line.ts';
import { game, metricsOf, small, succeed, useTaughtModel } from './taught-model.ts';

const at = useTaughtModel();

/** Whether a word is of no option that others set. */
const isLeft =
  (others: readonly string[]) =>
  (word: string, index: number, all: readonly string[]): boolean => {
    const isSet = (flag = '', value = ''): boolean =>
      flag === '--with'
        ? others.some((other) => other.startsWith(`${value.replace(/=.*/, '')}=`))
        : flag.startsWith('--') && others.includes(flag);
    return !isSet(word, all[index + 1]) && !isSet(all[index - 1], word);
  };

describe('cairn-gym sft', () => {
  it('writes a run whose policy is a model that other programs can load', async () => {
    const losses = (await metricsOf(at('taught')))
      .split('\n')
      .flatMap((line) =>
        line.includes('"warm-start"') ? [z.object({ loss: z.number() }).parse(JSON.parse(line)).loss] : [],
      );
    expect(losses.length).toBe(3);
    expect(losses[2]).toBeLessThan(losses[0] as number);
    expect(
      await succeed(['model', 'show', path.join(at('taught'), 'checkpoints', 'warm-start', 'policy')]),
    ).toContain('qwen3');
  });
});

describe('cairn-gym train --policy token', () => {
  it('starts from the cloned model with its prompt, and writes token metrics', async () => {
    const { config, versions } = z
      .object({
        config: z.object({ policy: z.object({ model: z.string() }) }),
        versions: z.object({ start: z.string() }),
      })
      .parse(JSON.parse(await readFile(path.join(at('trained'), 'config.json'), 'utf8')));
    expect(versions.start).toBe(await digestWeights(config.policy.model));
    expect(config.policy.model).toBe(path.join(at('taught'), 'checkpoints', 'warm-start', 'policy'));
    expect(await metricsOf(at('trained'))).toMatch(/"update\/tokens-written":\d+/);
  });

  it('resumes from a checkpoint as if never interrupted', async () => {
    await cp(at('trained'), at('resumed'), { recursive: true });
    await rm(path.join(at('resumed'), 'checkpoints', 'iteration-00002'), { recursive: true });
    await succeed(['train', '--resume', at('resumed'), '--quiet']);
    expect(await metricsOf(at('resumed'))).toBe(await metricsOf(at('trained')));
  });

  it('writes a checkpoint that eval plays', async () => {
    const evaluated: unknown = JSON.parse(
      await succeed([
        'eval',
        '--run',
        at('trained'),
        '--backend',
        'wasm',
        '--tasks',
        '2',
        '--json',
        '--quiet',
      ]),
    );
    expect(evaluated).toMatchObject({
      shown: { kind: 'text', admissible: false, history: 'all steps', checkpoint: 'iteration-00002' },
      tokens: { uncounted: 0 },
    });
  });

  it('writes a policy that eval plays on a backend without workers too', async () => {
    await succeed(['eval', '--run', at('trained'), '--backend', 'cpu', '--tasks', '1', '--quiet']);
  });

  it('writes a policy that eval plays with the requested token filters, and reports them', async () => {
    const playedSchema = z.object({
      shown: z.object({ decoding: z.unknown() }),
      episodes: z.array(z.unknown()),
      tokens: z.unknown(),
    });
    const play = async (...words: readonly string[]) => {
      const { out } = await cairn([
        'eval',
        '--run',
        at('taught'),
        '--backend',
        'wasm',
        '--tasks',
        '8',
        '--json',
        '--quiet',
        ...words,
      ]); // what it writes is mostly no action
      return playedSchema.parse(JSON.parse(out));
    };
    const [greedy, sampled, narrow] = [
      await play('--decoding', 'greedy'),
      await play(),
      await play('--top-k', '1', '--top-p', '0.9', '--min-p', '0.1'),
    ];
    expect(narrow.shown.decoding).toEqual({ kind: 'sampled', temperature: 1, topK: 1, topP: 0.9, minP: 0.1 });
    expect(sampled.shown.decoding).toEqual({ kind: 'sampled', temperature: 1 });
    expect([narrow.episodes, narrow.tokens]).toEqual([greedy.episodes, greedy.tokens]);
    expect([sampled.episodes, sampled.tokens]).not.toEqual([greedy.episodes, greedy.tokens]);
  });

  it.each([
    {
      what: 'greedy decoding',
      words: ['--decoding', 'greedy', '--top-p', '0.9'],
      said: /--top-p: it applies to sampling, and the policy of trained decodes greedily\. Add --decoding sampled/,
    },
    { what: 'a top-p of 0', words: ['--top-p', '0'], said: /--top-p.*must be above 0/ },
    { what: 'a top-k of 0.5', words: ['--top-k', '0.5'], said: /--top-k.*integer/ },
  ])('refuses to play the policy with $what', async ({ words, said }) => {
    expect(
      await cairn(['eval', '--run', at('trained'), '--backend', 'wasm', '--tasks', '2', '--quiet', ...words]),
    ).toMatchObject({ code: 2, err: expect.stringMatching(said) as string });
  });

  it('refuses to play the policy when its tokenizer has changed', async () => {
    await cp(at('trained'), at('spoilt'), { recursive: true });
    await appendFile(
      path.join(at('spoilt'), 'checkpoints', 'iteration-00002', 'policy', 'tokenizer.json'),
      ' ',
    );
    expect(
      await cairn(['eval', '--run', at('spoilt'), '--backend', 'wasm', '--tasks', '2', '--quiet']),
    ).toMatchObject({ code: 2, err: expect.stringContaining('tokenizer.json') as string });
  });

  it('refuses a model with non-finite weights before it makes a run', async () => {
    const config = await readTransformerConfig(at('tiny'));
    const weights: Record<string, Float32Array> = {};
    for await (const [name, values] of readWeights(at('tiny'), config))
      weights[name] = name.includes('up_proj')
        ? values.map((_, place) => (place % 2 === 0 ? 2e38 : -2e38))
        : values;
    await cp(at('tiny'), at('overflowing'), { recursive: true });
    await writeCheckpoint(at('overflowing'), config, weights);
    const said = expect.stringMatching(
      /overflowing: its weights are finite, but the model's results are not/,
    ) as string;
    for (const words of [
      ['train', ...game, ...small],
      ['sft', ...game],
    ])
      expect(await cairn([...words, '--model', at('overflowing'), '--run', at('unmade')])).toEqual({
        code: 2,
        out: '',
        err: said,
      });
    expect(await readdir(at())).not.toContain('unmade');
  });

  it('suggests a larger context when the first prompt does not fit', async () => {
    const { code, err } = await cairn([
      'train',
      ...game.slice(0, -2),
      ...small,
      '--model',
      at('tiny'),
      '--with',
      'policy.contextLength=64',
      '--run',
      at('cramped'),
    ]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /a context of 64 leaves 40 for them with replies of 24: raise policy\.contextLength.*start a new run with another value: `npx cairn-gym train --config .*cramped.config\.json --with KEY=VALUE/s,
      ) as string,
    });
  });

  it.each(['--episodes', '--epochs', '--learning-rate'])(
    'keeps its settings on --resume, and refuses another %s',
    async (flag) => {
      const { code, err } = await cairn(['sft', '--resume', at('taught'), flag, '3']);
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(
          `cairn-gym sft, --resume: it cannot be combined with other settings, and ${flag} is given. Remove it`,
        ) as string,
      });
    },
  );

  it.each([
    { what: 'no model', words: [], said: /needs an initial language model.*npx cairn-gym model init/ },
    { what: 'a missing folder', words: ['--model', at('nowhere')], said: /nowhere/ },
    {
      what: 'a prompt for another env',
      words: ['--model', at('tiny'), '--with', 'policy.prompt=household-react'],
      said: /it is for household-v1/,
    },
    {
      what: 'a context longer than the model was made for',
      words: ['--model', at('tiny'), '--with', 'policy.contextLength=4096'],
      said: /contextLength.*Give 2048 or less/,
    },
    {
      what: 'a context longer than an update can hold',
      words: ['--model', at('tiny'), '--with', 'policy.tokensAtOnce=512'],
      said: /policy\.tokensAtOnce.*--with policy\.contextLength=512/,
    },
    {
      what: 'replies that fill the context',
      words: ['--model', at('tiny'), '--with', 'policy.maxTokens=1024'],
      said: /policy\.maxTokens: 1024 is invalid with a context of 1024 tokens/,
    },
    {
      what: 'a context reset that carries everything over',
      words: [
        '--model',
        at('tiny'),
        '--with',
        'policy.restricted=false',
        '--with',
        'policy.reset.carriedTokens=24',
        '--with',
        'policy.reset.contexts=2',
      ],
      said: /policy\.reset\.carriedTokens: 24 is invalid with 24 tokens .*raise policy\.maxTokens/,
    },
    {
      what: 'a context reset together with restricted actions',
      words: [
        '--model',
        at('tiny'),
        '--with',
        'policy.reset.carriedTokens=4',
        '--with',
        'policy.reset.contexts=2',
      ],
      said: /policy\.reset: it is for long replies/,
    },
    {
      what: 'actions that are longer than replies',
      words: ['--model', at('tiny'), '--with', 'policy.maxTokens=4'],
      said: /policy\.maxTokens: an admissible action has \d+ tokens, and a reply may have 4/,
    },
    {
      what: 'a backend without workers',
      words: ['--model', at('tiny'), '--backend', 'cpu'],
      said: /policy\.workers: 1 workers need the CPU.*the backend is cpu\. Use --backend wasm, or remove policy\.workers/,
    },
    {
      what: 'more slots than there is memory for',
      words: ['--model', at('tiny'), '--with', 'policy.slots=1000000'],
      said: /memory.*Any of these would fit: --with policy\.slots=\d+/,
    },
  ])('refuses $what, with the fix', async ({ words, said }) => {
    const { code, err } = await cairn([
      'train',
      ...[...game, ...small].filter(isLeft(words)),
      ...words,
      '--run',
      at('refused'),
    ]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(said) as string });
  });
});
