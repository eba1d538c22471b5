import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createTokenAgent } from '../../../../agents/policy/token.ts';
import type { TokenSampler } from '../../../../agents/core/token-sampler.ts';
import { parsePrompt } from '../../../../agents/prompt/prompt.ts';
import { parseEndpoint } from '../../../../agents/servers/endpoint.ts';
import { Secret } from '../../../../agents/servers/secret.ts';
import { ggufAdapterFile } from '../../../../agents/servers/tokens/preset-adapters.ts';
import { runEpisode } from '../../../../agents/rollout/episode.ts';
import { FaultError, RunError, UsageError } from '../../../../envs/core/errors.ts';
import { corridorText } from '../../../support/corridor.ts';
import { corridorStage, episodePlan, testContext } from '../../../support/rollout.ts';
import { useFolder } from '../../../support/own-folder.ts';
import { startRouterStub, type TokenAnswer } from '../../../support/stub-token-server.ts';
import { byteCodec, byteGuard, endToken, templates } from '../../../support/token-play.ts';
import { smallPrompt } from '../../prompt/small-prompt.ts';
import { bytes, openStage as open, request, write, type Stage } from './open-sampler.ts';

const soon = { timeout: 240_000 };
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

async function openStage(...how: Parameters<typeof open>): Promise<Stage> {
  const stage = await open(...how);
  closing.push(stage);
  return stage;
}

const context = testContext();
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it was done',
    (thrown: unknown) => thrown,
  );
/** Without what is of chance in it. */
const plain = (text: string | undefined): string | undefined =>
  text?.replace(/-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-/, '-');
const toldOf = ({ stub }: Stage): readonly string[] => stub.told.map((order) => plain(order) ?? '');
const adaptersOf = ({ stub }: Stage): readonly (readonly [string | undefined, string])[] =>
  [...stub.adapters].map(([name, folder]) => [plain(name), folder]);
const sample = ({ sampler }: Stage) => sampler.begin().sample(request(), context);
const error = (status: number, message: string): Extract<TokenAnswer, { readonly kind: 'json' }> => ({
  kind: 'json',
  status,
  body: { error: { message } },
});

describe.each(['vllm', 'sglang'] as const)('adapters on %s', (kind) => {
  it('replace one another, each under its own name, and stamp their version on samples', async () => {
    const stage = await openStage(kind, [write('go')]);
    const versions = [(await sample(stage)).version];
    for (const version of [5, 6]) {
      await stage.sampler.adopt({ version, folder: `/run/adapters/${version}` }, context);
      versions.push((await sample(stage)).version);
    }
    expect([versions, stage.sampler.version, stage.stub.asked.map(({ name }) => plain(name))]).toEqual([
      [4, 5, 6],
      6,
      [kind === 'vllm' ? 'stub-model' : undefined, 'run-1-5', 'run-1-6'],
    ]);
    expect(toldOf(stage)).toEqual(['load run-1-5', 'load run-1-6', 'unload run-1-5']);
    expect(adaptersOf(stage)).toEqual([['run-1-6', '/run/adapters/6']]);
  });

  it('fail to load when the server has another model', async () => {
    const stage = await openStage(kind, [write('go')], { model: 'other-model' });
    const thrown = await caught(stage.sampler.adopt({ version: 5, folder: '/a' }, context));
    expect(RunError.is(thrown) && plain(thrown.message)).toMatch(
      /adapter run-1-5 could not be loaded from \/a: it has stub-model, but not other-model\. Name the model as the server does, or start it with --served-model-name other-model\./,
    );
    expect([stage.stub.told.filter((order) => order.startsWith('load')), stage.sampler.version]).toEqual([
      [],
      4,
    ]);
  });

  it('load when the server has the model, whatever key is used', async () => {
    const stage = await openStage(kind, [write('go')], { key: new Secret('stub', 'STUB_KEY') });
    await stage.sampler.adopt({ version: 5, folder: '/a' }, context);
    expect(toldOf(stage)).toEqual(['load run-1-5']);
  });

  it('stay loaded until the last request that started with them is answered', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => void (release = resolve));
    const stage = await openStage(
      kind,
      ({ number }) => (number === 0 ? { ...write('go'), after: held } : write('go')),
      { limits: { requestMs: 60_000, totalMs: 60_000 } },
    );
    await stage.sampler.adopt({ version: 5, folder: '/a' }, context);
    const slow = sample(stage);
    await expect.poll(() => stage.stub.asked.length, soon).toBe(1);
    const adopting = stage.sampler.adopt({ version: 6, folder: '/b' }, context);
    await expect.poll(() => stage.sampler.version, soon).toBe(6);
    expect((await sample(stage)).version).toBe(6);
    expect(toldOf(stage)).toEqual(['load run-1-5', 'load run-1-6']);
    release();
    expect((await slow).version).toBe(5);
    await adopting;
    expect(toldOf(stage)).toEqual(['load run-1-5', 'load run-1-6', 'unload run-1-5']);
  });

  it('stamp each step of an episode with the weights that wrote it', async () => {
    const { sampler, stub } = await openStage(kind, [write('go wait')]);
    const updated: TokenSampler = {
      get version() {
        return sampler.version;
      },
      contextLength: sampler.contextLength,
      begin: () => {
        const session = sampler.begin();
        return {
          sample: async (asked, given) => {
            if (stub.asked.length === 2) await sampler.adopt({ version: 9, folder: '/a' }, context);
            return session.sample(asked, given);
          },
          end: () => session.end(),
        };
      },
    };
    const stage = await corridorStage({ config: { turns: 4 } });
    const agent = createTokenAgent({
      id: 'writer',
      sampler: updated,
      codec: byteCodec,
      guard: byteGuard,
      template: templates.plain,
      prompt: parsePrompt(smallPrompt, 'test'),
      text: corridorText,
      view: { admissible: false, history: 'all' },
      decoding: { temperature: 1 },
      maxTokens: 30,
      stopTokens: [endToken],
    });
    try {
      const { steps } = await runEpisode(episodePlan(stage, { agent }), context);
      expect(steps.map(({ policyVersion }) => policyVersion)).toEqual([4, 4, 9, 9]);
      expect(stub.asked.slice(2).map(({ name }) => plain(name))).toEqual(['run-1-9', 'run-1-9']);
    } finally {
      await stage.envs.close();
    }
  });

  it('belong to the run that loaded them, whatever another run names its own', async () => {
    const stage = await openStage(kind, [write('go')]);
    const other = await openStage(kind, [write('go')], { endpoint: parseEndpoint(stage.stub.url, 'test') });
    await stage.sampler.adopt({ version: 5, folder: '/one' }, context);
    await other.sampler.adopt({ version: 5, folder: '/other' }, context);
    await sample(stage);
    await sample(other);
    const folders = stage.stub.asked.map(({ name }) => stage.stub.adapters.get(name ?? ''));
    expect([folders, toldOf(stage)]).toEqual([
      ['/one', '/other'],
      ['load run-1-5', 'load run-1-5'],
    ]);
  });

  it('count as loaded after a retry when the answer to their loading was lost', async () => {
    const lost = { kind: 'json', status: 503, body: {} } as const;
    const stage: Stage = await openStage(kind, [write('go')], {}, (order, number) => {
      if (number > 0) return undefined;
      (stage.stub.adapters as Map<string, string>).set(order.slice('load '.length), '/a');
      return lost;
    });
    await stage.sampler.adopt({ version: 5, folder: '/a' }, context);
    expect([(await sample(stage)).version, toldOf(stage)]).toEqual([5, ['load run-1-5', 'load run-1-5']]);
  });

  it('unload when the sampler closes, even those still loading, and an unresponsive server is abandoned', async () => {
    const stage = await open(kind, [write('go')], {}, (order) =>
      order.startsWith('load') && order.endsWith('-6')
        ? error(400, 'rank 64 is above max_lora_rank')
        : undefined,
    );
    await using stub = stage.stub;
    await stage.sampler.adopt({ version: 5, folder: '/a' }, context);
    await caught(stage.sampler.adopt({ version: 6, folder: '/b' }, context));
    await stage.sampler[Symbol.asyncDispose]();
    expect([stub.adapters.size, toldOf(stage).toSorted()]).toEqual([
      0,
      ['load run-1-5', 'load run-1-6', 'unload run-1-5', 'unload run-1-6'],
    ]);
    const deaf = await open(
      kind,
      [write('go')],
      { limits: { requestMs: 60_000, totalMs: 60_000 } },
      (order) => (order.startsWith('unload') ? { kind: 'silence' } : undefined),
    );
    await using other = deaf.stub;
    await deaf.sampler.adopt({ version: 5, folder: '/a' }, context);
    await deaf.sampler[Symbol.asyncDispose]();
    expect(other.told.length).toBe(2);
  });

  it('cause one request when the route does not exist, even to a working server', async () => {
    const stage = await openStage(kind, [write('go')], {}, () => ({
      kind: 'json',
      status: 404,
      body: { detail: 'Not Found' },
    }));
    await sample(stage);
    const thrown = await caught(stage.sampler.adopt({ version: 5, folder: '/a' }, context));
    expect(RunError.is(thrown) && thrown.message).toMatch(
      /could not be loaded from \/a: it answered with status 404: Not Found\. Check the URL.*--enable-lora/,
    );
    expect(stage.stub.told.length).toBe(1);
  });

  it('load after retries, and are not sampled with earlier', async () => {
    const stage = await openStage(kind, [write('go')], {}, (_, number) =>
      number < 2 ? error(503, 'busy') : undefined,
    );
    await stage.sampler.adopt({ version: 5, folder: '/a' }, context);
    expect([stage.stub.told.length, stage.sampler.version]).toEqual([3, 5]);
  });

  it('stop the run when the server refuses to load them, and leave the sampler unchanged', async () => {
    const stage = await openStage(kind, [write('go')], {}, () =>
      error(400, 'rank 64 is above max_lora_rank'),
    );
    await sample(stage);
    const thrown = await caught(stage.sampler.adopt({ version: 5, folder: '/a' }, context));
    expect(RunError.is(thrown) && thrown.message).toMatch(
      /adapter run-1-\S+-5 could not be loaded from \/a: .*rank 64 is above max_lora_rank.*--enable-lora/,
    );
    expect((await sample(stage)).version).toBe(4);
    const fresh = await openStage(kind, [write('go')], {}, () => error(404, 'Not Found'));
    expect(String(await caught(fresh.sampler.adopt({ version: 5, folder: '/a' }, context)))).toMatch(
      /RunError: .*could not be loaded from \/a: .*Not Found.*Start (?:vLLM|SGLang) with/,
    );
    const page = await openStage(kind, [write('go')], {}, () => ({
      kind: 'text',
      type: 'text/html',
      body: '<h1>',
    }));
    expect(RunError.is(await caught(page.sampler.adopt({ version: 5, folder: '/a' }, context)))).toBe(true);
  });

  it('fail without a retry when they do not fit, and a silent server is reported with the request', async () => {
    const misfit =
      "Call to add_lora method failed: Worker failed with error 'LoRA rank 32 is greater than max_lora_rank 16.', please check the stack trace above for the root cause";
    const stage = await openStage(kind, [write('go')], {}, () => error(500, misfit));
    expect(String(await caught(stage.sampler.adopt({ version: 5, folder: '/a' }, context)))).toMatch(
      /RunError: .*could not be loaded from \/a: .*max_lora_rank 16.*root cause\. Start (?:vLLM|SGLang) with/,
    );
    expect(stage.stub.told.length).toBe(1);
    const broken = await openStage(kind, [write('go')], { limits: { tries: 2 } }, () => error(500, 'oops'));
    expect(String(await caught(broken.sampler.adopt({ version: 5, folder: '/a' }, context)))).toMatch(
      /RunError: .*could not be loaded from \/a: no usable answer in 2 attempts.*oops.*--enable-lora/,
    );
  });

  it('stop loading when their context aborts', async () => {
    const stage = await openStage(kind, [write('go')], {}, () => ({ kind: 'silence' }));
    const stop = new AbortController();
    const adopting = caught(
      stage.sampler.adopt({ version: 5, folder: '/a' }, testContext({ signal: stop.signal })),
    );
    await expect.poll(() => stage.stub.told.length, soon).toBe(1);
    const second = await caught(stage.sampler.adopt({ version: 6, folder: '/b' }, context));
    expect(UsageError.is(second) && second.message).toMatch(/another adapter is being loaded/);
    const reason = new FaultError({ kind: 'deadline-passed', where: 'the update', afterMs: 1 });
    stop.abort(reason);
    expect([await adopting, stage.sampler.version]).toEqual([reason, 4]);
    await expect.poll(() => stage.stub.underWay.now, soon).toBe(0);
  });

  it('need a newer version and an absolute path', async () => {
    const stage = await openStage(kind, [write('go')]);
    expect(String(await caught(stage.sampler.adopt({ version: 4, folder: '/a' }, context)))).toMatch(
      /UsageError: .*version 4 is in use already/,
    );
    expect(String(await caught(stage.sampler.adopt({ version: 5, folder: 'adapters/5' }, context)))).toMatch(
      /UsageError: .*adapters\/5 is not an absolute path/,
    );
    expect(stage.stub.told).toEqual([]);
  });

  it('fault the episode, or stop a run before its first episode, when they vanish from the server', async () => {
    const stage = await openStage(kind, [write('go')], {}, (order) =>
      order.startsWith('load run-1-') ? { kind: 'json', body: { success: true } } : undefined,
    );
    await stage.sampler.adopt({ version: 5, folder: '/a' }, context);
    expect(String(await caught(sample(stage)))).toMatch(/does not exist|has never been loaded/);
  });
});

describe('adapters on a single-model llama.cpp server', () => {
  it('fail before any request', async () => {
    const stage = await openStage('llama-cpp', [write('go')]);
    const thrown = await caught(stage.sampler.adopt({ version: 5, folder: '/a' }, context));
    expect(UsageError.is(thrown) && thrown.message).toMatch(
      /the server takes adapters only at start\. Start llama-server as a router/,
    );
    expect([stage.stub.requests.length, (await sample(stage)).tokens]).toEqual([
      0,
      [...bytes('go'), endToken],
    ]);
  });
});

describe('adapters on a llama.cpp router', () => {
  const folder = useFolder();
  const header = 'version = 1\n\n; of ours\n[*]\nthreads = 1\n';
  const base = '[stub-model]\nmodel = /models/stub.gguf\nload-on-startup = true\nctx-size = 4096\n';
  /** A folder with an adapter in it, or without. */
  const adapterFolder = async (name: string, isThere = true): Promise<string> => {
    const place = path.join(folder(), name);
    await mkdir(place, { recursive: true });
    if (isThere) await writeFile(path.join(place, ggufAdapterFile), 'GGUF');
    return place;
  };
  const file = (): string => path.join(folder(), 'presets.ini');

  async function openRouter(
    text = `${header}\n${base}`,
    { presets = file(), url }: { readonly presets?: string; readonly url?: string } = {},
  ): Promise<Stage & { readonly presets: () => Promise<string> }> {
    if (url === undefined) await writeFile(file(), text);
    const stub = await startRouterStub(file(), () => write('go'));
    const stage = await openStage('llama-cpp', [write('go')], {
      serverConfig: { presets },
      endpoint: parseEndpoint(url ?? stub.url, 'test'),
    });
    closing.push(stub);
    return { ...stage, stub, presets: async () => plain(await readFile(file(), 'utf8')) ?? '' };
  }

  it('become presets of the model one after the other, and are removed with the sampler', async () => {
    const stage = await openRouter();
    const versions: number[] = [];
    for (const version of [5, 6]) {
      await stage.sampler.adopt({ version, folder: await adapterFolder(`adapter-${version}`) }, context);
      versions.push((await sample(stage)).version);
    }
    const lora = path.join(folder(), 'adapter-6', ggufAdapterFile);
    expect([versions, stage.stub.asked.map(({ name }) => plain(name)), toldOf(stage)]).toEqual([
      [5, 6],
      ['run-1-5', 'run-1-6'],
      ['load run-1-5', 'load run-1-6', 'unload run-1-5'],
    ]);
    expect(await stage.presets()).toBe(
      `${header}\n${base}[run-1-6]\nmodel = /models/stub.gguf\nctx-size = 4096\nload-on-startup = false\nlora = ${lora}\n`,
    );
    await stage.sampler[Symbol.asyncDispose]();
    expect([await stage.presets(), toldOf(stage).at(-1)]).toEqual([`${header}\n${base}`, 'unload run-1-6']);
  });

  it('replace those that a killed run left', async () => {
    const left =
      '[cairn-01234567-89ab-cdef-0123-456789abcdef-7]\nmodel = /models/stub.gguf\nlora = /gone/adapter.gguf\n';
    const stage = await openRouter(`${left}; of ours\n${base}`);
    await stage.sampler.adopt({ version: 5, folder: await adapterFolder('a') }, context);
    const presets = await stage.presets();
    expect([presets.startsWith(`; of ours\n${base}`), presets.includes('/gone/')]).toEqual([true, false]);
  });

  it('stop the run when the server cannot load them, and leave the sampler unchanged', async () => {
    const stage = await openRouter();
    await stage.sampler.adopt({ version: 5, folder: await adapterFolder('a') }, context);
    const thrown = await caught(
      stage.sampler.adopt({ version: 6, folder: await adapterFolder('b', false) }, context),
    );
    expect(RunError.is(thrown) && thrown.message).toMatch(
      /adapter run-1-\S+-6 could not be loaded from \S+b: llama-server cannot load it\. See the output of llama-server for details/,
    );
    expect([(await sample(stage)).version, toldOf(stage)]).toEqual([5, ['load run-1-5', 'load run-1-6']]);
  });

  it.each([
    [
      'a model that the file lacks',
      '[other]\nmodel = /models/other.gguf\n',
      {},
      /it has other, but not stub-model\. Name a section of/,
    ],
    [
      'a preset with an adapter of its own',
      `${base}lora = /mine.gguf\n`,
      {},
      /the preset of stub-model has an adapter already/,
    ],
    [
      'a missing preset file',
      base,
      { presets: '/nowhere/presets.ini' },
      /its presets file cannot be changed: ENOENT.*\/nowhere\/presets\.ini was given/,
    ],
    [
      'an option over several lines',
      `${base}chat-template = a\\\n`,
      {},
      /chat-template of stub-model has several lines/,
    ],
  ])('fail to load for %s', async (_, text, how, message) => {
    const stage = await openRouter(text, how);
    const thrown = await caught(
      stage.sampler.adopt({ version: 5, folder: await adapterFolder('a') }, context),
    );
    expect(RunError.is(thrown) && thrown.message).toMatch(message);
  });

  it('fail to load from a folder whose path cannot be written in a preset file', async () => {
    const stage = await openRouter();
    const thrown = await caught(
      stage.sampler.adopt({ version: 5, folder: await adapterFolder('a #1') }, context),
    );
    expect(RunError.is(thrown) && thrown.message).toMatch(
      /a presets file does not support paths with ; or #/,
    );
    expect(await stage.presets()).toBe(`${header}\n${base}`);
  });

  it('fail to load when the router reads another preset file, or the server is no router', async () => {
    const stage = await openRouter();
    await writeFile(path.join(folder(), 'others.ini'), base);
    const elsewhere = await openRouter(undefined, {
      url: stage.stub.url,
      presets: path.join(folder(), 'others.ini'),
    });
    expect(
      String(
        await caught(elsewhere.sampler.adopt({ version: 5, folder: await adapterFolder('a') }, context)),
      ),
    ).toMatch(/RunError: .*the server does not read \S+others\.ini\. Start llama-server without a model/);
    const single = await openStage('llama-cpp', [write('go')], {
      serverConfig: { presets: file() },
    });
    expect(
      String(await caught(single.sampler.adopt({ version: 5, folder: await adapterFolder('a') }, context))),
    ).toMatch(
      /RunError: .*the server is not a router: it lists stub-model without a preset\. Start llama-server without a model/,
    );
  });
});
