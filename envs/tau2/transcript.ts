import type { Message, Tau2Task } from './task-file.ts';

/** What the agent said before the user's first message, in the original. */
const greeting = 'Hi! How can I help you today?';

/** What was said before the user speaks, for the instruction: the messages of the task, or a greeting. */
export function transcriptOf({ initial_state: state }: Tau2Task): string {
  const messages = state?.message_history ?? [];
  if (messages.length === 0) return `You: ${greeting}`;
  return ['The conversation so far:', ...messages.flatMap(linesOf)].join('\n');
}

function linesOf(message: Message): readonly string[] {
  if (message.role === 'tool') return [`Result: ${message.content ?? ''}`];
  const who = message.role === 'user' ? 'User' : 'You';
  const calls = (message.tool_calls ?? []).map(
    ({ name, arguments: given }) => `${who} called ${name} ${JSON.stringify(given)}`,
  );
  const { content } = message;
  return [...(content === null || content === undefined ? [] : [`${who}: ${content}`]), ...calls];
}

/** The scenario of the user, as the original gives it to a model. */
export function scenarioOf({ user_scenario: { persona, instructions } }: Tau2Task): string {
  const indented = (text: string): string => text.replaceAll(/^(?=.*\S)/gm, '\t');
  const told = typeof instructions === 'string' ? instructions : structured(instructions, indented);
  return [
    ...(persona === null || persona === undefined ? [] : ['Persona:', indented(persona)]),
    'Instructions:',
    indented(told),
  ].join('\n');
}

function structured(
  of: Exclude<Tau2Task['user_scenario']['instructions'], string>,
  indented: (text: string) => string,
): string {
  const part = (title: string, text: string | null | undefined): readonly string[] =>
    text === null || text === undefined ? [] : [`${title}:\n${indented(text)}`];
  return [
    `Domain: ${of.domain}`,
    ...part('Reason for call', of.reason_for_call),
    ...part('Known info', of.known_info),
    ...part('Unknown info', of.unknown_info),
    ...part('Task instructions', of.task_instructions),
  ].join('\n');
}
