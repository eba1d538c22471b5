import type { RuntimeValue, Statement } from '@huggingface/jinja';
import { runBounded } from './bounded-interpreter.ts';
import { ConversationMemory } from './conversation-memory.ts';
import { TemplatePlan } from './remembered-loop.ts';

/**
 * Renders a conversation with one template.
 *
 * @param values variables of the template besides `messages`
 * @throws Error if the template refuses the conversation, is broken, or exceeds the limits of work or output
 */
export type ConversationRenderer = (
  conversation: readonly { readonly role: string; readonly text: string }[],
  values: Readonly<Record<string, unknown>>,
) => string;

/**
 * Creates a renderer that reuses the text that loops over messages wrote for messages it has seen. The result
 * is byte-equal to that of an interpreter without memory.
 *
 * @param program a template as `parseTemplate` gives it
 * @param sanitize applied to the text of each message before the template reads it
 */
export function createIncrementalRenderer(
  program: Statement,
  sanitize: (text: string) => string,
): ConversationRenderer {
  const plan = new TemplatePlan(program);
  const memory = new ConversationMemory(sanitize);
  return (messages, values) => {
    const conversation: RuntimeValue = memory.listOf(messages);
    return runBounded(plan, memory, { conversation, values });
  };
}
