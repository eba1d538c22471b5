import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { tokensOfShare } from '../../../models/token/micro-batches.ts';
import { slotBytes } from '../../../models/token/generate/generation-settings.ts';
import { trainedShapes } from '../../../models/token/token-parameters.ts';
import type { TransformerConfig } from '../../../models/token/transformer-config.ts';
import { bytesOfShapes, weightShapes, type Precision } from '../../../models/token/weight-layout.ts';
import { formatBytes } from '../../../files/free-space.ts';
import { capacityOf, type MemoryLimit } from '../memory-limit.ts';
import type { TokenPolicyConfig } from '../policy-config.ts';
import type { TrainingMemory, UpdateShape } from '../../update/policy.ts';

const bytesOfNumber = Float32Array.BYTES_PER_ELEMENT;
/** Logits that the head computes at once, and how many such arrays exist at a time. */
const headNumbers = { entries: 2 ** 24, arrays: 2 };

/** What determines the memory of training a language model. */
export interface TokenTrainingShape {
  readonly transformer: TransformerConfig;
  readonly policy: Pick<
    TokenPolicyConfig,
    'adapter' | 'tokensAtOnce' | 'recompute' | 'workers' | 'precision'
  > & {
    readonly slots: number;
  };
  readonly update: UpdateShape;
  readonly contextLength: number;
}

/** Bytes of the trained weights. */
export function trainedBytes({
  transformer,
  policy: { adapter },
}: Pick<TokenTrainingShape, 'transformer' | 'policy'>): number {
  return bytesOfShapes(trainedShapes({ config: transformer, lora: adapter }).values());
}

/** Bytes of all weights of the model. */
export const weightBytes = (transformer: TransformerConfig, precision?: Precision): number =>
  bytesOfShapes(weightShapes(transformer).values(), precision);

/** Bytes of a training's parts. */
interface Holdings extends TrainingMemory {
  /** Memory of one worker; 0 without workers. */
  readonly worker: number;
  /** Memory besides the workers. */
  readonly own: number;
}

/**
 * Approximate memory of such a training: weights and moments, plus the larger of an update of so many tokens
 * and the cache of the rollouts. Each worker has its own copy of the weights and of what a pass needs.
 * @param tokens of an update
 */
export function estimateTokenMemory(shape: TokenTrainingShape, tokens: number): Holdings {
  const { transformer, policy, update, contextLength } = shape;
  const { workers = 0, tokensAtOnce, slots } = policy;
  const trained = trainedBytes(shape);
  const weights = weightBytes(transformer, policy.precision) + (policy.adapter === undefined ? 0 : trained);
  const optimiser = 2 * trained;
  const ofPass = Math.min(
    tokens,
    workers === 0 ? tokensAtOnce : tokensOfShare({ tokens, longest: contextLength }, tokensAtOnce),
  );
  const batch = bytesOfNumber * numbersOfPass(transformer, policy, ofPass);
  const reference = update.klWeight > 0 ? trained : 0;
  const cache = slots * slotBytes(transformer, contextLength, policy.precision);
  const own = weights + optimiser + Math.max(2 * trained + (workers === 0 ? batch : 0), cache) + reference;
  const worker = workers === 0 ? 0 : weights + trained + batch + reference;
  return {
    weights,
    optimiser,
    gradient: trained,
    batch,
    reference: reference * (1 + workers),
    peak: own + workers * worker,
    worker,
    own,
  };
}

/** Numbers alive at the peak of the backward pass, without weights and their gradients. */
function numbersOfPass(
  transformer: TransformerConfig,
  { recompute }: Pick<TokenPolicyConfig, 'recompute'>,
  tokens: number,
): number {
  const { layers, width, heads, keyValueHeads, headSize, hiddenWidth, vocabulary, queryKeyNorm } =
    transformer;
  const [query, key, norms] = [heads * headSize, keyValueHeads * headSize, queryKeyNorm ? 1 : 0];
  // of a layer, besides its input
  const kept = 3 * width + (2 + norms) * query + (2 + norms) * key + heads + 2 * hiddenWidth;
  const beside = 4 * width + 2 * query + 2 * key + 4 * hiddenWidth; // gradients of the current layer
  const ofToken = layers * width + (recompute ? 1 : layers) * kept + beside + 2 * width;
  return (
    tokens * ofToken +
    headNumbers.arrays * Math.min(headNumbers.entries, tokens * vocabulary) +
    2 * vocabulary * width
  );
}

/** More need more memory, and few tasks have more episodes at a time. */
const usualSlots = 32;
/** Share of the memory that weights and caches may take; the passes take the rest. */
const cachedShare = 0.6;

/**
 * The number of episodes for which tokens are generated at once where the config names none: 32, or as many as fit beside the weights. At least
 * 1, which is refused later where it does not fit.
 * @param room.held bytes that are held beside the caches
 * @param room.episodes the most that are played at once, if known
 */
export function fittingSlots(
  {
    transformer,
    contextLength,
    precision,
  }: Pick<TokenTrainingShape, 'transformer' | 'contextLength'> & {
    readonly precision: Precision | undefined;
  },
  room: { readonly most: number; readonly held: number; readonly episodes?: number | undefined },
): number {
  const { most, held, episodes = usualSlots } = room;
  const fitting = Math.floor((cachedShare * most - held) / slotBytes(transformer, contextLength, precision));
  return Math.max(1, Math.min(usualSlots, episodes, fitting));
}

/** Tokens of all played episodes. */
export function tokensOf(groups: readonly TrajectoryGroup[]): number {
  let tokens = 0;
  for (const { members } of groups) {
    for (const { steps } of members) {
      for (const { decision } of steps) {
        if (decision?.kind === 'tokens')
          for (const { appended, sampled } of decision.spans) tokens += appended.length + sampled.length;
      }
    }
  }
  return tokens;
}

/**
 * Refuses a training that cannot fit into memory: arithmetic on the shapes, before anything is allocated.
 * @param tokens of an update, if known
 * @throws UsageError
 */
export function assertFitsTokenMemory(shape: TokenTrainingShape, limit: MemoryLimit, tokens = 1): void {
  const first = excessOf(estimateTokenMemory(shape, tokens), limit);
  if (first === undefined) return;
  throw new UsageError({
    where: 'training config, memory',
    what: `its tensors need at least ${formatBytes(first.need)} (the weights alone ${formatBytes(estimateTokenMemory(shape, 1).weights)}), and ${first.holder} at most ${formatBytes(first.most)}.`,
    fix: describeFix(
      shape,
      tokens,
      (changed) => excessOf(estimateTokenMemory(changed, tokens), limit) === undefined,
    ),
  });
}

/**
 * The excess over a limit: of one WebAssembly memory, or of the machine. For a graphics card only the weights
 * are known to pass through the machine's memory.
 */
function excessOf(
  { own, worker, peak, weights }: Holdings,
  limit: MemoryLimit,
): { readonly need: number; readonly most: number; readonly holder: string } | undefined {
  const onProcessor = limit.backend === 'wasm' || limit.backend === 'cpu';
  const needs = [
    { need: onProcessor ? Math.max(own, worker) : weights, ...capacityOf(limit) },
    { need: onProcessor ? peak : weights, most: limit.machine, holder: 'this machine has' },
  ];
  return needs.find(({ need, most }) => need > most);
}

function describeFix(
  shape: TokenTrainingShape,
  tokens: number,
  fits: (changed: TokenTrainingShape) => boolean,
): string {
  const { policy, contextLength } = shape;
  const halves = (from: number, least: number): readonly number[] =>
    Array.from({ length: 24 }, (_, index) => Math.floor(from / 2 ** (index + 1))).filter(
      (value) => value >= least,
    );
  const withPolicy = (changes: Partial<TokenTrainingShape['policy']>): TokenTrainingShape => ({
    ...shape,
    policy: { ...policy, ...changes },
  });
  const tokensAtOnce = halves(Math.min(policy.tokensAtOnce, tokens), contextLength).find((value) =>
    fits(withPolicy({ tokensAtOnce: value })),
  );
  const workers =
    policy.workers === undefined || policy.workers < 2
      ? undefined
      : halves(policy.workers, 1).find((value) => fits(withPolicy({ workers: value })));
  const slots = halves(policy.slots, 1).find((value) => fits(withPolicy({ slots: value })));
  const ways = [
    ...(tokensAtOnce === undefined ? [] : [`--with policy.tokensAtOnce=${tokensAtOnce}`]),
    ...(slots === undefined ? [] : [`--with policy.slots=${slots}`]),
    ...(workers === undefined ? [] : [`--with policy.workers=${workers}`]),
    ...(!policy.recompute && fits(withPolicy({ recompute: true })) ? ['--with policy.recompute=true'] : []),
    ...(policy.adapter === undefined &&
    fits(withPolicy({ adapter: { rank: 16, alpha: 32, targets: ['q_proj', 'v_proj'] } }))
      ? ['an adapter (--with policy.adapter.rank=16)']
      : []),
  ];
  if (ways.length === 0)
    return 'Use a smaller model, a backend with more memory, or a shorter context with an adapter and recompute: --with policy.contextLength=1024 --with policy.recompute=true --with policy.adapter.rank=16.';
  return `Any of these would fit: ${ways.join(', or ')}.`;
}
