import type { ChatMessage } from './chat-model.ts';
import type { Prompt } from './prompt.ts';
import { shorten } from './shorten.ts';
import { fillTemplate } from './template.ts';

/** A message to the model and its reply, as the model sees them again. */
export interface Exchange {
  readonly shown: string;
  readonly reply: string;
}

/** An episode as the model is told of it. Nothing else of the env gets into a prompt. */
export interface Telling {
  /** The first message: the task, which is never cut, and what was seen first. */
  readonly opening: string;
  readonly past: readonly Exchange[];
  /** The newest message; undefined where that is the opening. */
  readonly now: string | undefined;
  /** The list of admissible actions, as {@link actionsText} makes it; undefined where it is not shown. */
  readonly actions: string | undefined;
}

/** Of what is seen at most `most` characters are told. */
export function openingText(prompt: Prompt, told: { readonly instruction: string; readonly observation: string }, most = prompt.observationCharacters): string {
  return fillTemplate(prompt.opening, { instruction: told.instruction, observation: shorten(told.observation, most) });
}

/** Of what is seen at most `most` characters are told. */
export function turnText(prompt: Prompt, observation: string, most = prompt.observationCharacters): string {
  return fillTemplate(prompt.turn, { observation: shorten(observation, most) });
}

/** The turn again, and why the last reply could not be read. */
export function retryText(prompt: Prompt, turn: string, why: string): string {
  return `${turn}\n\n${fillTemplate(prompt.retry, { why })}`;
}

/**
 * The messages: system, examples, opening, the last `keep` exchanges, and what is to be answered. Users and assistants take turns,
 * as many chat templates demand, so what is said in place of earlier steps stands in the opening message.
 */
export function tellMessages(prompt: Prompt, { opening, past, now, actions }: Telling, keep: number): readonly ChatMessage[] {
  const kept = past.slice(Math.max(0, past.length - keep));
  const leftOut = past.length - kept.length;
  const said = [...kept.map(({ shown }) => shown), ...(now === undefined ? [] : [now])];
  const first = leftOut === 0 ? opening : [opening, fillTemplate(prompt.leftOut, { count: String(leftOut) }), said[0]].join('\n\n');
  const texts = [first, ...said.slice(1)];
  const last = texts.length - 1;
  return [
    ...(prompt.system === '' ? [] : [{ role: 'system', text: prompt.system } as const]),
    ...exampleMessages(prompt),
    ...texts.flatMap((text, index): readonly ChatMessage[] => {
      const reply = kept[index]?.reply;
      const asked: ChatMessage = { role: 'user', text: index === last && actions !== undefined ? `${text}\n\n${actions}` : text };
      return reply === undefined ? [asked] : [asked, { role: 'assistant', text: reply }];
    }),
  ];
}

function exampleMessages(prompt: Prompt): readonly ChatMessage[] {
  return prompt.examples.flatMap(({ instruction, turns }) =>
    turns.flatMap(({ observation, reply }, index): readonly ChatMessage[] => [
      { role: 'user', text: index === 0 ? openingText(prompt, { instruction, observation }) : turnText(prompt, observation) },
      { role: 'assistant', text: reply },
    ]),
  );
}

/** Of the entries as many are listed as the prompt says, and no more than go into `most` characters. */
export function actionsText(prompt: Prompt, actions: readonly string[], most = Number.POSITIVE_INFINITY): string {
  const entries = entriesOf(prompt, actions);
  const ends = endsOf(entries);
  const listed = entries.filter((_, index) => (ends[index] ?? 0) <= most);
  const rest = actions.length - listed.length;
  return fillTemplate(prompt.actions.text, { actions: [...listed, ...(rest === 0 ? [] : [`(${rest} more are left out here)`])].join('\n') });
}

/** Characters of the entries that the prompt lists. */
export const listedCharacters = (prompt: Prompt, actions: readonly string[]): number => endsOf(entriesOf(prompt, actions)).at(-1) ?? 0;

const entriesOf = ({ actions: { item, most } }: Prompt, actions: readonly string[]): readonly string[] =>
  actions.slice(0, most).map((action) => fillTemplate(item, { action }));

/** Where each entry ends in the list, a line each. */
function endsOf(entries: readonly string[]): readonly number[] {
  let end = -1;
  return entries.map((entry) => (end += entry.length + 1));
}
