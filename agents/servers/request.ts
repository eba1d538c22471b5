import { isBlank } from '../prompt/blank.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { ChatMessage, ChatRequest } from '../prompt/chat-model.ts';
import type { ChatClientOptions } from './client-options.ts';
import type { Secret } from './secret.ts';

/** How to set each field that the caller must not add. */
const ownFields: Readonly<Record<string, string>> = {
  model: 'Name the model with the server: --agent openai:MODEL@URL.',
  messages: 'The messages come from the prompt: --prompt.',
  max_tokens: 'Set it with --max-tokens.',
  max_completion_tokens: 'Set it with --max-tokens and --max-tokens-field max_completion_tokens.',
  temperature: 'Set it with --temperature.',
  seed: 'Remove it: the seed comes from the random stream of the episode, and is sent if --temperature is set. --omit-field seed leaves it out.',
  stop: 'Set it in the prompt file, as "stop".',
  stream: 'Remove it: answers are not streamed. --omit-field stream leaves it out.',
  stream_options: 'Remove it: answers are not streamed.',
  n: 'Remove it: an answer has one reply.',
  tools: 'Remove it: --prompt tools offers the actions as tools.',
  functions: 'Remove it: --prompt tools offers the actions as tools.',
};

/**
 * Refuses fields that this client sets, or that would change the form of the answer. `where` precedes their
 * names.
 */
export function assertFields(fields: Readonly<Record<string, unknown>>, where: string): void {
  for (const name of Object.keys(fields)) {
    const fix = Object.hasOwn(ownFields, name) ? ownFields[name] : undefined;
    if (fix !== undefined)
      throw new UsageError({
        where: `${where} ${name}`,
        what: 'this field cannot be added to a request.',
        fix,
      });
  }
}

/**
 * The JSON body of a chat completion. `luck` seeds the server's sampling if the client sets the temperature.
 */
export function chatBody(
  { messages, stop, tools = [] }: ChatRequest,
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
    messages: messages.map(messageBody),
    [maxTokensField]: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(temperature === undefined || temperature === 0 ? {} : { seed: luck.int(2 ** 31) }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    stream: false,
  };
  const omitted: ReadonlySet<string> = new Set(omitFields);
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !omitted.has(name))));
}

/** A message as the protocol writes it: a call, its result, or text. */
function messageBody({ role, text, calls, answers }: ChatMessage): object {
  if (answers !== undefined) return { role: 'tool', tool_call_id: answers, content: wellFormed(text) };
  if (calls === undefined) return { role, content: filled(role, wellFormed(text)) };
  return {
    role,
    content: isBlank(text) ? null : wellFormed(text), // the protocol's word for no text
    tool_calls: calls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: wellFormed(given) },
    })),
  };
}

/** Strict servers refuse a message of the assistant without text. Such a reply was malformed, and stands in the history as what it was. */
const filled = (role: ChatMessage['role'], text: string): string =>
  role === 'assistant' && isBlank(text) ? '(empty reply)' : text;

/** Halves of surrogate pairs become U+FFFD, because servers refuse invalid Unicode. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

export function requestHeaders(key: Secret | undefined): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(key === undefined ? {} : { authorization: `Bearer ${key.reveal()}` }),
  };
}
