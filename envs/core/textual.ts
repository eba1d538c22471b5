import type { z } from 'zod';
import type { ActionTarget, Features } from './features.ts';
import { describeIssues } from './issues.ts';
import type { Json } from './json.ts';

/** What an agent answered: an action for the env, or text that could not be read as one. */
export type Reply<Act> =
  | { readonly kind: 'action'; readonly action: Act }
  | {
      readonly kind: 'malformed';
      /** For people and for the model. */
      readonly why: string;
      readonly text: string;
      /** What decisions may depend on. */
      readonly code?: MalformedCode | undefined;
    };

/**
 * Why a reply of a language model names no action: `cut-off` by a limit of tokens, `empty`, `thinking` that does not end, or `no-action`
 * where its grammar asks for one.
 */
export type MalformedCode = 'cut-off' | 'empty' | 'thinking' | 'no-action';

/** A tool that a language model can call. */
export interface ToolDescription {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** JSON schema of its arguments, which are an object. */
  readonly parameters: Readonly<Record<string, Json>>;
}

/** A call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Json>>;
}

/** The actions of an env as tools, for language models that call tools natively. */
export interface ToolWords<Act> {
  /** The tools of a turn. `admissible` has the admissible actions if they are shown. */
  list(admissible: readonly Act[] | undefined): readonly ToolDescription[];
  /** The action that a call of one of these tools means. */
  read(call: ToolCall): Reply<Act>;
  /** The action that several calls of one reply mean, which are done in order. Without it only the first call counts. */
  readAll?(calls: readonly ToolCall[]): Reply<Act>;
  /** True if `read` also takes calls of unknown tools, which the env answers with an error. Otherwise they are malformed. */
  readonly answersUnknown?: boolean;
}

/** An env in words. Every env has it, so that people, choice policies and language models can play every env. */
export interface Textual<Obs, Act> {
  /** The observation in words. */
  observation(observation: Obs): string;
  /** The action in words, as a player would write it. */
  action(action: Act): string;
  /** The action that a player's words mean. */
  parse(text: string): Reply<Act>;
  /**
   * True if `parse` reads thoughts between `<think>` and `</think>`, such as a reward for the form of a reply. By default thoughts of
   * language models are removed from what `parse` gets.
   */
  readonly readsThoughts?: boolean;
  /**
   * True for an action that is one sample of many, such as one program of all programs. Language models are shown no list of admissible
   * actions that contains one; the observation then says what they can write. By default no action is a sample.
   */
  isSample?(action: Act): boolean;
  /** The actions as tools. Without it, tools are derived from the listed actions or from the schema of actions. */
  readonly tools?: ToolWords<Act>;
  /**
   * The observation in parts, one for each call of the action before it, so that every call of a model gets its own result. Anything else
   * than one part a call is not used: the first call then gets the whole observation.
   */
  toolResults?(observation: Obs): readonly string[];
  /**
   * The observation as a grid or as named facts, for policies that read data. It depends on the observation alone, so that it shows
   * nothing that the words do not.
   */
  features?(observation: Obs): Features;
  /** What an action refers to: a cell, a direction, a value. Undefined for an action that refers to nothing. */
  target?(action: Act): ActionTarget | undefined;
  /**
   * The words of the turn that shows this observation, where they depend on it: in a mixture each env reads its own actions. Whoever reads
   * words in an episode uses {@link textAt}.
   */
  at?(observation: Obs): TurnWords<Obs, Act>;
}

/** The words of one turn. */
export interface TurnWords<Obs, Act> {
  readonly text: Textual<Obs, Act>;
  /** Reads an action of this turn from JSON as its own env writes it. Tools are derived from it. */
  readonly action: z.ZodType<Act>;
}

/** The words of one turn: those of {@link Textual.at}, or else the definition's own. */
export const textAt = <Obs, Act>(text: Textual<Obs, Act>, observation: Obs): Textual<Obs, Act> =>
  text.at === undefined ? text : text.at(observation).text;

/** The parts of a definition that {@link strictTextual} needs. */
export interface TextualDefinition<Obs, Act> {
  readonly text: Textual<Obs, Act>;
  readonly action: z.ZodType<Act>;
}

/**
 * The definition's words for players who write freely, such as language models. An action that `parse` reads but the `action` schema does
 * not allow becomes a malformed reply. The opened env would refuse it with an error that ends the run.
 *
 * @param tools the tools of the opened host, where it has some; by default those of the definition's words
 */
export function strictTextual<Obs, Act>(
  { text, action: schema }: TextualDefinition<Obs, Act>,
  tools: ToolWords<Act> | undefined = text.tools,
): Textual<Obs, Act> {
  const checked = (reply: Reply<Act>, words: () => string): Reply<Act> => {
    if (reply.kind !== 'action') return reply;
    const read = schema.safeParse(reply.action);
    return read.success
      ? reply
      : { kind: 'malformed', why: `That is no action: ${describeIssues(read.error)}.`, text: words() };
  };
  const readAll = tools?.readAll?.bind(tools);
  return {
    observation: (observation) => text.observation(observation),
    action: (action) => text.action(action),
    parse: (words) => checked(text.parse(words), () => words),
    ...(text.readsThoughts === true ? { readsThoughts: true } : {}),
    ...(tools === undefined
      ? {}
      : {
          tools: {
            list: (admissible) => tools.list(admissible),
            read: (call) => checked(tools.read(call), () => JSON.stringify(call)),
            ...(readAll === undefined
              ? {}
              : {
                  readAll: (calls: readonly ToolCall[]) =>
                    checked(readAll(calls), () => JSON.stringify(calls)),
                }),
            ...(tools.answersUnknown === true ? { answersUnknown: true } : {}),
          },
        }),
    ...(text.toolResults === undefined ? {} : { toolResults: text.toolResults.bind(text) }),
    ...(text.isSample === undefined ? {} : { isSample: (action: Act) => text.isSample?.(action) === true }),
    ...(text.features === undefined ? {} : { features: text.features.bind(text) }),
    ...(text.target === undefined ? {} : { target: text.target.bind(text) }),
    ...(text.at === undefined ? {} : { at: strictAt(text, schema) }),
  };
}

/** The words of each turn are made strict once. */
function strictAt<Obs, Act>(
  text: Textual<Obs, Act>,
  schema: z.ZodType<Act>,
): (observation: Obs) => TurnWords<Obs, Act> {
  const made = new Map<TurnWords<Obs, Act>, TurnWords<Obs, Act>>();
  return (observation) => {
    const own = text.at?.(observation) ?? { text, action: schema };
    const strict = made.get(own) ?? { ...own, text: strictTextual({ text: own.text, action: schema }) };
    made.set(own, strict);
    return strict;
  };
}
