/** What is said about a model that can be called: all that a router may decide by. */
export interface Descriptor {
  readonly name: string;
  /** Abilities and habits, in a sentence or two. */
  readonly description: string;
  /** Dollars for a million tokens of a reply. */
  readonly price: number;
  /** Dollars for a million tokens of a question. */
  readonly promptPrice: number;
  /** Seconds for a reply, about; undefined where nothing is known. */
  readonly seconds: number | undefined;
  /** Tokens of a reply, about; undefined where nothing is known. */
  readonly tokens: number | undefined;
  /** How well it knows each topic, where that is described. */
  readonly levels: Readonly<Record<string, Level>>;
  /** Whether it says what it does not know; undefined where nothing is known. */
  readonly admits: boolean | undefined;
}

/** How well a model knows a topic, in a word. */
export const levels = ['poor', 'fair', 'good', 'excellent'] as const;
export type Level = (typeof levels)[number];

/** The level of a share of right answers. */
export const levelOf = (skill: number): Level =>
  skill >= 0.85 ? 'excellent' : skill >= 0.65 ? 'good' : skill >= 0.35 ? 'fair' : 'poor';

/** The price in a word, by the dollars for a million tokens. */
export const priceWord = (price: number): string =>
  price < 0.2 ? 'lowest' : price < 1 ? 'low' : price < 3 ? 'middle' : 'high';

/** A line about a model for the instruction. */
export function describeModel({
  name,
  description,
  price,
  promptPrice,
  seconds,
  tokens,
}: Descriptor): string {
  const facts = [
    `$${price} per million tokens${promptPrice === 0 ? '' : `, $${promptPrice} per million tokens of a question`}`,
    ...(tokens === undefined ? [] : [`about ${tokens} tokens a reply`]),
    ...(seconds === undefined ? [] : [`about ${seconds} s`]),
  ];
  return `${name}: ${description} ${facts.join(', ')}.`;
}

/** What a called model answers, with what it used. */
export interface ModelReply {
  readonly text: string;
  readonly promptTokens: number;
  readonly tokens: number;
  readonly seconds: number;
}

/** Millionths of a dollar: tokens times the dollars for a million of them. */
export const costOf = (
  { price, promptPrice }: Descriptor,
  { tokens, promptTokens }: Pick<ModelReply, 'tokens' | 'promptTokens'>,
): number => tokens * price + promptTokens * promptPrice;

/** A model that can be called. */
export interface CalledModel {
  readonly descriptor: Descriptor;
  /**
   * Equal questions get equal replies.
   *
   * @throws FaultError where the server of the model fails
   */
  ask(query: string, signal: AbortSignal): ModelReply | Promise<ModelReply>;
}
