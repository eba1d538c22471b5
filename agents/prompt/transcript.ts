import { z } from 'zod';
import { boundaryNow, type Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import { textAt, type Reply, type Textual } from '../../envs/core/textual.ts';
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
import { carriedIn, chunkStart, stepsShown, type History } from './history.ts';
import type { Prompt } from './prompt.ts';
import { readReply, withoutThinking, writeReply, type Spoken } from './read-reply.ts';
import { charactersCut, shorten } from './shorten.ts';
import { openGuard, type TextGuard } from './text-guard.ts';
import type { WrittenCall } from './tool-calls.ts';

/** How much a text agent is shown. */
export interface TextView {
  /** Whether it sees the admissible actions, if the env lists them. */
  readonly admissible: boolean;
  readonly history: History;
  /** Most characters of an observation that it sees; by default as the prompt says. */
  readonly observationCharacters?: number | undefined;
}

/** One turn as an agent sees it. */
export interface TurnView {
  readonly observation: string;
  /** The observation in parts, one for each call before it; absent where the env has no such parts. */
  readonly parts?: readonly string[] | undefined;
  readonly isFirst: boolean;
  /** Why the last reply could not be parsed, if there was one. */
  readonly feedback: string | undefined;
  readonly firstSeen: string;
  readonly actions: readonly string[] | undefined;
}

/** Most characters of an observation and of the list of actions to show. */
export interface Limits {
  readonly observation: number;
  readonly actions: number;
}

/** The text of a turn under given limits, independent of the history shown. */
export interface ToldTurn {
  readonly telling: Telling;
  /** The newest message, without the list of actions. */
  readonly shown: string;
  readonly actionsLeftOut: number;
}

/** The part of a snapshot that {@link Transcript.memory} returns. */
export const transcriptMemoryShape = {
  firstSeen: z.string().optional(),
  firstCut: z.int().nonnegative(),
  past: z.array(
    z.strictObject({
      shown: z.string(),
      reply: z.string(),
      parts: z.array(z.string()).optional(),
      calls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })).optional(),
    }),
  ),
  chunkStart: z.int().nonnegative().optional(),
};
type TranscriptMemory = z.output<z.ZodObject<typeof transcriptMemoryShape>>;

/** A malformed reply is shown to the model again up to this length. */
export const longestMalformed = 2_000;

/** Options of a transcript. */
export interface TranscriptOptions<Obs, Act> {
  readonly prompt: Prompt;
  readonly text: Textual<Obs, Act>;
  readonly view: TextView;
  /**
   * Sits between the env's text and the model's: text from the env is guarded, commands are converted back.
   * None by default.
   */
  readonly guard?: TextGuard | undefined;
}

/** An episode in the text of its env, for agents that read and write text. */
export class Transcript<Obs, Act> {
  readonly #options: TranscriptOptions<Obs, Act>;
  readonly #guard: TextGuard;
  readonly #instruction: string;
  /** The first observation, which is always shown. */
  #firstSeen: string | undefined;
  /** Characters cut from the first observation so far. They are reported once. */
  #firstCut = 0;
  #past = new PromptHistory();
  /** The exchange with which the current chunk of the context begins; 0 without chunks. */
  #chunkStart = 0;
  /** The words of the turn that was seen last. */
  #words: Textual<Obs, Act>;

  constructor(options: TranscriptOptions<Obs, Act>, instruction: string) {
    this.#options = options;
    this.#words = options.text;
    this.#guard = options.guard ?? openGuard;
    this.#instruction = this.#guard.tell(instruction);
  }

  get past(): PromptHistory {
    return this.#past;
  }

  /** Earlier exchanges to show. */
  get wanted(): number {
    const { history } = this.#options.view;
    const played = this.#past.exchanges.length;
    return stepsShown(history, played, chunkStart(history, played, this.#chunkStart));
  }

  /** Exchanges to show if the model cannot take those that are wanted: at most so many. */
  get carried(): number {
    return Math.min(this.wanted, carriedIn(this.#options.view.history));
  }

  /**
   * Records that the turn's prompt shows `keep` earlier exchanges. If those are fewer than before, a new chunk
   * of the context begins with them. Call it once a turn.
   */
  showed(keep: number): Pick<ShownLess, 'leftOut' | 'contextStart'> {
    const leftOut = (keep < this.wanted ? this.carried : this.wanted) - keep;
    if (typeof this.#options.view.history !== 'object') return { leftOut };
    const before = this.#chunkStart;
    this.#chunkStart = this.#past.exchanges.length - keep;
    return { leftOut, ...(this.#chunkStart === before ? {} : { contextStart: this.#chunkStart }) };
  }

  /** The limits that apply unless the context is too small. */
  get limitsAtFirst(): Limits {
    const { view, prompt } = this.#options;
    return {
      observation: view.observationCharacters ?? prompt.observationCharacters,
      actions: Number.POSITIVE_INFINITY,
    };
  }

  /** The turn as text. A crash of the env's text functions is a fault of the env. */
  see(turn: ActingTurn<Obs, Act>, feedback: string | undefined): TurnView {
    const { text, view } = this.#options;
    this.#words = boundaryNow(crashed('at'), () => textAt(text, turn.observation));
    const observation = this.#guard.tell(
      boundaryNow(crashed('observation'), () => text.observation(turn.observation)),
    );
    const isFirst = this.#firstSeen === undefined;
    this.#firstSeen ??= observation;
    const listed = view.admissible ? listedActions(text, turn.admissible) : undefined;
    const actions =
      listed === undefined ? undefined : this.wordsOf(listed).map((words) => this.#guard.tell(words));
    const parts =
      text.toolResults === undefined || this.#options.prompt.grammar !== 'tools'
        ? undefined
        : boundaryNow(crashed('toolResults'), () => text.toolResults?.(turn.observation) ?? []).map((part) =>
            this.#guard.tell(part),
          );
    return {
      observation,
      ...(parts === undefined ? {} : { parts }),
      isFirst,
      feedback: feedback === undefined ? undefined : this.#guard.tell(feedback),
      firstSeen: this.#firstSeen,
      actions,
    };
  }

  /** The actions in the env's own text. */
  wordsOf(actions: readonly Act[]): readonly string[] {
    return boundaryNow(crashed('action'), () => actions.map((action) => this.#options.text.action(action)));
  }

  tell(seen: TurnView, limits: Limits): ToldTurn {
    const { prompt } = this.#options;
    const instruction = this.#instruction;
    const opening = openingText(prompt, { instruction, observation: seen.firstSeen }, limits.observation);
    const now = seen.isFirst ? undefined : nowText(prompt, instruction, seen, limits);
    const list =
      seen.actions === undefined || prompt.grammar === 'tools' // those are in the tools
        ? undefined
        : listActions(prompt, seen.actions, limits.actions);
    const most = Math.floor(limits.observation / Math.max(1, seen.parts?.length ?? 1));
    const parts =
      seen.isFirst || seen.feedback !== undefined
        ? undefined
        : seen.parts?.map((part) => shorten(part, most));
    const telling: Telling = { opening, now, parts, actions: list?.text, past: this.#past };
    return { telling, shown: now ?? opening, actionsLeftOut: list?.leftOut ?? 0 };
  }

  /**
   * Smaller limits: half of the longest part that no prompt leaves out, but at least `fewest` characters.
   * Undefined if nothing more can be cut.
   */
  lessOf(
    { observation, firstSeen, actions = [] }: TurnView,
    limits: Limits,
    fewest: number,
  ): Limits | undefined {
    const seen = Math.min(limits.observation, Math.max(observation.length, firstSeen.length));
    const { prompt } = this.#options;
    const listed =
      prompt.grammar === 'tools' ? 0 : Math.min(limits.actions, listedCharacters(prompt, actions));
    const longest = Math.max(seen, listed);
    if (longest <= fewest) return undefined;
    const half = Math.max(fewest, Math.floor(longest / 2));
    return listed === longest ? { ...limits, actions: half } : { ...limits, observation: half };
  }

  /**
   * What this turn leaves out, for its decision. Call it once a turn: cuts of the first observation are
   * reported once.
   */
  shownLess(
    { observation, firstSeen, isFirst }: TurnView,
    { observation: most }: Limits,
    told: ToldTurn,
  ): Omit<ShownLess, 'leftOut' | 'contextStart'> {
    const before = this.#firstCut;
    this.#firstCut = Math.max(before, charactersCut(firstSeen, most));
    const cut = charactersCut(observation, most) + (isFirst ? 0 : this.#firstCut - before);
    return {
      ...(cut === 0 ? {} : { charactersCut: cut }),
      ...(told.actionsLeftOut === 0 ? {} : { actionsLeftOut: told.actionsLeftOut }),
    };
  }

  /** Records what was shown, the part of the reply that later prompts show, and the tools that it called. */
  keep(
    { shown, telling }: Pick<ToldTurn, 'shown'> & { readonly telling?: Pick<Telling, 'parts'> },
    reply: string,
    calls?: readonly WrittenCall[],
  ): void {
    const parts = telling?.parts;
    this.#past.push({
      shown,
      ...(parts === undefined ? {} : { parts }),
      reply,
      ...(calls === undefined ? {} : { calls }),
    });
  }

  /** Formats a reply in the prompt's grammar, with or without its thought as the prompt says. */
  inForm(text: string, spoken: Spoken): string {
    const { remember } = this.#options.prompt;
    if (spoken.kind === 'malformed') return shorten((withoutThinking(text) ?? text).trim(), longestMalformed);
    const { command } = this.#read(spoken);
    if (remember === 'reply') return this.write(command, spoken.thought);
    const bare = withoutThinking(command)?.trim() ?? '';
    return this.write(bare === '' ? command : bare);
  }

  /** Finds the command of a reply in the prompt's grammar. */
  read(text: string, cut: boolean): Spoken {
    const { grammar } = this.#options.prompt;
    return readReply(text, { grammar, cut, keepsThoughts: this.#words.readsThoughts === true });
  }

  /** Formats a reply for the env's `command`. */
  write(command: string, thought = ''): string {
    return writeReply({ command: this.#guard.tell(command), thought }, this.#options.prompt.grammar);
  }

  /** Parses a reply with the env. */
  replyOf(text: string, spoken: Spoken): Reply<Act> {
    if (spoken.kind === 'malformed') return { kind: 'malformed', why: spoken.why, text, code: spoken.code };
    const { read } = this.#read(spoken);
    return read.kind === 'action' ? read : { ...read, text };
  }

  /** Parses a command with the env: with its code fence if that is an action, otherwise without. */
  #read(spoken: Extract<Spoken, { readonly kind: 'command' }>): {
    readonly command: string;
    readonly read: Reply<Act>;
  } {
    const command = this.#guard.mean(spoken.command);
    const fenced = spoken.fenced === undefined ? undefined : this.#guard.mean(spoken.fenced);
    const parse = (said: string): Reply<Act> => boundaryNow(crashed('parse'), () => this.#words.parse(said));
    const whole = fenced === undefined ? undefined : parse(fenced);
    return fenced !== undefined && whole?.kind === 'action'
      ? { command: fenced, read: whole }
      : { command, read: parse(command) };
  }

  /** The memory as plain JSON. */
  memory(): Readonly<Record<string, Json>> {
    return {
      ...(this.#firstSeen === undefined ? {} : { firstSeen: this.#firstSeen }),
      firstCut: this.#firstCut,
      past: this.#past.exchanges.map(({ shown, parts, reply, calls }) => ({
        shown,
        ...(parts === undefined ? {} : { parts: [...parts] }),
        reply,
        ...(calls === undefined ? {} : { calls: calls.map((call) => ({ ...call })) }),
      })),
      ...(this.#chunkStart === 0 ? {} : { chunkStart: this.#chunkStart }),
    };
  }

  restore({ firstSeen, firstCut, past, chunkStart: start = 0 }: TranscriptMemory): void {
    this.#chunkStart = start;
    this.#firstSeen = firstSeen;
    this.#firstCut = firstCut;
    this.#past = new PromptHistory(past);
  }
}

/**
 * The admissible actions to list for an agent that writes: none if they are only samples of what may be
 * written.
 */
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
