import {
  createTokenAgent,
  defaultChatLimits,
  defineTokenServer,
  loadChatFormat,
  loadPrompt,
  openRemoteSampler,
  parseEndpoint,
} from 'cairn-gym/agents';
import { createContext, createRegistry, readPanel } from 'cairn-gym/envs';
import {
  agentPlayer,
  evaluate,
  openEnvSession,
  renderTable,
  rolloutSettingsSchema,
} from 'cairn-gym/trainers';
import { z } from 'zod';
import { environments } from './sort-env.ts';

const answer = z.object({ tokens: z.array(z.int()), logprobs: z.array(z.number()), done: z.boolean() });

/** A server that answers `POST /sample` with tokens, their log-probabilities, and whether the reply is done. */
const ownServer = defineTokenServer({
  kind: 'own',
  title: 'Own server',
  config: z.strictObject({ route: z.string().default('/sample') }),
  publish: undefined, // it loads no adapters while it runs, so it plays and does not train
  protocol: ({ route }) => ({
    path: () => route,
    body: ({ request: { prompt, maxTokens, stopTokens, decoding }, seed }) => ({
      prompt,
      maxTokens,
      stopTokens,
      temperature: decoding.temperature,
      seed,
    }),
    read: (body) => {
      const { tokens, logprobs, done } = answer.parse(body);
      return { tokens, logprobs, ending: done ? 'stop' : 'length', name: undefined, promptTokens: undefined };
    },
    inexact: () => undefined, // it reports the log-probabilities of the distribution that it samples from
  }),
});

const [folder = 'models/nano', url = 'http://localhost:8000'] = process.argv.slice(2);
const definition = createRegistry(environments).find('my-lab/sort');
const context = createContext({ seed: 0, now: () => performance.now() });
const { tokenizer: codec, template, guard, stopTokens } = await loadChatFormat(folder);
await using sampler = await openRemoteSampler({
  server: ownServer,
  serverConfig: {},
  model: 'nano',
  endpoint: parseEndpoint(url, 'token-server.ts'),
  key: undefined,
  keyName: 'OWN_KEY',
  limits: defaultChatLimits,
  contextLength: 4096,
  vocabulary: 1024,
  codec,
  version: 0,
  adapterPrefix: 'none',
});
const prompt = await loadPrompt('terse');
const agent = createTokenAgent<unknown, unknown>({
  id: 'own server',
  sampler,
  codec,
  template,
  guard,
  stopTokens,
  prompt,
  text: definition.text,
  view: { history: prompt.history, admissible: false },
  decoding: { temperature: 1 },
  maxTokens: 16,
});
await using envSession = await openEnvSession(definition, rolloutSettingsSchema.parse({}), context);
const panel = readPanel(envSession.host, { env: definition.id, config: envSession.envConfig, name: 'dev' });
const shown = { kind: 'text', admissible: false, decoding: { kind: 'sampled', temperature: 1 } } as const;
console.log(
  renderTable([await evaluate({ envSession, player: agentPlayer(agent, { shown }), panel, context })]),
);
