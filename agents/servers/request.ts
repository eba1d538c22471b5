import { UsageError } from '../../envs/core/errors.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { ChatMessage, ChatRequest } from '../prompt/chat-model.ts';
import type { ChatClientOptions } from './client-options.ts';
import type { Secret } from './secret.ts';

/** What says how each field is set that is not the caller's to add. */
const ownFields: Readonly<Record<string, string>> = {
  model: 'The model is named with the server: --agent openai:MODEL@URL.',
  messages: 'What the model is told is a prompt: --prompt.',
  max_tokens: 'Set it by --max-tokens.',
  max_completion_tokens: 'Set it by --max-tokens, with --max-tokens-field max_completion_tokens.',
  temperature: 'Set it by --temperature.',
  seed: 'The seed comes from the luck of the episode, and is sent where replies are sampled at a temperature of ours. --omit-field seed leaves it out.',
  stop: 'What ends a reply is said by the prompt, under "stop".',
  stream: 'Answers are read whole. --omit-field stream leaves it out.',
  stream_options: 'Answers are read whole: leave it out.',
  n: 'One reply is read of each answer: leave it out.',
  tools: 'Actions are read from the text of a reply: leave it out.',
  functions: 'Actions are read from the text of a reply: leave it out.',
};

/** Refuses fields that are set here, or that would have the server answer what is not read. `where` stands before their names. */
export function assertFields(fields: Readonly<Record<string, unknown>>, where: string): void {
  for (const name of Object.keys(fields)) {
    const fix = Object.hasOwn(ownFields, name) ? ownFields[name] : undefined;
    if (fix !== undefined)
      throw new UsageError({ where: `${where} ${name}`, what: 'it is no field to add to a request.', fix });
  }
}

/** The body of a chat completion in JSON. `luck` seeds the server's sampling where it samples at a temperature that we set. */
export function chatBody(
  { messages, stop }: ChatRequest,
  {
    model,
    maxTokens,
    maxTokensField,
    temperature,
    fields,
    omitFields = [],
  }: Pick<
    ChatClientOptions,
    'model' | 'maxTokens' | 'maxTokensField' | 'temperature' | 'fields' | 'omitFields'
  >,
  luck: Rng,
): string {
  const body: Readonly<Record<string, unknown>> = {
    ...fields,
    model,
    messages: messages.map(({ role, text }) => ({ role, content: filled(role, wellFormed(text)) })),
    [maxTokensField]: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(temperature === undefined || temperature === 0 ? {} : { seed: luck.int(2 ** 31) }),
    ...(stop.length === 0 ? {} : { stop }),
    stream: false,
  };
  const omitted: ReadonlySet<string> = new Set(omitFields);
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !omitted.has(name))));
}

/** Strict servers refuse a message of the assistant without text. Such a reply was malformed, and stands in the history as what it was. */
const filled = (role: ChatMessage['role'], text: string): string =>
  role === 'assistant' && text.trim() === '' ? '(empty reply)' : text;

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
