import type { ChatMessage } from './chat-model.ts';
import type { WrittenCall } from './tool-calls.ts';
import type { PromptHistory } from './prompt-history.ts';
import type { Prompt } from './prompt.ts';
import { weightOf } from './context-budget.ts';
import { shorten } from './shorten.ts';
import { fillTemplate } from './template.ts';

/** A message to the model and its reply, as they appear in later prompts. */
export interface Exchange {
  readonly shown: string;
  readonly reply: string;
  /** `shown` in parts, one for each call before it, where the env has such parts. */
  readonly parts?: readonly string[] | undefined;
  /** The tools that the reply called, in order; absent for none. */
  readonly calls?: readonly WrittenCall[] | undefined;
}

/** The parts of an episode that a prompt is made of. Nothing else of the env gets into a prompt. */
export interface Telling {
  /** The first message: the task, which is never cut, and the first observation. */
  readonly opening: string;
  readonly past: PromptHistory;
  /** The newest message; undefined if that is the opening. */
  readonly now: string | undefined;
  /** `now` in parts, one for each call before it, where the env has such parts. */
  readonly parts?: readonly string[] | undefined;
  /** The list of admissible actions from {@link listActions}; undefined if it is not shown. */
  readonly actions: string | undefined;
}

const gap = '\n\n';

/** The contents of a user message. */
interface Told {
  /** The task as text. */
  readonly instruction: string;
  readonly observation: string;
}

/** The opening message. It shows at most `most` characters of the observation and the whole task. */
export function openingText(prompt: Prompt, told: Told, most = prompt.observationCharacters): string {
  return fillTemplate(prompt.opening, { ...told, observation: shorten(told.observation, most) });
}

/**
 * The message of a later turn. It shows at most `most` characters of the observation, and the whole task if
 * the prompt repeats it.
 */
export function turnText(prompt: Prompt, told: Told, most = prompt.observationCharacters): string {
  return fillTemplate(prompt.turn, { ...told, observation: shorten(told.observation, most) });
}

/** The turn again, with the reason why the last reply could not be parsed. */
export function retryText(prompt: Prompt, turn: string, why: string): string {
  return `${turn}\n\n${fillTemplate(prompt.retry, { why })}`;
}

/**
 * Builds the messages: system, examples, opening, the last `keep` exchanges, and the newest message. User and
 * assistant alternate, because many chat templates require it. The note that replaces earlier steps is
 * therefore part of the opening message.
 */
export function tellMessages(
  prompt: Prompt,
  { opening, past: { exchanges }, now, parts, actions }: Telling,
  keep: number,
): readonly ChatMessage[] {
  const kept = exchanges.slice(Math.max(0, exchanges.length - keep));
  const leftOut = exchanges.length - kept.length;
  const said = [...kept.map(({ shown }) => shown), ...(now === undefined ? [] : [now])];
  const first =
    leftOut === 0
      ? opening
      : [opening, fillTemplate(prompt.leftOut, { count: String(leftOut) }), said[0]].join(gap);
  const texts = [first, ...said.slice(1)];
  const last = texts.length - 1;
  return [
    ...(prompt.system === '' ? [] : [{ role: 'system', text: prompt.system } as const]),
    ...exampleMessages(prompt),
    ...texts.flatMap((text, index): readonly ChatMessage[] => {
      const exchange = kept[index];
      const before = kept[index - 1];
      const whole = index === last && actions !== undefined ? `${text}${gap}${actions}` : text;
      const asked: readonly ChatMessage[] =
        before?.calls === undefined
          ? [{ role: 'user', text: whole }]
          : answersTo(before.calls, whole, exchange === undefined ? parts : exchange.parts).map(
              (answer, at) => ({ role: 'user', text: answer, answers: idOf(leftOut + index - 1, at) }),
            );
      if (exchange === undefined) return asked;
      const { reply, calls } = exchange;
      return [
        ...asked,
        {
          role: 'assistant',
          text: reply,
          ...(calls === undefined
            ? {}
            : { calls: calls.map((call, at) => ({ id: idOf(leftOut + index, at), ...call })) }),
        },
      ];
    }),
  ];
}

/** The result of each call: its part, or the whole text for the first one. */
const answersTo = (
  calls: readonly WrittenCall[],
  whole: string,
  parts: readonly string[] | undefined,
): readonly string[] =>
  parts !== undefined && calls.length > 1 && parts.length === calls.length
    ? parts
    : calls.map((_, at) => (at === 0 ? whole : '(see the result of the first call)'));

/** The id of a call in an exchange: nine letters and digits, because some chat templates take no others. */
const idOf = (exchange: number, at: number): string =>
  at === 0
    ? `call${String(exchange).padStart(5, '0')}`
    : `c${String(exchange).padStart(5, '0')}${String(at).padStart(3, '0')}`;

/** Returns the weight of {@link tellMessages} for any number of exchanges, without building the messages. */
export function weigh(prompt: Prompt, { opening, past, now, actions }: Telling): (keep: number) => number {
  const always = [
    prompt.system,
    ...exampleMessages(prompt).map(({ text }) => text),
    opening,
    now ?? '',
    ...(actions === undefined ? [] : [gap, actions]),
  ];
  const fixed = always.reduce((sum, text) => sum + weightOf(text), 0);
  // the opening replaces the first message that was shown
  const openingAgain = weightOf(past.exchanges[0]?.shown ?? now ?? '');
  // weight of the note for omitted steps, by the number of digits in it
  const notes = new Map<number, number>();
  const noteOf = (leftOut: number): number => {
    const { length } = String(leftOut);
    const note =
      notes.get(length) ?? weightOf(gap + fillTemplate(prompt.leftOut, { count: String(leftOut) }) + gap);
    notes.set(length, note);
    return note;
  };
  return (keep) => {
    const leftOut = past.exchanges.length - keep;
    return fixed + past.weight(keep) + (leftOut === 0 ? -openingAgain : noteOf(leftOut));
  };
}

function exampleMessages(prompt: Prompt): readonly ChatMessage[] {
  return prompt.examples.flatMap(({ instruction, turns }) =>
    turns.flatMap(({ observation, reply }, index): readonly ChatMessage[] => [
      {
        role: 'user',
        text:
          index === 0
            ? openingText(prompt, { instruction, observation })
            : turnText(prompt, { instruction, observation }),
      },
      { role: 'assistant', text: reply },
    ]),
  );
}

/** Lists as many entries as the prompt allows and as fit into `most` characters. */
export function listActions(
  prompt: Prompt,
  actions: readonly string[],
  most = Number.POSITIVE_INFINITY,
): ActionsList {
  const entries = entriesOf(prompt, actions);
  const ends = endsOf(entries);
  const listed = entries.filter((_, index) => (ends[index] ?? 0) <= most);
  const leftOut = actions.length - listed.length;
  return {
    text: fillTemplate(prompt.actions.text, {
      actions: [...listed, ...(leftOut === 0 ? [] : [`(${leftOut} more are left out here)`])].join('\n'),
    }),
    leftOut,
  };
}

/** The list of admissible actions in a prompt. */
export interface ActionsList {
  readonly text: string;
  /** Actions that are not listed. */
  readonly leftOut: number;
}

/** Characters of the entries that the prompt would list. */
export const listedCharacters = (prompt: Prompt, actions: readonly string[]): number =>
  endsOf(entriesOf(prompt, actions)).at(-1) ?? 0;

const entriesOf = ({ actions: { item, most } }: Prompt, actions: readonly string[]): readonly string[] =>
  actions.slice(0, most).map((action) => fillTemplate(item, { action }));

/** End offset of each entry in the list, one line each. */
function endsOf(entries: readonly string[]): readonly number[] {
  let end = -1;
  return entries.map((entry) => (end += entry.length + 1));
}
