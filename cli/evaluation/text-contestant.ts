import { describeHistory, type Prompt } from '../../agents/prompt/prompt.ts';
import { listedActions } from '../../agents/prompt/story.ts';
import { createTextAgent } from '../../agents/prompt/text-agent.ts';
import { openChatClient } from '../../agents/servers/client.ts';
import { defaultChatLimits, type ChatClientOptions } from '../../agents/servers/client-options.ts';
import type { Endpoint } from '../../agents/servers/endpoint.ts';
import type { Secret } from '../../agents/servers/secret.ts';
import { forkContext, type Context } from '../../envs/core/context.ts';
import { RunError, UsageError } from '../../envs/core/errors.ts';
import { strictTextual } from '../../envs/core/textual.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import { abortable } from '../../envs/core/waiting.ts';
import type { Decoding } from '../../trainers/results/estimate.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { Session } from '../command.ts';
import type { OpenedContestant } from './contestants.ts';
import { usualKeyName } from './api-key.ts';
import type { EvaluationOptions } from './options.ts';

/** A language model that is to play. */
export interface TextPlayer {
  readonly kind: 'text';
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly prompt: Prompt;
  readonly key: Secret | undefined;
  /** Of each request, beside the usual ones. */
  readonly fields: ChatClientOptions['fields'];
}

export const defaultMaxTokens = 1024;
const defaultRequestSeconds = 120;

/** What a model is to play. */
export interface TextGame {
  readonly bench: Workbench;
  readonly panel: TaskPanel;
  readonly options: EvaluationOptions;
  readonly context: Context;
  readonly session: Pick<Session, 'progress'>;
}

/** The model as a contestant; it connects with the first episode. */
export async function openText(
  entrant: TextPlayer & { readonly name: string },
  game: TextGame,
): Promise<OpenedContestant> {
  const { bench, options, session } = game;
  const { name, model, endpoint, prompt, key, fields } = entrant;
  const temperature = temperatureOf(options.temperature);
  const maxTokens = options.maxTokens ?? defaultMaxTokens;
  const requestMs = 1_000 * (options.requestTimeout ?? defaultRequestSeconds);
  const client = await openChatClient({
    model,
    endpoint,
    key,
    keyName: options.keyEnv ?? usualKeyName,
    maxTokens,
    maxTokensField: options.maxTokensField ?? 'max_tokens',
    temperature,
    fields,
    limits: { ...defaultChatLimits, connections: bench.concurrency, requestMs, totalMs: 5 * requestMs },
    onRetry: ({ next, tries, why }) =>
      session.progress.say(`${model} at ${endpoint.host}: trying again (${next} of ${tries}): ${why}`),
  });
  const view = {
    admissible: wantsActions(prompt, options) && (await listsActions(game)),
    history: options.history ?? prompt.history,
    observationCharacters: options.observationCharacters,
  };
  return {
    contestant: {
      name,
      agent: createTextAgent({
        id: `openai:${name}`,
        model: client,
        prompt,
        text: strictTextual(bench.definition),
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
          ...ownCharacters(prompt, options),
          ...(fields === undefined ? {} : { fields }),
        },
      },
    },
    versions: () => (client.served.length === 0 ? {} : { 'served-model': client.served.join(', ') }),
    toolCallsOnly: () => client.toolCallsOnly,
    replies: () => client.replies,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Nothing where the prompt shows as much by itself. */
function ownCharacters(
  prompt: Prompt,
  { observationCharacters }: EvaluationOptions,
): { readonly observationCharacters?: number } {
  return observationCharacters === undefined || observationCharacters === prompt.observationCharacters
    ? {}
    : { observationCharacters };
}

const wantsActions = ({ actions }: Prompt, { hideAdmissible }: TextGame['options']): boolean =>
  actions.shown !== false && hideAdmissible !== true;

/** Whether the env lists admissible actions, as its first task shows; one that fails there fails again where it is counted. */
async function listsActions({ bench, panel, context }: TextGame): Promise<boolean> {
  const [task] = panel.tasks;
  if (task === undefined) return false;
  using probe = forkContext(context, 'first-sight', { deadlineMs: bench.limits.wallMs });
  try {
    const opening = await bench.envs.use(probe, (env) => abortable(probe.signal, env.reset(task, probe)));
    return listedActions(bench.definition.text, opening.admissible) !== undefined;
  } catch (thrown) {
    context.signal.throwIfAborted();
    if (UsageError.is(thrown) || RunError.is(thrown)) throw thrown;
    return true;
  }
}

function temperatureOf(given: EvaluationOptions['temperature']): number | undefined {
  if (given === 'default') return undefined;
  if (given === undefined || given <= 2) return given ?? 0;
  throw new UsageError({
    where: '--temperature',
    what: `${given} is more than servers take.`,
    mend: 'Give a number from 0 to 2, or default.',
  });
}

function decodingOf(temperature: number | undefined): Decoding {
  if (temperature === undefined) return { kind: 'server' };
  return temperature === 0 ? { kind: 'greedy' } : { kind: 'sampled', temperature };
}
