import { z } from 'zod';
import type { Conduct } from '../stub-server.ts';

export const bodySchema = z.looseObject({});
export type Body = z.output<typeof bodySchema>;
export const idsSchema = z.array(z.int());

/** A request for tokens, the same for every kind of server. */
export interface TokenAsk {
  /** Counted from 0 over the requests for tokens. */
  readonly number: number;
  readonly prompt: readonly number[];
  readonly most: number;
  /** The adapter, or else the model where it is named. */
  readonly name: string | undefined;
  readonly seed: number | undefined;
  readonly body: Body;
}

/** What the stub's model writes. */
export interface Writing {
  readonly kind: 'write';
  readonly tokens: readonly number[];
  /** Left out: `stubLogprob` of each token. */
  readonly logprobs?: readonly (number | null)[];
  readonly ending?: string;
  readonly name?: string;
  readonly promptTokens?: number;
  readonly delayMs?: number;
  /** The answer is sent no sooner. */
  readonly after?: Promise<void>;
}

/** Answers of the routes that load and unload adapters. */
export interface AdapterAnswers {
  /** Paths of the routes begin with it. */
  readonly root: string;
  readonly done: (words: string) => Conduct;
  readonly alreadyLoaded: (name: string) => Conduct;
  readonly notLoaded: (name: string) => Conduct;
}

/** The other side of a server's protocol, as the server's sources write it. One stands in `list.ts` for each kind of server. */
export interface StubProtocol {
  /** Config with which the stub's log-probabilities are those drawn by, whatever the decoding allows. */
  readonly serverConfig: Readonly<Record<string, string>>;
  readonly path: string;
  readonly readAsk: (body: Body) => Omit<TokenAsk, 'number'>;
  readonly answer: (writing: Writing, ask: TokenAsk) => object;
  readonly unknownName: (name: string) => Conduct;
  /** Undefined where there are no such routes. */
  readonly adapters: AdapterAnswers | undefined;
  /** Log-probabilities of which one that must be there is missing, of three tokens. */
  readonly incompleteLogprobs: readonly (number | null)[];
}

export const stubLogprob = (token: number): number => -(token + 1) / 1000;
export const logprobsOf = ({ tokens, logprobs }: Writing): readonly (number | null)[] =>
  logprobs ?? tokens.map(stubLogprob);
export const endingOf = ({ tokens, ending }: Writing, { most }: TokenAsk): string =>
  ending ?? (tokens.length === most ? 'length' : 'stop');

export const errorAnswer = (status: number, message: string): Conduct => ({
  kind: 'json',
  status,
  body: { error: { message, type: 'BadRequestError', code: status } },
});
