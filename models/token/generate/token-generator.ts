import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  SampledTokens,
  TokenRequest,
  TokenSession,
  TrainingSampler,
} from '../../../agents/core/token-sampler.ts';
import type { TokenCodec } from '../../../agents/render/token-prompt.ts';
import type { Context } from '../../../envs/core/context.ts';
import { FaultError, messageOf, RunError, UsageError } from '../../../envs/core/errors.ts';
import type { TensorBackend } from '../../backend/backend.ts';
import { isMemoryFull } from '../../backend/memory-full.ts';
import { precisionOf, type Transformer } from '../network.ts';
import { assertRequest } from './assert-request.ts';
import type { CachedPasses, CacheSize } from './cached-passes.ts';
import {
  assertFitsModel,
  generationSettingsSchema,
  type GenerationSettings,
  type GenerationSettingsInput,
} from './generation-settings.ts';
import { LocalCachedPasses } from './local-cached-passes.ts';
import type { PackedTokens } from '../packed-tokens.ts';
import type { DrawnToken } from './draw-token.ts';
import { isDrawnFrom, packPass, planPass, type PassPart, type Writing } from './plan-pass.ts';
import { Reply } from './reply.ts';
import { commonLength, SlotTable, type Slot } from './slot-table.ts';

/** A transformer whose weights may be trained meanwhile. */
export interface LiveTransformer {
  /** Goes up by one with each update of the weights. */
  readonly version: number;
  /** The weights of that version. */
  readonly transformer: Transformer;
  /** Runs work between updates: weights change only before and after it. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Passes by workers that the model has; where it gives none, the generator computes on its backend. */
  cachedPasses?(size: CacheSize): CachedPasses | undefined;
}

export interface TokenGeneratorOptions {
  readonly backend: TensorBackend;
  readonly model: LiveTransformer;
  /** Tells texts that end a reply. */
  readonly codec: Pick<TokenCodec, 'decode'>;
  readonly settings: GenerationSettingsInput;
}

/** An episode's place. */
interface Place {
  slot: Slot | undefined;
  /** The request under way. */
  job: Job | undefined;
}

interface Job {
  readonly place: Place;
  readonly request: TokenRequest;
  readonly reply: Reply;
  readonly where: string;
  /** Whether the slot was compared with the prompt. */
  isPrepared: boolean;
  /** Whether a token was drawn. */
  isBegun: boolean;
  readonly resolve: (sampled: SampledTokens) => void;
  readonly reject: (reason: unknown) => void;
}

/** A job in its slot. */
interface LiveJob extends Writing {
  readonly job: Job;
}

/**
 * Writes for all live episodes with one transformer. Each forward pass takes the next token of every reply that is under way and a part
 * of the prompts that come in; a reply that ends makes room at once. An episode keeps its slot of the cache between its requests, so that
 * of its next prompt only what is new is computed. Where more episodes are live than there are slots, those without one wait in order
 * until an episode ends; where nothing else could be computed, they take the slot of an episode that is not writing, the one that wrote
 * longest ago.
 *
 * Memory is taken with the first pass and given back when no episode is live.
 */
export class TokenGenerator implements TrainingSampler {
  readonly isRemote = false;
  readonly contextLength: number;
  readonly #options: TokenGeneratorOptions;
  readonly #settings: GenerationSettings;
  readonly #passes: CachedPasses;
  #slots: SlotTable;
  /** Those that wrote longest ago first. */
  readonly #places = new Set<Place>();
  /** In the order in which they came. */
  readonly #jobs = new Set<Job>();
  #isRunning = false;
  #isDisposed = false;

  /** Throws a `UsageError` where the settings do not suit the model or its keys and values would not fit. */
  constructor(options: TokenGeneratorOptions) {
    const {
      backend,
      model: { transformer },
    } = options;
    this.#options = options;
    this.#settings = generationSettingsSchema.parse(options.settings);
    assertFitsModel(this.#settings, transformer.config, precisionOf(transformer));
    const { slots, contextLength } = this.#settings;
    this.contextLength = contextLength;
    const size = { slots, rowsOfSlot: contextLength };
    this.#passes = options.model.cachedPasses?.(size) ?? new LocalCachedPasses(backend, options.model, size);
    this.#slots = new SlotTable(slots, contextLength);
  }

  get version(): number {
    return this.#options.model.version;
  }

  /** Nothing to do: each pass reads the current weights of the model. */
  outdate(): void {}

  begin(): TokenSession {
    if (this.#isDisposed)
      throw new UsageError({
        where: 'token generator',
        what: 'an episode begins after dispose().',
        fix: 'Dispose of it last.',
      });
    const place: Place = { slot: undefined, job: undefined };
    this.#places.add(place);
    return {
      sample: (request, context) => this.#sample(place, request, context),
      end: () => this.#end(place),
    };
  }

  /** Cancels what is under way and frees what is held, once the pass of now is over. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const place of this.#places) this.#end(place);
    await this.#options.model.exclusively(async () => this.#free());
  }

  async #sample(place: Place, request: TokenRequest, context: Context): Promise<SampledTokens> {
    const { signal, path: where, rng } = context;
    signal.throwIfAborted();
    assertRequest(request, {
      where,
      contextLength: this.contextLength,
      vocabulary: this.#options.model.transformer.config.vocabulary,
    });
    if (!this.#places.has(place))
      throw new UsageError({
        where,
        what: 'the episode asks for tokens after its end.',
        fix: 'Call end() last.',
      });
    if (place.job !== undefined)
      throw new UsageError({
        where,
        what: 'the episode asks for tokens while it is being answered.',
        fix: 'Await one request before the next.',
      });
    const { codec } = this.#options;
    const reply = new Reply({
      request,
      contextLength: this.contextLength,
      decode: (tokens) => codec.decode(tokens, request.prompt.at(-1)),
      rng,
      where,
    });
    if (reply.finish !== undefined) return sampledBy(reply, this.version);
    return new Promise((resolve, reject) => {
      const leave = (): void => this.#settle(job, () => reject(signal.reason as Error));
      const job: Job = {
        place,
        request,
        reply,
        where,
        isPrepared: false,
        isBegun: false,
        resolve: (sampled) => {
          signal.removeEventListener('abort', leave);
          resolve(sampled);
        },
        reject: (reason) => {
          signal.removeEventListener('abort', leave);
          reject(reason as Error);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      place.job = job;
      this.#jobs.add(job);
      this.#wake();
    });
  }

  #end(place: Place): void {
    if (!this.#places.delete(place)) return;
    if (place.slot !== undefined) this.#slots.giveBack(place.slot);
    place.slot = undefined;
    const { job } = place;
    if (job !== undefined)
      this.#settle(job, () =>
        job.reject(
          new FaultError({
            kind: 'sampler-failed',
            message: `${job.where}: the episode ended while tokens were written for it`,
            retryable: false,
          }),
        ),
      );
    this.#wake();
  }

  #settle(job: Job, settle: () => void): void {
    if (!this.#jobs.delete(job)) return;
    job.place.job = undefined;
    settle();
  }

  #wake(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** Pass after pass, each in a turn of the event loop of its own, so that all who ask in one turn share a pass. */
  async #run(): Promise<void> {
    for (;;) {
      await nextTurn();
      const work = this.#work();
      if (work === undefined) break;
      try {
        await this.#options.model.exclusively(work);
      } catch (thrown) {
        await this.#fail(thrown);
      }
    }
    this.#isRunning = false;
  }

  #work(): (() => Promise<void>) | undefined {
    if (this.#jobs.size > 0) return () => this.#pass();
    if (this.#places.size > 0 || !this.#passes.holdsMemory) return undefined;
    return async () => {
      if (this.#places.size === 0) await this.#free();
    };
  }

  async #pass(): Promise<void> {
    const { model } = this.#options;
    const parts = planPass(this.#admit(model.version), this.#settings.tokensPerPass);
    if (parts.length === 0) return; // all were cancelled
    const { packed, places } = packPass(parts);
    const replies = parts.filter(isDrawnFrom).map(({ writing: { job } }) => job.reply);
    const takeNext = await this.#runPass(packed, places, replies);
    let row = 0;
    for (const part of parts) this.#goOn(part, isDrawnFrom(part) ? takeNext[row++] : undefined);
  }

  /** Computes a pass. Returns for each reply that is drawn from what goes on by its next token. */
  async #runPass(
    packed: PackedTokens,
    places: Int32Array,
    replies: readonly Reply[],
  ): Promise<readonly (() => void)[]> {
    if (this.#passes.draw !== undefined && replies.length > 0 && replies.every(({ isPlain }) => isPlain)) {
      const drawn = await this.#passes.draw(
        packed,
        places,
        replies.map((reply) => reply.plainDraw()),
      );
      return replies.map((reply, row) => () => reply.takeDrawn(drawn[row] as DrawnToken));
    }
    const logits = await this.#passes.run(packed, places);
    return replies.map((reply, row) => () => reply.draw(logits[row] as Float32Array));
  }

  /** The jobs that have a slot, each slot holding no more than it may. */
  #admit(version: number): readonly LiveJob[] {
    const live: LiveJob[] = [];
    for (const job of this.#jobs) {
      const {
        place,
        request: { prompt },
        reply: { tokens },
        isBegun,
      } = job;
      place.slot ??= this.#slots.take(prompt) ?? this.#takeFromIdle();
      const { slot } = place;
      if (slot === undefined) continue;
      if (!job.isPrepared)
        slot.tokens.length = Math.min(commonLength(slot.tokens, tokens), tokens.length - 1); // the last is computed, to draw from
      job.isPrepared = true;
      if (!isBegun && slot.version !== version && this.#settings.onNewWeights === 'recompute')
        slot.tokens.length = 0;
      if (slot.tokens.length === 0) slot.version = version;
      live.push({ job, slot, tokens, isBegun });
    }
    return live;
  }

  /** Only where nothing else could be computed: who is not writing may soon go on behind what its slot holds. */
  #takeFromIdle(): Slot | undefined {
    for (const { place } of this.#jobs) if (place.slot !== undefined) return undefined;
    for (const place of this.#places) {
      const { slot } = place;
      if (slot === undefined) continue;
      place.slot = undefined;
      return slot;
    }
    return undefined;
  }

  /** Takes what a pass computed. */
  #goOn(
    { writing: { job, slot, tokens }, count }: PassPart<LiveJob>,
    takeNext: (() => void) | undefined,
  ): void {
    const held = slot.tokens.length;
    slot.tokens.push(...tokens.slice(held, held + count));
    if (takeNext === undefined || !this.#jobs.has(job)) return; // it was cancelled meanwhile
    job.isBegun = true;
    try {
      takeNext();
    } catch (thrown) {
      this.#settle(job, () => job.reject(thrown));
      return;
    }
    if (job.reply.finish === undefined) return;
    this.#places.delete(job.place);
    this.#places.add(job.place); // it wrote last
    this.#settle(job, () => job.resolve(sampledBy(job.reply, slot.version)));
  }

  /** A pass failed, so that what the slots hold is unknown. */
  async #fail(thrown: unknown): Promise<void> {
    const error = explained(thrown);
    for (const job of this.#jobs) this.#settle(job, () => job.reject(error));
    await this.#free();
  }

  async #free(): Promise<void> {
    const { slots, contextLength } = this.#settings;
    this.#slots = new SlotTable(slots, contextLength);
    for (const place of this.#places) place.slot = undefined;
    await this.#passes.free();
  }
}

/** What has a fix of its own keeps it, such as a GPU that is gone. */
function explained(thrown: unknown): RunError {
  if (RunError.is(thrown) && !isMemoryFull(thrown)) return thrown;
  return new RunError(
    {
      where: 'generation',
      what: `a pass failed (${messageOf(thrown)}).`,
      fix: 'Where memory is short, lower slots, contextLength or tokensPerPass, or take a smaller model.',
    },
    { cause: thrown },
  );
}

function sampledBy({ written, logprobs, finish }: Reply, version: number): SampledTokens {
  if (finish === undefined) throw new TypeError('the reply is not finished');
  return { tokens: written, logprobs, finish, version };
}
