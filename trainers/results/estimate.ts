import { z } from 'zod';

/** A share of something, from 0 to 1, and its interval (95 % unless its place says otherwise). */
export const rateEstimateSchema = z.strictObject({
  rate: z.number().min(0).max(1),
  low: z.number().min(0).max(1),
  high: z.number().min(0).max(1),
});
export type RateEstimate = Readonly<z.output<typeof rateEstimateSchema>>;

/** A mean and its interval. */
const meanEstimateSchema = z.strictObject({ mean: z.number(), low: z.number(), high: z.number() });
export type MeanEstimate = Readonly<z.output<typeof meanEstimateSchema>>;

/** A mean score and its interval. The bounds are absent if unknown, as with a single task. */
export const scoreEstimateSchema = meanEstimateSchema.partial({ low: true, high: true });
export type ScoreEstimate = Readonly<z.output<typeof scoreEstimateSchema>>;

/**
 * How an agent turned its distribution into actions; `none` for agents without one, `server` if a server
 * decides.
 */
export const decodingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('greedy') }),
  z.strictObject({
    kind: z.literal('sampled'),
    temperature: z.number().positive(),
    /** For language models: sample from this many most likely tokens, */
    topK: z.int().min(1).optional(),
    /** from the smallest set of most likely tokens with this probability in all, */
    topP: z.number().positive().max(1).optional(),
    /** and from tokens whose probability is at least this share of the most likely one's. */
    minP: z.number().min(0).max(1).optional(),
  }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('server') }),
]);
export type Decoding = Readonly<z.output<typeof decodingSchema>>;

/** The decodings of a policy of ours. */
export type PolicyDecoding = Extract<Decoding, { readonly kind: 'greedy' | 'sampled' }>;

/** The decoding as tables print it. */
export function describeDecoding(decoding: Decoding): string {
  if (decoding.kind === 'server') return 'as the server is set';
  if (decoding.kind !== 'sampled') return decoding.kind;
  const filters = [
    ['top-k', decoding.topK],
    ['top-p', decoding.topP],
    ['min-p', decoding.minP],
  ] as const;
  return [
    `sampled at ${decoding.temperature}`,
    ...filters.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])),
  ].join(', ');
}

/** `sha256:` and 64 hexadecimal digits, as panels carry it. */
export const fingerprintSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits');
