import { describeHistory } from '../../agents/prompt/history.ts';
import type { Prompt } from '../../agents/prompt/prompt.ts';
import { listedActions } from '../../agents/prompt/transcript.ts';
import { createTextAgent } from '../../agents/prompt/text-agent.ts';
import { openChatClient } from '../../agents/servers/client.ts';
import { defaultChatLimits } from '../../agents/servers/client-options.ts';
import type { Endpoint } from '../../agents/servers/endpoint.ts';
import type { Secret } from '../../agents/servers/secret.ts';
import { forkContext } from '../../envs/core/context.ts';
import { RunError, UsageError } from '../../envs/core/errors.ts';
import { strictTextual } from '../../envs/core/textual.ts';
import { abortable } from '../../envs/core/waiting.ts';
import type { Decoding } from '../../trainers/results/estimate.ts';
import type { OpenaiSpec } from './kinds/openai.ts';
import type { OpenedPlayer, OpenPlayerOptions } from './player-kind.ts';

/** A language model behind a server, with its prompt and its key. */
interface ChatPlayer {
  /** Its name in tables. */
  readonly name: string;
  readonly spec: OpenaiSpec;
  readonly endpoint: Endpoint;
  readonly prompt: Prompt;
  readonly key: Secret | undefined;
  /** Where the key comes from, for messages. */
  readonly keyName: string;
}

const defaultMaxTokens = 1024;
const defaultRequestSeconds = 120;

/** Prepares the connection. The server is asked for the first time in the first episode. */
export async function openChatPlayer(
  { name, spec, endpoint, prompt, key, keyName }: ChatPlayer,
  options: OpenPlayerOptions,
): Promise<OpenedPlayer> {
  const { envSession, log } = options;
  const { model } = spec;
  const fields = emptyIsNone(spec.requestFields);
  const temperature = spec.temperature === 'default' ? undefined : (spec.temperature ?? 0);
  const maxTokens = spec.maxTokens ?? defaultMaxTokens;
  const requestMs = 1_000 * (spec.requestSeconds ?? defaultRequestSeconds);
  const client = await openChatClient({
    model,
    endpoint,
    key,
    keyName,
    maxTokens,
    maxTokensField: spec.maxTokensField ?? 'max_tokens',
    temperature,
    fields,
    omitFields: spec.omitFields,
    limits: { ...defaultChatLimits, connections: envSession.concurrency, requestMs, totalMs: 5 * requestMs },
    onRetry: ({ next, tries, why }) =>
      log?.(`${model} at ${endpoint.host}: trying again (${next} of ${tries}): ${why}`),
  });
  const wantsActions = prompt.actions.shown !== false && spec.hideAdmissible !== true;
  const view = {
    admissible: wantsActions && (await listsActions(options)),
    history: spec.history ?? prompt.history,
    observationCharacters: spec.observationCharacters,
  };
  return {
    name,
    agent: createTextAgent({
      id: `openai:${name}`,
      model: client,
      prompt,
      text: strictTextual(envSession.definition, envSession.host.tools ?? envSession.definition.text.tools),
      action: envSession.definition.action,
      view,
    }),
    shown: {
      kind: 'text',
      admissible: view.admissible,
      history: describeHistory(view.history),
      decoding: decodingOf(temperature),
      remote: {
        model,
        server: endpoint.host,
        prompt: { name: prompt.name, fingerprint: prompt.fingerprint },
        maxTokens,
        ...ownCharacters(prompt, spec),
        ...(fields === undefined ? {} : { fields }),
      },
    },
    versions: () => (client.served.length === 0 ? {} : { 'served-model': client.served.join(', ') }),
    toolCallsOnly: () => client.toolCallsOnly,
    replies: () => client.replies,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

function emptyIsNone(fields: OpenaiSpec['requestFields']): OpenaiSpec['requestFields'] {
  return fields === undefined || Object.keys(fields).length === 0 ? undefined : fields;
}

/** Nothing where the prompt shows as much by itself. */
function ownCharacters(
  prompt: Prompt,
  { observationCharacters }: OpenaiSpec,
): { readonly observationCharacters?: number } {
  return observationCharacters === undefined || observationCharacters === prompt.observationCharacters
    ? {}
    : { observationCharacters };
}

/** Whether the env lists admissible actions in a first turn. An env that fails here fails again in an episode, where the fault is counted. */
async function listsActions({ envSession, context, task: given }: OpenPlayerOptions): Promise<boolean> {
  const [panel] = envSession.host.panels;
  const task = given ?? (panel === undefined ? undefined : { panel: panel.name, index: 0 });
  if (task === undefined) return false;
  using probe = forkContext(context, 'first-sight', { deadlineMs: envSession.limits.wallMs });
  try {
    const opening = await envSession.envs.use(probe, (env) =>
      abortable(probe.signal, env.reset(task, probe)),
    );
    return listedActions(envSession.definition.text, opening.admissible) !== undefined;
  } catch (thrown) {
    context.signal.throwIfAborted();
    if (UsageError.is(thrown) || RunError.is(thrown)) throw thrown;
    return true;
  }
}

function decodingOf(temperature: number | undefined): Decoding {
  if (temperature === undefined) return { kind: 'server' };
  return temperature === 0 ? { kind: 'greedy' } : { kind: 'sampled', temperature };
}
