import { defaultChatLimits, type ChatLimits } from '../../../../agents/servers/client-options.ts';
import { parseEndpoint } from '../../../../agents/servers/endpoint.ts';
import type { TokenRequest } from '../../../../agents/core/token-sampler.ts';
import {
  findTokenServer,
  tokenServers,
  type TokenServerKind,
} from '../../../../agents/servers/tokens/list.ts';
import type { TokenServer } from '../../../../agents/servers/tokens/token-server.ts';
import {
  openRemoteSampler,
  type RemoteSampler,
  type RemoteSamplerOptions,
} from '../../../../agents/servers/tokens/remote-sampler.ts';
import { startTokenStub, type TokenAnswer, type TokenStub } from '../../../support/stub-token-server.ts';
import { stubProtocols } from '../../../support/token-servers/list.ts';
import type { TokenAsk } from '../../../support/token-servers/stub-protocol.ts';
import { byteCodec, endToken } from '../../../support/token-play.ts';

export const kinds: readonly TokenServerKind[] = tokenServers.map(({ kind }) => kind);

export interface Stage extends AsyncDisposable {
  readonly stub: TokenStub;
  readonly sampler: RemoteSampler;
}

type Over = Partial<Omit<RemoteSamplerOptions, 'limits'>> & { readonly limits?: Partial<ChatLimits> };

/** A stub of one kind that does what the script says, and a sampler that asks it. */
export async function openStage(
  kind: TokenServerKind,
  script: readonly TokenAnswer[] | ((ask: TokenAsk) => TokenAnswer),
  { limits, ...over }: Over = {},
  onAdapter?: Parameters<typeof startTokenStub>[2],
): Promise<Stage> {
  const answers =
    typeof script === 'function'
      ? script
      : ({ number }: TokenAsk) => script[Math.min(number, script.length - 1)] as TokenAnswer;
  const stub = await startTokenStub(kind, answers, onAdapter);
  const sampler = await openRemoteSampler<TokenServer>({
    model: 'stub-model',
    endpoint: parseEndpoint(stub.url, 'test'),
    key: undefined,
    keyName: 'STUB_KEY',
    server: findTokenServer(kind),
    serverConfig: stubProtocols[kind].serverConfig,
    contextLength: 1000,
    vocabulary: 259,
    codec: byteCodec,
    version: 4,
    adapterPrefix: 'run-1',
    ...over,
    limits: {
      ...defaultChatLimits,
      requestMs: 2_000,
      totalMs: 10_000,
      backoff: { firstMs: 1, capMs: 4 },
      replyBytes: 1_000_000,
      ...limits,
    },
  });
  const dispose = async (): Promise<void> => {
    await sampler[Symbol.asyncDispose]();
    await stub[Symbol.asyncDispose]();
  };
  return { stub, sampler, [Symbol.asyncDispose]: dispose };
}

export const request = (over: Partial<TokenRequest> = {}): TokenRequest => ({
  prompt: [1, 2, 3],
  maxTokens: 20,
  stopTokens: [endToken],
  stopTexts: [],
  decoding: { temperature: 1 },
  ...over,
});
export const bytes = (text: string): readonly number[] => [...byteCodec.encode(text)];
export const write = (
  text: string,
  end: readonly number[] = [endToken],
): Extract<TokenAnswer, { readonly kind: 'write' }> => ({ kind: 'write', tokens: [...bytes(text), ...end] });
