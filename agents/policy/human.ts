import { FaultError, type Fault } from '../../envs/core/errors.ts';
import type { ActingTurn, Reward } from '../../envs/core/step.ts';
import { terminalText } from '../../envs/core/terminal-text.ts';
import { textAt, type Textual } from '../../envs/core/textual.ts';
import type { Agent } from '../core/agent.ts';
import { abortable } from '../../envs/core/waiting.ts';
import { createReplyReader, type Conversation } from './reply-lines.ts';

export type { Conversation };

/** The fault of an episode whose player quit. */
export const playerLeft: Fault = { kind: 'sampler-failed', message: 'the player left', retryable: false };

/**
 * Lets a person play. It prints the instruction, the observation and the reward, and asks for the number of
 * an admissible action or its text. Where the text of a number is an answer of its own, as in puzzles, `#3` chooses
 * the third listed action. An unreadable reply is asked for again and costs no step. `?` or `help`
 * lists the actions. `quit` and the end of the input end the episode as a fault, which training ignores.
 *
 * Text of envs is untrusted: terminal control sequences are removed.
 */
export function createHumanAgent<Obs, Act>(options: {
  readonly id?: string;
  readonly text: Textual<Obs, Act>;
  readonly talk: Conversation;
  /**
   * Further commands that are not actions, and what each does. One that throws a `FaultError` ends the
   * episode.
   */
  readonly orders?: Readonly<Record<string, () => void>>;
}): Agent<Obs, Act> {
  const { id = 'human', text, orders = {} } = options;
  const say = (words: string): void => options.talk.say(terminalText(words));
  const nextReply = keepReplies(createReplyReader(text, { ask: (prompt) => options.talk.ask(prompt), say }));
  return {
    id,
    begin: ({ instruction }) => ({
      act: async (turn, { signal }) => {
        if ('kind' in turn) sayResult(text, turn, say);
        else sayOpening(text.observation(turn.observation), instruction, say);
        for (;;) {
          const line = (await nextReply(promptOf(turn), signal))?.trim();
          if (line === undefined || line === 'quit') throw new FaultError(playerLeft);
          if (line === '') continue;
          const order = isQuestion(text, turn, line)
            ? () => say(listOf(text, turn))
            : Object.hasOwn(orders, line)
              ? orders[line]
              : undefined;
          const read = order === undefined ? readAction(text, turn, line) : order();
          if (read === undefined) continue;
          if (read.kind === 'action') return { reply: read, decision: undefined, policyVersion: undefined };
          say(read.why);
        }
      },
    }),
  };
}

/** Prints the result of a step: the observation, whether the action was possible, and the reward. */
export function sayResult<Obs>(
  text: Pick<Textual<Obs, never>, 'observation'>,
  result: { readonly observation: Obs; readonly inadmissible: boolean; readonly reward: Reward | undefined },
  say: (words: string) => void,
): void {
  say(terminalText(text.observation(result.observation)));
  if (result.inadmissible) say('(That is not possible here.)');
  if (result.reward !== undefined && result.reward.total !== 0)
    say(terminalText(describeReward(result.reward)));
}

/** Keeps a reply that arrives after its request timed out for the next request, so that no reply is lost. */
function keepReplies(
  ask: (prompt: string) => Promise<string | undefined>,
): (prompt: string, signal: AbortSignal) => Promise<string | undefined> {
  let kept: Promise<string | undefined> | undefined;
  return async (prompt, signal) => {
    signal.throwIfAborted();
    kept ??= ask(prompt);
    try {
      const reply = await abortable(signal, kept);
      kept = undefined;
      return reply;
    } catch (thrown) {
      if (!signal.aborted) kept = undefined;
      throw thrown;
    }
  };
}

/** Prints the first observation, below the instruction unless it already includes that. */
function sayOpening(seen: string, instruction: string, say: (words: string) => void): void {
  if (!seen.includes(instruction)) say(`${instruction}\n`);
  say(seen);
}

/** `help` is a command unless the env has an action of that name. */
const isQuestion = <Obs, Act>(
  text: Textual<Obs, Act>,
  { admissible = [] }: ActingTurn<Obs, Act>,
  line: string,
): boolean =>
  line === '?' || (line === 'help' && !admissible.some((action) => text.action(action) === 'help'));

const promptOf = ({ stepsLeft }: { readonly stepsLeft: number | undefined }): string =>
  stepsLeft === undefined ? '> ' : `[${stepsLeft} left] > `;

function listOf<Obs, Act>(text: Textual<Obs, Act>, turn: ActingTurn<Obs, Act>): string {
  const { admissible } = turn;
  if (admissible === undefined) return 'There is no list of actions here: type what you want to do.';
  const written = answersAreWritten(text, turn);
  const lines = admissible.map(
    (action, index) => `${`${written ? '#' : ''}${index + 1}`.padStart(3)}  ${text.action(action)}`,
  );
  const how = 'These are examples: type your own answer, or # and the number of one of them, such as #1.';
  return [...lines, ...(written ? [how] : [])].join('\n');
}

/** Whether the listed actions are samples of answers that a player writes freely. A number is then an answer, and `#3` a listed one. */
export const answersAreWritten = <Obs, Act>(
  text: Textual<Obs, Act>,
  { admissible = [], observation }: ActingTurn<Obs, Act>,
): boolean => {
  const words = textAt(text, observation);
  return admissible.some((action) => words.isSample?.(action) === true);
};

/** The action that the reply means, or why it means none. */
function readAction<Obs, Act>(
  text: Textual<Obs, Act>,
  turn: ActingTurn<Obs, Act>,
  words: string,
): { readonly kind: 'action'; readonly action: Act } | { readonly kind: 'none'; readonly why: string } {
  const { admissible, observation } = turn;
  const own = textAt(text, observation);
  const [, mark, digits] = /^(#?)(\d+)$/.exec(words) ?? [];
  const written = answersAreWritten(text, turn);
  const isAnswer = mark === '' && written && own.parse(words).kind === 'action';
  if (digits !== undefined && admissible !== undefined && !isAnswer) {
    const number = Number(digits);
    if (number >= 1 && number <= admissible.length)
      return { kind: 'action', action: admissible[number - 1] as Act };
    return {
      kind: 'none',
      why: `Numbers go from ${written ? '#' : ''}1 to ${admissible.length}; ? lists them.`,
    };
  }
  const reply = own.parse(words);
  return reply.kind === 'action'
    ? reply
    : { kind: 'none', why: `Not understood: ${reply.why} (? lists the actions.)` };
}

/** Without the last digits, which show rounding errors. */
const inShort = (value: number): number => Number(value.toPrecision(12));

function describeReward({ total, terms }: Reward): string {
  const named = Object.entries(terms).map(([name, value]) => `${name} ${inShort(value)}`);
  return `Reward ${inShort(total)} (${named.join(', ')}).`;
}
