import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../../envs/core/errors.ts';
import { defaultChatLimits } from '../../../../agents/servers/client-options.ts';
import { parseEndpoint } from '../../../../agents/servers/endpoint.ts';
import { findTokenServer, tokenServers } from '../../../../agents/servers/tokens/list.ts';
import {
  openRemoteSampler,
  type RemoteSamplerOptions,
} from '../../../../agents/servers/tokens/remote-sampler.ts';
import {
  defineTokenServer,
  type AdapterPublishing,
  type TokenServer,
} from '../../../../agents/servers/tokens/token-server.ts';
import { testContext } from '../../../support/rollout.ts';
import { startServer } from '../../../support/stub-server.ts';
import { stubProtocols } from '../../../support/token-servers/list.ts';
import { byteCodec, endToken } from '../../../support/token-play.ts';
import { bytes, request } from './open-sampler.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

const refusalOf = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    if (UsageError.is(thrown)) return thrown.message;
    throw thrown;
  }
  return 'nothing was refused';
};

describe('list of token servers', () => {
  it('contains each kind and title once', () => {
    expect(new Set(tokenServers.map(({ kind }) => kind)).size).toBe(tokenServers.length);
    expect(new Set(tokenServers.map(({ title }) => title)).size).toBe(tokenServers.length);
  });

  it.each(tokenServers)('finds $kind by its kind', (server) => {
    expect(findTokenServer(server.kind)).toBe(server);
  });

  it('refuses an unknown kind and suggests the nearest', () => {
    const wrong = 'vlm' as string as 'vllm'; // as a program in JavaScript would
    expect(refusalOf(() => findTokenServer(wrong))).toMatch(
      /token server vlm: the kind does not exist\..*vllm.*The kinds are: vllm, sglang, llama-cpp\./,
    );
  });
});

describe.each(tokenServers)('token server $kind', (server) => {
  const publish: AdapterPublishing = server.publish;

  it('lists its locked file in its training config', () => {
    expect(Object.keys(publish.config.shape)).toEqual(
      expect.arrayContaining(publish.lockedFile === undefined ? [] : [publish.lockedFile]),
    );
  });

  it('accepts each key of its training config', () => {
    expect(Object.keys(server.config.shape)).toEqual(
      expect.arrayContaining(Object.keys(publish.config.shape)),
    );
  });

  it('accepts the config of its stub, and has the stub’s path', () => {
    const protocol = server.protocol(stubProtocols[server.kind].serverConfig);
    expect(protocol.path(parseEndpoint('http://localhost:8000/v1', 'test'))).toBe(
      stubProtocols[server.kind].path,
    );
  });

  it('refuses an unknown key', () => {
    expect(refusalOf(() => server.protocol({ logprob: 'raw' }))).toMatch(
      new RegExp(`serverConfig of ${server.title.replace('.', '\\.')}: .*logprob`),
    );
  });
});

/** A server of somebody else: the reply comes as one text, whose bytes are the tokens. */
const echo: TokenServer = defineTokenServer({
  kind: 'echo',
  title: 'Echo',
  config: z.strictObject({ route: z.string().default('/echo') }),
  publish: undefined,
  protocol: ({ route }) => ({
    path: () => route,
    body: ({ request: { prompt }, seed }) => ({ prompt, seed }),
    read: (body) => {
      const { text } = z.object({ text: z.string() }).parse(body);
      const tokens = [...bytes(text), endToken];
      const logprobs = tokens.map(() => -0.5);
      return { tokens, logprobs, ending: 'stop', name: undefined, promptTokens: undefined };
    },
    inexact: () => undefined,
  }),
});

describe('token server defined outside the package', () => {
  const open = async (serverConfig: object) => {
    const stub = await startServer(
      z.looseObject({}),
      ({ path }) =>
        path === '/mine' ? { kind: 'json', body: { text: 'go' } } : { kind: 'json', status: 404, body: {} },
      ['mine'],
    );
    const sampler = await openRemoteSampler({
      model: 'mine',
      endpoint: parseEndpoint(stub.url, 'test'),
      key: undefined,
      keyName: 'NO_KEY',
      limits: defaultChatLimits,
      server: echo,
      serverConfig: { ...serverConfig },
      contextLength: 100,
      vocabulary: 259,
      codec: byteCodec,
      version: 3,
      adapterPrefix: 'run',
    });
    closing.push(stub, sampler);
    return sampler;
  };

  it('returns the tokens, log-probabilities and version of a sample', async () => {
    const sampler = await open({ route: '/mine' });
    expect(await sampler.begin().sample(request(), testContext())).toEqual({
      tokens: [...bytes('go'), endToken],
      logprobs: [-0.5, -0.5, -0.5],
      finish: 'stop',
      version: 3,
    });
  });

  it('refuses adapters when its protocol loads none', async () => {
    const sampler = await open({ route: '/mine' });
    await expect(sampler.adopt({ version: 4, folder: '/a' }, testContext())).rejects.toThrow(
      /the server takes adapters only at start/,
    );
  });

  it('types its config when a server is named', () => {
    type Options<Server extends TokenServer> = Pick<RemoteSamplerOptions<Server>, 'server' | 'serverConfig'>;
    const server = findTokenServer('vllm');
    const right: Options<typeof server> = { server, serverConfig: { logprobs: 'raw' } };
    // @ts-expect-error: this is a value of SGLang's config
    const wrong: Options<typeof server> = { server, serverConfig: { logprobs: 'tempered' } };
    expect(() => server.protocol(right.serverConfig)).not.toThrow();
    expect(() => server.protocol(wrong.serverConfig)).toThrow();
  });

  it('refuses a wrong config before any request', async () => {
    await expect(open({ rout: '/mine' })).rejects.toThrow(/serverConfig of Echo: .*route/);
  });
});
