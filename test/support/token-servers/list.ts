import type { TokenServerKind } from '../../../agents/servers/tokens/list.ts';
import { llamaCppStub } from './llama-cpp.ts';
import { sglangStub } from './sglang.ts';
import type { StubProtocol } from './stub-protocol.ts';
import { vllmStub } from './vllm.ts';

/** The stub of each kind of server. The compiler reports a kind that has none. */
export const stubProtocols: Readonly<Record<TokenServerKind, StubProtocol>> = {
  vllm: vllmStub,
  sglang: sglangStub,
  'llama-cpp': llamaCppStub,
};
