import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type ModelMessage } from 'ai';
import { defineAgent } from 'cairn-gym/agents';
import { z } from 'zod';

const rules =
  'You act in an environment to carry out a task. Think in a line or two, then end your reply with a line `Action: ` and one action.';

/** Plays with any model that the AI SDK reaches. It keeps the conversation, and acts by the last line that begins with `Action:`. */
export const agent = defineAgent({
  kind: 'ai-sdk',
  summary: 'a language model through generateText of the AI SDK',
  options: z.strictObject({
    model: z.string().default('Qwen/Qwen3-8B').describe('the name under which the server has it'),
    url: z.string().default('http://localhost:8000/v1').describe('a server of chat completions'),
    temperature: z.number().min(0).max(2).default(0),
  }),
  create: ({ model, url, temperature }) => {
    const server = createOpenAICompatible({ name: 'server', baseURL: url, includeUsage: true });
    return ({ instruction }) => {
      const messages: ModelMessage[] = [];
      return async ({ observation, actions, feedback }, { signal, random }) => {
        const parts = [
          ...(messages.length === 0 ? [`Task: ${instruction}`] : []),
          ...(feedback === undefined ? [] : [`That reply could not be used: ${feedback}`]),
          observation,
          ...(actions === undefined ? [] : [`You can now do one of these:\n${actions.join('\n')}`]),
        ];
        messages.push({ role: 'user', content: parts.join('\n\n') });
        const { text, usage } = await generateText({
          model: server(model),
          instructions: rules,
          messages,
          temperature,
          seed: Math.floor(random() * 2 ** 31), // each repetition gets the same
          maxOutputTokens: 1024,
          abortSignal: signal,
        });
        messages.push({ role: 'assistant', content: text === '' ? '(empty reply)' : text });
        const action = [...text.matchAll(/^Action:(.*)$/gm)].at(-1)?.[1]?.trim() ?? text;
        return {
          action,
          text,
          usage: { prompt: usage.inputTokens ?? 0, completion: usage.outputTokens ?? 0 },
        };
      };
    };
  },
});
