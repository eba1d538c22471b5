import { describeHistory, type Prompt } from '../../agents/prompt/prompt.ts';
import { createTextAgent } from '../../agents/prompt/text-agent.ts';
import { openChatClient } from '../../agents/remote/client.ts';
import { defaultChatLimits } from '../../agents/remote/client-options.ts';
import type { Endpoint } from '../../agents/remote/endpoint.ts';
import type { Secret } from '../../agents/remote/secret.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Decoding } from '../../trainers/evaluate/estimate.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { OpenedContestant } from './contestants.ts';
import { usualKeyName } from './api-key.ts';
import type { EvaluationOptions } from './options.ts';

/** A language model that is to play. */
export interface TextEntrant {
  readonly kind: 'text';
  /** In tables. */
  readonly name: string;
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly prompt: Prompt;
  readonly key: Secret | undefined;
}

export const defaultMaxTokens = 1024;
const defaultRequestSeconds = 120;

/** The model as a contestant; it connects with the first episode. */
export async function openText(bench: Workbench, entrant: TextEntrant, options: EvaluationOptions): Promise<OpenedContestant> {
  const { name, model, endpoint, prompt, key } = entrant;
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
    limits: { ...defaultChatLimits, connections: bench.concurrency, requestMs, totalMs: 5 * requestMs },
  });
  const view = { admissible: prompt.actions.shown && options.hideAdmissible !== true, history: options.history ?? prompt.history };
  return {
    contestant: {
      name,
      agent: createTextAgent({ id: `openai:${name}`, model: client, prompt, text: bench.definition.text, view }),
      shown: {
        kind: 'text',
        admissible: view.admissible,
        history: describeHistory(view.history),
        decoding: decodingOf(temperature),
        remote: { model, server: endpoint.host, prompt: { name: prompt.name, fingerprint: prompt.fingerprint }, maxTokens },
      },
    },
    versions: () => (client.served.length === 0 ? {} : { 'served-model': client.served.join(', ') }),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

function temperatureOf(given: EvaluationOptions['temperature']): number | undefined {
  if (given === 'default') return undefined;
  if (given === undefined || given <= 2) return given ?? 0;
  throw new UsageError({ where: '--temperature', what: `${given} is more than servers take.`, mend: 'Give a number from 0 to 2, or default.' });
}

function decodingOf(temperature: number | undefined): Decoding {
  if (temperature === undefined) return { kind: 'server' };
  return temperature === 0 ? { kind: 'greedy' } : { kind: 'sampled', temperature };
}
