import { z } from 'zod';
import type { Json } from '../../../core/json.ts';
import { baseOf, JsonClient, requestLimits } from '../../json-client/json-client.ts';
import { retrieverFault } from '../retriever-fault.ts';
import { mostDimensions, unitVector } from './unit-vector.ts';

/** Dense retrieval beside BM25. */
export const denseSchema = z.strictObject({
  url: z.string().min(1).describe('address of a server with /v1/embeddings'),
  model: z.string().min(1).describe('name of the model'),
  keyName: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable')
    .optional()
    .describe('environment variable with the key of the server'),
  dimensions: z
    .int()
    .min(1)
    .max(mostDimensions)
    .optional()
    .describe('numbers of a vector, for models that can shorten them; default: those of the model'),
  ranking: z
    .enum(['fused', 'dense'])
    .default('fused')
    .describe('fused: BM25 and vectors by reciprocal rank; dense: vectors alone'),
  depth: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('documents of each ranking that are fused, at least those that a search shows'),
  queryPrefix: z.string().max(1_000).default('').describe('text before each query, such as "query: "'),
  documentPrefix: z
    .string()
    .max(1_000)
    .default('')
    .describe('text before each document, such as "passage: "'),
  characters: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(4_000)
    .describe('characters of a document that the model reads'),
  batch: z.int().min(1).max(2_048).default(64).describe('texts of a request'),
  cached: z.int().min(0).max(1_000_000).default(10_000).describe('vectors of queries kept in memory'),
  ...requestLimits,
  concurrency: requestLimits.concurrency.unwrap().default(4).describe('number of requests at once'),
});
export type DenseConfig = z.output<typeof denseSchema>;

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.array(z.unknown()) })),
});

/** Turns texts into vectors of length 1. */
export interface Embedder {
  /** What vectors of documents depend on, without addresses. */
  readonly documentIdentity: Json;
  /** What vectors of queries depend on, without addresses. */
  readonly queryIdentity: Json;
  /**
   * The vectors of documents, in order.
   *
   * @throws FaultError of kind `retriever-failed` where the server is down, slow, or answers with something else
   */
  documents(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  /** The vectors of queries, in order. Failures are those of {@link documents}. */
  queries(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  /** Sets the numbers of a vector. Without it, the first vector decides. Others are faults. */
  expect(dimensions: number): void;
  close(): Promise<void>;
}

/**
 * A client of an embedding server of OpenAI's form.
 *
 * @param now monotonic milliseconds
 * @throws UsageError where the address is no HTTP address
 */
export function createEmbedder(
  config: DenseConfig,
  options: { readonly key: string | undefined; readonly now: () => number },
): Embedder {
  return new HttpEmbedder(config, options);
}

const path = 'embeddings';

class HttpEmbedder implements Embedder {
  readonly documentIdentity: Json;
  readonly queryIdentity: Json;
  readonly #config: DenseConfig;
  readonly #client: JsonClient;
  readonly #known = new Map<string, Float32Array>();
  #dimensions: number | undefined;

  constructor(config: DenseConfig, options: Parameters<typeof createEmbedder>[1]) {
    const { model, dimensions, documentPrefix, characters, queryPrefix } = config;
    this.#config = config;
    this.#dimensions = dimensions;
    const shared = { model, ...(dimensions === undefined ? {} : { dimensions }) };
    this.documentIdentity = { ...shared, documentPrefix, characters };
    this.queryIdentity = { ...shared, queryPrefix };
    const base = `${baseOf(config.url, 'dense retrieval', /\/(?:v1\/?)?(?:embeddings\/?)?$/)}/v1`;
    const headers = options.key === undefined ? {} : { authorization: `Bearer ${options.key}` };
    const { key, now } = options;
    this.#client = new JsonClient(base, config, {
      now,
      headers,
      faultOf: ({ message, ...failure }) =>
        retrieverFault({
          ...failure,
          message: key === undefined ? message : message.replaceAll(key, '[secret]'),
        }),
    });
  }

  documents(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { documentPrefix, characters } = this.#config;
    return this.#embed(
      texts.map((text) => `${documentPrefix}${text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')}`),
      signal,
    );
  }

  async queries(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { queryPrefix, cached } = this.#config;
    const found = new Map(
      texts.flatMap((text) => {
        const vector = this.#known.get(text);
        return vector === undefined ? [] : [[text, vector] as const];
      }),
    );
    const missing = [...new Set(texts)].filter((text) => !found.has(text));
    const made = await this.#embed(
      missing.map((text) => `${queryPrefix}${text}`),
      signal,
    );
    for (const [index, text] of missing.entries()) found.set(text, made[index] as Float32Array);
    for (const [text, vector] of found) {
      this.#known.delete(text);
      this.#known.set(text, vector);
    }
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= cached) break;
      this.#known.delete(oldest);
    }
    return texts.map((text) => found.get(text) as Float32Array);
  }

  expect(dimensions: number): void {
    this.#dimensions = dimensions;
  }

  async close(): Promise<void> {
    this.#known.clear();
    await this.#client.close();
  }

  async #embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { batch } = this.#config;
    const batches = Array.from({ length: Math.ceil(texts.length / batch) }, (_, at) =>
      texts.slice(at * batch, (at + 1) * batch),
    );
    return (await Promise.all(batches.map((part) => this.#ask(part, signal)))).flat();
  }

  async #ask(input: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { model, dimensions } = this.#config;
    const body = {
      model,
      input,
      encoding_format: 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
    };
    const { data } = await this.#client.post(path, body, answerSchema, signal);
    if (data.length !== input.length)
      throw this.#client.shape(path, `it has ${data.length} vectors for ${input.length} texts`);
    const vectors = Array.from<Float32Array | undefined>({ length: input.length });
    for (const [place, { index = place, embedding }] of data.entries()) {
      if (index >= vectors.length || vectors[index] !== undefined)
        throw this.#client.shape(path, `the index ${index} is repeated or too high`);
      vectors[index] = this.#vector(embedding, index);
    }
    return vectors.filter((vector) => vector !== undefined);
  }

  #vector(embedding: readonly unknown[], index: number): Float32Array {
    const vector = unitVector(embedding);
    if (typeof vector === 'string') throw this.#client.shape(path, `vector ${index} ${vector}`);
    this.#dimensions ??= vector.length;
    if (vector.length === this.#dimensions) return vector;
    throw this.#client.shape(
      path,
      `vector ${index} has ${vector.length} numbers, and ${this.#dimensions} are expected`,
    );
  }
}
