import { z } from 'zod';
import { startServer, type Arrived, type Conduct, type Stub } from './stub-server.ts';

const callSchema = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

const chatBodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(
    z
      .strictObject({
        role: z.enum(['system', 'user', 'assistant', 'tool']),
        content: z.string().nullable(),
        tool_calls: z.array(callSchema).min(1).optional(),
        tool_call_id: z.string().optional(),
      })
      .refine(({ role, tool_call_id: id }) => (role === 'tool') === (id !== undefined))
      .refine(({ content, tool_calls: calls }) => content !== null || calls !== undefined)
      .transform(({ content, ...message }) => ({ ...message, content: content ?? '' })),
  ),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .optional(),
});

type ChatBody = z.output<typeof chatBodySchema>;
export type StubRequest = Arrived<ChatBody>;
export type StubServer = Stub<ChatBody>;

/** What the server does with a request. */
export type StubAnswer =
  | {
      readonly kind: 'say';
      readonly text: string | null;
      readonly finish?: string;
      readonly usage?: unknown;
      readonly message?: object;
      readonly model?: string;
      readonly delayMs?: number;
    }
  | Conduct;

/** A server of chat completions on loopback that does what its script says, as badly as it says. */
export function startStub(
  script: (request: StubRequest) => StubAnswer,
  models: readonly string[] = ['stub-model'],
): Promise<StubServer> {
  const conduct = (answer: StubAnswer): Conduct =>
    answer.kind === 'say' ? { kind: 'json', body: completion(answer), delayMs: answer.delayMs ?? 0 } : answer;
  return startServer(chatBodySchema, (request) => conduct(script(request)), models);
}

function completion(answer: Extract<StubAnswer, { readonly kind: 'say' }>): object {
  return {
    id: 'stub',
    object: 'chat.completion',
    model: answer.model ?? 'stub-model',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text, ...answer.message },
        finish_reason: answer.finish ?? 'stop',
      },
    ],
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
  };
}
