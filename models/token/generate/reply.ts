import { allowedNext, type TokenRequest } from '../../../agents/core/token-sampler.ts';
import type { Rng } from '../../../envs/core/rng.ts';
import type { PlainDraw } from './cached-passes.ts';
import { drawToken, logitsNotFinite, type DrawnToken } from './draw-token.ts';
import { StopTexts } from './stop-texts.ts';

/** Temperatures for which a backend draws: beyond them float32 has no room. */
const [coldest, hottest] = [1e-6, 1e6];

export interface ReplyOptions {
  readonly request: TokenRequest;
  readonly contextLength: number;
  readonly decode: (tokens: readonly number[]) => string;
  readonly rng: Rng;
  /** Names the request in errors. */
  readonly where: string;
}

/** What is written behind one prompt. Tokens that the restriction leaves no choice about are written without asking the model. */
export class Reply {
  readonly #options: ReplyOptions;
  readonly #stopTexts: StopTexts;
  readonly #tokens: number[];
  readonly #logprobs: number[] = [];
  #candidates: readonly number[] | undefined;
  #finish: 'stop' | 'length' | undefined;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.#stopTexts = new StopTexts(options.request.stopTexts, options.decode);
    this.#tokens = [...options.request.prompt];
    this.#goOn();
  }

  /** The prompt and what is written behind it. */
  get tokens(): readonly number[] {
    return this.#tokens;
  }

  get logprobs(): readonly number[] {
    return this.#logprobs;
  }

  get written(): readonly number[] {
    return this.#tokens.slice(this.#options.request.prompt.length);
  }

  /** Undefined while there is more to write. */
  get finish(): 'stop' | 'length' | undefined {
    return this.#finish;
  }

  /** Goes on by a token drawn from the logits behind the last. Throws a `RunError` where they are no numbers. */
  draw(logits: Float32Array): void {
    const {
      request: { decoding },
      rng,
      where,
    } = this.#options;
    const { token, logprob } = drawToken({
      logits,
      candidates: this.#candidates,
      decoding,
      uniform: () => rng.uniform(),
      where,
    });
    this.#take(token, logprob);
    this.#goOn();
  }

  /** True where the next token may be any, each with its own probability, at a temperature that float32 can divide by. */
  get isPlain(): boolean {
    const { temperature, topK, topP = 1, minP = 0 } = this.#options.request.decoding;
    const isOrdinary = temperature === 0 || (temperature >= coldest && temperature <= hottest);
    return isOrdinary && this.#candidates === undefined && topK === undefined && topP === 1 && minP === 0;
  }

  /** How a backend is to draw the next token, which {@link takeDrawn} is then given. Takes from the request's own chance, so that a pass that fails disturbs no other. */
  plainDraw(): PlainDraw {
    const {
      request: {
        decoding: { temperature },
      },
      rng,
    } = this.#options;
    return { temperature, point: temperature === 0 ? 0 : rng.uniform() };
  }

  /** Goes on by a token that a backend drew. Throws a `RunError` where the logits were no numbers. */
  takeDrawn({ token, logprob }: DrawnToken): void {
    if (token < 0) throw logitsNotFinite(this.#options.where, 'a logit is not a finite number.');
    this.#take(token, logprob);
  }

  /** Finds what may come next, and writes it while there is no choice. */
  #goOn(): void {
    const { allowed } = this.#options.request;
    if (allowed === undefined) return;
    while (this.#finish === undefined) {
      this.#candidates = allowedNext(allowed, this.written);
      const [only, another] = this.#candidates;
      if (only === undefined || another !== undefined) return;
      this.#take(only, 0);
    }
  }

  #take(token: number, logprob: number): void {
    this.#tokens.push(token);
    this.#logprobs.push(logprob);
    const {
      request: { maxTokens },
      contextLength,
    } = this.#options;
    if (this.#isEnd(token)) this.#finish = 'stop';
    else if (this.#logprobs.length >= maxTokens || this.#tokens.length >= contextLength)
      this.#finish = 'length';
  }

  #isEnd(token: number): boolean {
    const { allowed, stopTokens } = this.#options.request;
    if (allowed !== undefined) return allowedNext(allowed, this.written).length === 0;
    return stopTokens.includes(token) || this.#stopTexts.isCompletedBy(token);
  }
}
