import { z } from 'zod';
import { boundaryNow, type Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Reply, Textual } from '../../envs/core/textual.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { ShownLess } from '../core/agent.ts';
import {
  listActions,
  listedCharacters,
  openingText,
  retryText,
  turnText,
  type Telling,
} from './conversation.ts';
import { PromptHistory } from './prompt-history.ts';
import type { History, Prompt } from './prompt.ts';
import { withoutThinking, writeReply, type Spoken } from './read-reply.ts';
import { charactersCut, shorten } from './shorten.ts';
import { openGuard, type TextGuard } from './text-guard.ts';

/** How much an agent that reads text is shown. */
export interface TextView {
  /** Whether it sees the admissible actions, where the env lists them. */
  readonly admissible: boolean;
  readonly history: History;
  /** Characters of an observation that it sees at most; those of the prompt when left out. */
  readonly observationCharacters?: number | undefined;
}

/** What an agent sees of a turn. */
export interface TurnView {
  readonly observation: string;
  readonly isFirst: boolean;
  /** Why the last reply could not be read, if there was one. */
  readonly feedback: string | undefined;
  readonly firstSeen: string;
  readonly actions: readonly string[] | undefined;
}

/** Characters that are shown at most of an observation and of the list of actions. */
export interface Limits {
  readonly observation: number;
  readonly actions: number;
}

/** A turn as it is told with some limits, whatever is kept of the past. */
export interface ToldTurn {
  readonly telling: Telling;
  /** The newest message, without the list of actions. */
  readonly shown: string;
  readonly actionsLeftOut: number;
}

/** The part of a snapshot that is {@link Transcript.memory}'s. */
export const transcriptMemoryShape = {
  firstSeen: z.string().optional(),
  firstCut: z.int().nonnegative(),
  past: z.array(z.strictObject({ shown: z.string(), reply: z.string() })),
};
type TranscriptMemory = z.output<z.ZodObject<typeof transcriptMemoryShape>>;

/** What a model that cannot write a command wrote is shown to it again up to here. */
const longestMalformed = 2_000;

/** What a transcript is made of. */
export interface TranscriptOptions<Obs, Act> {
  readonly prompt: Prompt;
  readonly text: Textual<Obs, Act>;
  readonly view: TextView;
  /** Stands between the env's words and the model's: told texts are guarded, commands read back. Nothing does when left out. */
  readonly guard?: TextGuard | undefined;
}

/** An episode in the words of its env, as an agent that reads and writes text lives through it. */
export class Transcript<Obs, Act> {
  readonly #options: TranscriptOptions<Obs, Act>;
  readonly #guard: TextGuard;
  readonly #instruction: string;
  /** The first observation, which is always shown. */
  #firstSeen: string | undefined;
  /** Characters of the first observation that were left out so far, which is told once. */
  #firstCut = 0;
  #past = new PromptHistory();

  constructor(options: TranscriptOptions<Obs, Act>, instruction: string) {
    this.#options = options;
    this.#guard = options.guard ?? openGuard;
    this.#instruction = this.#guard.tell(instruction);
  }

  get past(): PromptHistory {
    return this.#past;
  }

  /** Earlier exchanges that are to be shown. */
  get wanted(): number {
    const { history } = this.#options.view;
    return Math.min(this.#past.exchanges.length, history === 'all' ? Number.POSITIVE_INFINITY : history);
  }

  /** What is shown where nothing must be left out for want of room. */
  get limitsAtFirst(): Limits {
    const { view, prompt } = this.#options;
    return {
      observation: view.observationCharacters ?? prompt.observationCharacters,
      actions: Number.POSITIVE_INFINITY,
    };
  }

  /** The turn in words; a crash of the env's words is a fault of the env. */
  see(turn: ActingTurn<Obs, Act>, feedback: string | undefined): TurnView {
    const { text, view } = this.#options;
    const observation = this.#guard.tell(
      boundaryNow(crashed('observation'), () => text.observation(turn.observation)),
    );
    const isFirst = this.#firstSeen === undefined;
    this.#firstSeen ??= observation;
    const listed = view.admissible ? listedActions(text, turn.admissible) : undefined;
    const actions =
      listed === undefined ? undefined : this.wordsOf(listed).map((words) => this.#guard.tell(words));
    return {
      observation,
      isFirst,
      feedback: feedback === undefined ? undefined : this.#guard.tell(feedback),
      firstSeen: this.#firstSeen,
      actions,
    };
  }

  /** In the env's own words. */
  wordsOf(actions: readonly Act[]): readonly string[] {
    return boundaryNow(crashed('action'), () => actions.map((action) => this.#options.text.action(action)));
  }

  tell(seen: TurnView, limits: Limits): ToldTurn {
    const { prompt } = this.#options;
    const instruction = this.#instruction;
    const opening = openingText(prompt, { instruction, observation: seen.firstSeen }, limits.observation);
    const now = seen.isFirst ? undefined : nowText(prompt, instruction, seen, limits);
    const list = seen.actions === undefined ? undefined : listActions(prompt, seen.actions, limits.actions);
    const telling: Telling = { opening, now, actions: list?.text, past: this.#past };
    return { telling, shown: now ?? opening, actionsLeftOut: list?.leftOut ?? 0 };
  }

  /** Limits with half of the longest of what no prompt leaves out, but no fewer than `fewest` characters; undefined where nothing is left to be cut. */
  lessOf(
    { observation, firstSeen, actions = [] }: TurnView,
    limits: Limits,
    fewest: number,
  ): Limits | undefined {
    const seen = Math.min(limits.observation, Math.max(observation.length, firstSeen.length));
    const listed = Math.min(limits.actions, listedCharacters(this.#options.prompt, actions));
    const longest = Math.max(seen, listed);
    if (longest <= fewest) return undefined;
    const half = Math.max(fewest, Math.floor(longest / 2));
    return listed === longest ? { ...limits, actions: half } : { ...limits, observation: half };
  }

  /** What the turn's telling left out, for its decision; to be asked once a turn, as what was cut of the first sight is told once. */
  shownLess(
    { observation, firstSeen, isFirst }: TurnView,
    { observation: most }: Limits,
    told: ToldTurn,
  ): Omit<ShownLess, 'leftOut'> {
    const before = this.#firstCut;
    this.#firstCut = Math.max(before, charactersCut(firstSeen, most));
    const cut = charactersCut(observation, most) + (isFirst ? 0 : this.#firstCut - before);
    return {
      ...(cut === 0 ? {} : { charactersCut: cut }),
      ...(told.actionsLeftOut === 0 ? {} : { actionsLeftOut: told.actionsLeftOut }),
    };
  }

  /** Writes down what was shown and what of the reply is seen again. */
  keep(shown: string, reply: string): void {
    this.#past.push({ shown, reply });
  }

  /** A reply in the form of the prompt's grammar, with or without its thought as the prompt says. */
  inForm(text: string, spoken: Spoken): string {
    const { remember } = this.#options.prompt;
    if (spoken.kind === 'malformed') return shorten((withoutThinking(text) ?? text).trim(), longestMalformed);
    const command = this.#read(spoken).command;
    return this.write(command, remember === 'reply' ? spoken.thought : '');
  }

  /** A reply that does what the env calls `command`. */
  write(command: string, thought = ''): string {
    return writeReply({ command: this.#guard.tell(command), thought }, this.#options.prompt.grammar);
  }

  /** What the env makes of a reply. */
  replyOf(text: string, spoken: Spoken): Reply<Act> {
    if (spoken.kind === 'malformed') return { kind: 'malformed', why: spoken.why, text, code: spoken.code };
    const { read } = this.#read(spoken);
    return read.kind === 'action' ? read : { ...read, text };
  }

  /** What the env makes of a command, with the fence that stood around it where that says an action, else without. */
  #read(spoken: Extract<Spoken, { readonly kind: 'command' }>): {
    readonly command: string;
    readonly read: Reply<Act>;
  } {
    const command = this.#guard.mean(spoken.command);
    const fenced = spoken.fenced === undefined ? undefined : this.#guard.mean(spoken.fenced);
    const parse = (said: string): Reply<Act> =>
      boundaryNow(crashed('parse'), () => this.#options.text.parse(said));
    const whole = fenced === undefined ? undefined : parse(fenced);
    return fenced !== undefined && whole?.kind === 'action'
      ? { command: fenced, read: whole }
      : { command, read: parse(command) };
  }

  /** As plain JSON. */
  memory(): Readonly<Record<string, Json>> {
    return {
      ...(this.#firstSeen === undefined ? {} : { firstSeen: this.#firstSeen }),
      firstCut: this.#firstCut,
      past: this.#past.exchanges.map(({ shown, reply }) => ({ shown, reply })),
    };
  }

  restore({ firstSeen, firstCut, past }: TranscriptMemory): void {
    this.#firstSeen = firstSeen;
    this.#firstCut = firstCut;
    this.#past = new PromptHistory(past);
  }
}

/** The admissible actions that one who writes is shown: none where they are but samples of what may be written. */
export const listedActions = <Act>(
  text: Pick<Textual<never, Act>, 'isSample'>,
  admissible: readonly Act[] | undefined,
): readonly Act[] | undefined =>
  admissible?.some((action) => text.isSample?.(action) === true) === true ? undefined : admissible;

function nowText(
  prompt: Prompt,
  instruction: string,
  { observation, feedback }: TurnView,
  limits: Limits,
): string {
  const turn = turnText(prompt, { instruction, observation }, limits.observation);
  return feedback === undefined ? turn : retryText(prompt, turn, feedback);
}

const crashed =
  (call: keyof Textual<unknown, unknown>) =>
  (message: string): Fault => ({ kind: 'env-crashed', where: `text.${call}`, message });
