// Slow: trains a language model through servers several times.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadChatFormat } from '../../../../agents/render/chat-format.ts';
import { cairn } from '../../../support/command-line.ts';
import { startRouterStub, startTokenStub, type TokenStub } from '../../../support/stub-token-server.ts';
import type { TokenAsk } from '../../../support/token-servers/stub-protocol.ts';
import { makeTinyModel } from '../../../support/tiny-model.ts';
import { metricsLineSchema } from '../../../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../../../files/read-jsonl.ts';
import { lockServerFile } from '../../../../trainers/policy/tokens/server-file-lock.ts';
import { temporaryFolder } from '../../run/make-run.ts';

const own = temporaryFolder();
const at = (name: string): string => path.join(own.path, name);
/** Writes a button to press, or what is none, as the seed has it, and the end that it is asked for. */
const reply = ({ seed, stop_token_ids: stops }: TokenAsk['body']): readonly number[] => {
  const luck = z.int().parse(seed);
  return [
    ...Buffer.from(
      luck % 4 === 0 ? 'nöthing' : `press row ${(luck % 3) + 1} column ${((luck >> 4) % 3) + 1}`,
    ),
    ...z.array(z.int()).parse(stops).slice(0, 1),
  ];
};
/** The adapter files as they were when the server was asked to load them, in order. */
const loaded: Buffer[] = [];
let server: TokenStub;

const asVllm = ['policy.sampler.kind=vllm', 'policy.sampler.logprobs=processed'];
const trainWithServer = (url: string, run: string, ...more: readonly string[]) =>
  cairn([
    'train',
    'lights-out',
    '--set',
    'size=3',
    '--backend',
    'wasm',
    '--policy',
    'token',
    '--model',
    at('tiny'),
    '--iterations',
    '3',
    '--groups',
    '2',
    '--group-size',
    '4',
    ...[
      'evaluation.tasks=1',
      'finalPanels=[]',
      'policy.workers=0',
      'policy.maxTokens=32',
      'policy.contextLength=1024',
      `policy.sampler.url=${url}`,
      'policy.sampler.model=stub-model',
      'update.learningRate=0.01',
      ...more,
    ].flatMap((setting) => ['--with', setting]),
    '--run',
    run,
  ]);
const trainAt = (url: string, run: string, ...more: readonly string[]) =>
  trainWithServer(url, run, ...asVllm, ...more);
const trainWith = (run: string, ...more: readonly string[]) => trainAt(server.url, run, ...more);

/** Those that were made for adapters, in the folder for temporary files. */
const adapterFolders = async (): Promise<readonly string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('cairn-adapters-')).toSorted();

beforeAll(async () => {
  await makeTinyModel(at('tiny'));
  server = await startTokenStub(
    'vllm',
    ({ body }) => ({ kind: 'write', tokens: reply(body) }),
    (order) => {
      if (order.startsWith('load'))
        loaded.push(
          readFileSync(
            path.join(
              z.string().parse(server.requests.at(-1)?.body['lora_path']),
              'adapter_model.safetensors',
            ),
          ),
        );
      return undefined;
    },
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  own[Symbol.dispose]();
});

describe('server that samples for a policy in training', () => {
  it('gets the adapter after each update, and its log-probabilities are recomputed and compared', async () => {
    const { code, out, err } = await trainWith(
      at('run'),
      'policy.adapter.rank=2',
      `policy.sampler.folder=${at('adapters')}`,
    );
    expect(code, err).toBe(0);
    const warning =
      /in 3 iterations, 1 the first, the log-probabilities of the server differed from those computed here by \d\.\d\d nats per token on average \(update\/mismatch\).* Check that the server has the same model, and was started as policy\.sampler\.logprobs=processed says\./; // the stub makes them up
    expect(out).toMatch(warning);
    expect(err.match(/warning: in \S+ \d+/g)).toEqual(['warning: in iteration 1']);
    expect(readFileSync(at('run/report.html'), 'utf8')).toMatch(warning);
    const { lines } = await readJsonl(at('run/metrics.jsonl'), metricsLineSchema);
    const iterations = lines.flatMap((line) => (line.kind === 'iteration' ? [line.figures] : []));
    expect(iterations.length).toBe(3);
    for (const figures of iterations) expect(figures['update/mismatch']).toBeGreaterThan(0);
    const loads = server.told.flatMap((order) =>
      order.startsWith('load ') ? [order.slice('load '.length)] : [],
    );
    expect(new Set(server.asked.map(({ name }) => name))).toEqual(new Set(loads));
    expect(loads.length).toBeGreaterThan(3);
    expect([server.adapters.size, await readdir(at('adapters'))]).toEqual([0, []]); // nothing is left behind
    expect(new Set(loaded.map((file) => file.toString('base64'))).size).toBe(loaded.length);
    expect(
      loaded
        .at(-1)
        ?.equals(readFileSync(at('run/checkpoints/iteration-00003/policy/adapter_model.safetensors'))),
    ).toBe(true);
    for (const [iteration, version] of [
      [1, 0],
      [2, 1],
      [3, 2],
    ] as const) {
      const { out } = await cairn([
        'inspect',
        at('run'),
        '--iteration',
        String(iteration),
        '--group',
        '0',
        '--member',
        '0',
      ]);
      expect(out.match(/policy version \d+/g)).toEqual(expect.arrayContaining([`policy version ${version}`]));
    }
  });

  it('gets the adapter through its preset file when it is a llama.cpp', async () => {
    const presets = at('presets.ini');
    writeFileSync(presets, '[stub-model]\nmodel = /models/stub.gguf\n');
    const {
      stopTokens: [end = 0],
    } = await loadChatFormat(at('tiny'));
    const files = new Set<string>();
    await using router = await startRouterStub(presets, ({ name, body }) => {
      files.add(readFileSync(router.adapters.get(name ?? '') ?? '').toString('base64'));
      return { kind: 'write', tokens: [...reply({ ...body, stop_token_ids: [end] })] };
    });
    const { code, err } = await trainWithServer(
      router.url,
      at('gguf'),
      'policy.adapter.rank=2',
      'policy.sampler.kind=llama-cpp',
      `policy.sampler.presets=${path.relative('.', presets)}`,
    );
    expect(code, err).toBe(0);
    const { lines } = await readJsonl(at('gguf/metrics.jsonl'), metricsLineSchema);
    const iterations = lines.flatMap((line) => (line.kind === 'iteration' ? [line.figures] : []));
    expect(
      iterations.map((figures) => [(figures['update/mismatch'] ?? 0) > 0, figures['faults/share']]),
    ).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
    ]);
    expect(Math.max(...iterations.map((figures) => figures['update/logprobs-missing'] ?? 0))).toBeGreaterThan(
      0,
    ); // a character of two tokens
    expect([
      files.size > 2,
      [...files].every((file) => Buffer.from(file, 'base64').subarray(0, 4).toString() === 'GGUF'),
    ]).toEqual([true, true]);
    expect(readFileSync(at('gguf/config.json'), 'utf8')).toContain(JSON.stringify(presets)); // wherever the run is gone on with
    expect([readFileSync(presets, 'utf8'), router.adapters.size, existsSync(`${presets}.cairn`)]).toEqual([
      '[stub-model]\nmodel = /models/stub.gguf\n',
      0,
      false,
    ]); // nothing is left behind
  });

  it('shares a preset file with one training at a time when it is a llama.cpp', async () => {
    const presets = at('shared.ini');
    writeFileSync(presets, '[stub-model]\nmodel = /models/stub.gguf\n');
    await using router = await startRouterStub(presets, () => ({ kind: 'write', tokens: [1] }));
    const train = () =>
      trainWithServer(
        router.url,
        at('second'),
        'policy.adapter.rank=2',
        'policy.sampler.kind=llama-cpp',
        `policy.sampler.presets=${presets}`,
      );
    const lock = await lockServerFile({ path: presets, key: 'presets', title: 'other' });
    expect(await train()).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /policy\.sampler\.presets, \S+shared\.ini: process \d+ is writing there\. A llama\.cpp samples for one training run at a time/,
      ) as string,
    });
    await lock[Symbol.asyncDispose]();
    expect([router.told, existsSync(`${presets}.cairn`)]).toEqual([[], false]);
  });

  it('gets compared, and receives no further adapter, when nothing is learned', async () => {
    await using same = await startTokenStub('vllm', ({ body }) => ({
      kind: 'write',
      tokens: [...Buffer.from('nothing'), ...z.array(z.int()).parse(body['stop_token_ids']).slice(0, 1)],
    }));
    const { code, err } = await trainAt(same.url, at('same'), 'policy.adapter.rank=2');
    expect(code, err).toBe(0);
    const { lines } = await readJsonl(at('same/metrics.jsonl'), metricsLineSchema);
    const iterations = lines.flatMap((line) => (line.kind === 'iteration' ? [line.figures] : []));
    expect(
      iterations.map((figures) => [figures['update/steps'], (figures['update/mismatch'] ?? 0) > 0]),
    ).toEqual([
      [0, true],
      [0, true],
      [0, true],
    ]);
    expect(same.told.filter((order) => order.startsWith('load ')).length).toBe(1);
  });

  it('must load adapters and be reachable before the run folder is made', async () => {
    const before = await adapterFolders();
    const [gone, told] = [
      await startTokenStub('vllm', () => ({ kind: 'write', tokens: [1] })),
      server.told.length,
    ];
    await gone[Symbol.asyncDispose]();
    await using plain = await startTokenStub(
      'vllm',
      () => ({ kind: 'write', tokens: [1] }),
      () => ({ kind: 'json', status: 404, body: { detail: 'Not Found' } }),
    );
    const [refused, lost] = [
      await trainAt(plain.url, at('refused'), 'policy.adapter.rank=2'),
      await trainAt(gone.url, at('lost'), 'policy.adapter.rank=2'),
    ];
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /adapter cairn-\S+ could not be loaded.*status 404.*VLLM_ALLOW_RUNTIME_LORA_UPDATING=True, --enable-lora/,
      ) as string,
    });
    expect([
      plain.asked.length,
      plain.told.filter((order) => order.startsWith('load')).length,
      server.told.length,
    ]).toEqual([0, 1, told]);
    expect(lost).toMatchObject({ code: 1, err: expect.stringMatching(/cannot be reached/) as string });
    expect([existsSync(at('refused')), existsSync(at('lost')), await adapterFolders()]).toEqual([
      false,
      false,
      before,
    ]);
  });

  it('appears with its settings in the error when it answers no request', async () => {
    await using wrong = await startTokenStub('vllm', () => ({
      kind: 'json',
      status: 400,
      body: { detail: 'no' },
    }));
    const { code, err } = await trainAt(wrong.url, at('unanswered'), 'policy.adapter.rank=2');
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /all \d+ episodes faulted.*--with policy\.sampler\.KEY=VALUE.*Check the server at http:\S+, then resume with/s,
      ) as string,
    });
    expect(err).not.toContain('policy.maxTokens');
  });

  it('needs an adapter to train, and the key it requires', async () => {
    const whole = await trainWith(at('whole'));
    expect(whole).toMatchObject({
      code: 2,
      err: expect.stringMatching(/policy\.sampler: .*--with policy\.adapter\.rank=16/) as string,
    });
    const before = await adapterFolders();
    const wrong = await trainAt('ftp://nowhere', at('wrong'), 'policy.adapter.rank=2');
    expect(wrong).toMatchObject({ code: 2, err: expect.stringMatching(/policy\.sampler\.url/) as string });
    expect(await adapterFolders()).toEqual(before);
    const keyless = await trainWith(
      at('keyless'),
      'policy.adapter.rank=2',
      'policy.sampler.keyVariable=NO_SUCH_KEY',
    );
    expect(keyless).toMatchObject({ code: 2, err: expect.stringMatching(/NO_SUCH_KEY/) as string });
  });
});
