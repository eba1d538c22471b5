import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import { formatBytes } from '../../../files/free-space.ts';
import type { TransformerConfig } from '../transformer-config.ts';
import type { Precision } from '../weight-layout.ts';

const gibibyte = 2 ** 30;

/** How much is generated at once, and with how much memory. */
export const generationSettingsSchema = z
  .strictObject({
    /** Tokens that a prompt and what is written behind it may have together. */
    contextLength: z.int().min(2),
    /** Episodes whose keys and values are held at once; others wait. */
    slots: z.int().min(1).default(32),
    /** Tokens of one forward pass, so that a long prompt does not hold up those that write. */
    tokensPerPass: z.int().min(1).default(256),
    /** What all keys and values may take. */
    cacheBytes: z.number().positive().default(gibibyte),
    /** What becomes of keys and values of earlier weights when a prompt goes on behind them. Within a reply they are always kept. */
    onNewWeights: z.enum(['recompute', 'keep']).default('recompute'),
  })
  .refine(({ slots, tokensPerPass }) => tokensPerPass >= slots, {
    path: ['tokensPerPass'],
    message: 'must be at least slots: each that writes has a token in every pass',
  });
export type GenerationSettings = z.output<typeof generationSettingsSchema>;
export type GenerationSettingsInput = z.input<typeof generationSettingsSchema>;

/** Bytes of the keys and values of one slot. */
export function slotBytes(
  { layers, keyValueHeads, headSize }: TransformerConfig,
  contextLength: number,
  precision: Precision = 'float32',
): number {
  const bytes = precision === 'bf16' ? 2 : Float32Array.BYTES_PER_ELEMENT;
  return 2 * layers * keyValueHeads * headSize * contextLength * bytes;
}

/** Refuses settings that the model cannot serve, before anything is allocated. */
export function assertFitsModel(
  { contextLength, slots, cacheBytes }: GenerationSettings,
  config: TransformerConfig,
  precision: Precision = 'float32',
): void {
  if (contextLength > config.longestContext) {
    throw new UsageError({
      where: 'contextLength',
      what: `${contextLength} tokens are more than the ${config.longestContext} that the model was made for.`,
      fix: `Give ${config.longestContext} or less.`,
    });
  }
  const each = slotBytes(config, contextLength, precision);
  if (slots * each <= cacheBytes) return;
  const fitting = Math.floor(cacheBytes / each);
  const shorter = Math.floor((cacheBytes / (slots * each)) * contextLength);
  const lower = fitting === 0 ? '' : `--slots ${fitting}, or `;
  throw new UsageError({
    where: 'memory of generation',
    what: `the keys and values of ${slots} episodes at once, with ${contextLength} tokens each, take ${formatBytes(slots * each)}, more than the ${formatBytes(cacheBytes)} at hand.`,
    fix: `Give ${lower}--context-length ${shorter} or less; in a training \`--with policy.slots\` or \`--with policy.contextLength\`.`,
  });
}
