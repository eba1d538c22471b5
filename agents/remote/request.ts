import type { Rng } from '../../envs/core/rng.ts';
import type { ChatRequest } from '../prompt/chat-model.ts';
import type { ChatClientOptions } from './client-options.ts';
import type { Secret } from './secret.ts';

/** The body of a chat completion in JSON. `luck` seeds the server's sampling where it samples at a temperature that we set. */
export function chatBody(
  { messages, stop }: ChatRequest,
  { model, maxTokens, maxTokensField, temperature }: Pick<ChatClientOptions, 'model' | 'maxTokens' | 'maxTokensField' | 'temperature'>,
  luck: Rng,
): string {
  return JSON.stringify({
    model,
    messages: messages.map(({ role, text }) => ({ role, content: wellFormed(text) })),
    [maxTokensField]: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(temperature === undefined || temperature === 0 ? {} : { seed: luck.int(2 ** 31) }),
    ...(stop.length === 0 ? {} : { stop }),
    stream: false,
  });
}

/** Halves of surrogate pairs become U+FFFD: servers refuse text that is no Unicode. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

export function requestHeaders(key: Secret | undefined): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(key === undefined ? {} : { authorization: `Bearer ${key.reveal()}` }),
  };
}
