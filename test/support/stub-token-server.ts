import { existsSync, readFileSync } from 'node:fs';
import type { TokenServerKind } from '../../agents/servers/tokens/list.ts';
import { startServer, type Arrived, type Conduct, type Stub } from './stub-server.ts';
import { stubProtocols } from './token-servers/list.ts';
import {
  bodySchema,
  errorAnswer,
  type AdapterAnswers,
  type Body,
  type StubProtocol,
  type TokenAsk,
  type Writing,
} from './token-servers/stub-protocol.ts';

/** What the server does with a request for tokens: writes as it says, or misbehaves as servers do. */
export type TokenAnswer = Writing | Conduct;

export interface TokenStub extends Stub<Body> {
  readonly asked: readonly TokenAsk[];
  /** Adapters by name, with the folder each was loaded from. */
  readonly adapters: ReadonlyMap<string, string>;
  /** What was loaded and unloaded, in order. */
  readonly told: readonly string[];
}

/** A server of tokens on loopback, in the words of one kind, that writes what its script says. `onAdapter` may answer in its stead. */
export async function startTokenStub(
  kind: TokenServerKind,
  script: (ask: TokenAsk) => TokenAnswer,
  onAdapter: (order: string, number: number) => Conduct | undefined = () => undefined,
): Promise<TokenStub> {
  const protocol = stubProtocols[kind];
  const asked: TokenAsk[] = [];
  const adapters = new Map<string, string>();
  const told: string[] = [];
  const stub = await startServer(
    bodySchema,
    (request): Conduct => {
      if (request.path.includes('lora_adapter')) {
        const order = `${request.path.includes('unload') ? 'unload' : 'load'} ${String(request.body['lora_name'])}`;
        told.push(order);
        return onAdapter(order, told.length - 1) ?? changeAdapters(protocol.adapters, request, adapters);
      }
      if (request.path !== protocol.path) return errorAnswer(404, 'Not Found');
      const ask = { ...protocol.readAsk(request.body), number: asked.length };
      asked.push(ask);
      if (ask.name !== undefined && ask.name !== 'stub-model' && !adapters.has(ask.name))
        return protocol.unknownName(ask.name);
      return conductOf(protocol, script(ask), ask);
    },
    ['stub-model'],
  );
  return { ...stub, asked, adapters, told };
}

/**
 * A llama.cpp started as a router. It reads its models from a preset file at its start and when a request reloads the list. It loads a
 * model at the first request for it.
 */
export async function startRouterStub(
  presets: string,
  script: (ask: TokenAsk) => TokenAnswer,
): Promise<TokenStub> {
  const asked: TokenAsk[] = [];
  const adapters = new Map<string, string>();
  const told: string[] = [];
  const protocol = stubProtocols['llama-cpp'];
  const loaded = new Set<string>();
  let known = readPresets(presets);
  const reload = (): void => {
    known = readPresets(presets);
    for (const name of [...loaded].filter((each) => !known.has(each))) {
      loaded.delete(name);
      adapters.delete(name);
      told.push(`unload ${name}`);
    }
  };
  const load = (name: string): Conduct | undefined => {
    const lora = /^lora = (.+)$/m.exec(known.get(name) ?? '')?.[1];
    told.push(`load ${name}`);
    if (lora !== undefined && !existsSync(lora)) return errorAnswer(500, `model name=${name} failed to load`);
    if (lora !== undefined) adapters.set(name, lora);
    loaded.add(name);
    return undefined;
  };
  const stub = await startServer(
    bodySchema,
    ({ path, body }): Conduct => {
      if (path.split('?')[0] !== protocol.path) return errorAnswer(404, 'File Not Found');
      const ask = { ...protocol.readAsk(body), number: asked.length };
      if (!known.has(ask.name ?? '')) return protocol.unknownName(String(ask.name));
      const failure = loaded.has(ask.name ?? '') ? undefined : load(ask.name ?? '');
      if (failure !== undefined) return failure;
      if (ask.most === 0)
        return { kind: 'json', body: { model: ask.name, content: '', tokens: [], stop_type: 'limit' } };
      asked.push(ask);
      return conductOf(protocol, script(ask), ask);
    },
    (path) => {
      if (path.includes('reload=')) reload();
      return [...known].map(([id, preset]) => ({
        id,
        status: { value: loaded.has(id) ? 'loaded' : 'unloaded', preset },
      }));
    },
  );
  return { ...stub, asked, adapters, told };
}

/** Each section with its header, as the router reports it. */
const readPresets = (file: string): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(file, 'utf8').matchAll(/^\[(.+)\]\n((?:(?!\[).*\n?)*)/gm)].map(
      ([section, name = '']) => [name, section],
    ),
  );

/** The conduct of a script's answer. */
const conductOf = ({ answer }: StubProtocol, came: TokenAnswer, ask: TokenAsk): Conduct =>
  came.kind === 'write'
    ? {
        kind: 'json',
        body: answer(came, ask),
        delayMs: came.delayMs ?? 0,
        after: came.after ?? Promise.resolve(),
      }
    : came;

function changeAdapters(
  answers: AdapterAnswers | undefined,
  { path, body }: Arrived<Body>,
  adapters: Map<string, string>,
): Conduct {
  const [root, route] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)];
  if (answers === undefined || root !== answers.root) return errorAnswer(404, 'Not Found');
  const name = String(body['lora_name']);
  const isLoaded = adapters.has(name);
  if (route.startsWith('unload')) {
    if (!isLoaded) return answers.notLoaded(name);
    adapters.delete(name);
    return answers.done(`Success: LoRA adapter '${name}' removed successfully.`);
  }
  if (isLoaded) return answers.alreadyLoaded(name);
  adapters.set(name, String(body['lora_path']));
  return answers.done(`Success: LoRA adapter '${name}' added successfully.`);
}
