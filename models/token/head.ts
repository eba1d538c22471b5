import type { Tensor2D } from '@tensorflow/tfjs-core';
import type { Bags } from '../kernels/bag.ts';
import { embed, embedGradient } from './operations/embed.ts';
import { product } from './operations/product.ts';
import type { ScoreSlopes, TokenScores } from './operations/score-rows.ts';
import { scoreTokens, scoreTokensGradient, type ScoredPlaces } from './operations/score-tokens.ts';
import type { HeadGradient, Transformer } from './network.ts';
import { outputName, tensorNamed } from './weight-layout.ts';

/** The places whose hidden states are turned into distributions, and the token that each is asked about. */
export interface WantedTokens {
  /** Places among the packed tokens, at least one: the target of a place is most often the token after it. */
  readonly places: Int32Array; // (R)
  readonly targets: Int32Array; // (R)
  /** Logits are divided by it. */
  readonly temperature: number;
  /** For each place the tokens that alone may stand there, its target among them; none where any may. */
  readonly allowed?: Bags; // (R) bags of token ids
}

/** Logits of the token after each of those places, at least one: (T, width) to (R, V). */
export function logitsAt(model: Transformer, hidden: Tensor2D, places: Int32Array): Tensor2D {
  const name = outputName(model.config);
  return product(embed(hidden, places), tensorNamed(model.weights, name), model.turned?.[name]);
}

/** Log-probabilities of the targets, and entropies, of those places alone. */
export function scoreHidden(model: Transformer, hidden: Tensor2D, wanted: WantedTokens): TokenScores {
  return scoreTokens(placesOf(model, hidden, wanted));
}

/** The gradient of {@link scoreHidden}, by the table only where weights are trained. */
export function scoreHiddenGradient(
  model: Transformer,
  hidden: Tensor2D, // (T, width)
  wanted: WantedTokens,
  scored: { readonly scores: TokenScores; readonly slopes: ScoreSlopes },
): HeadGradient {
  const over = scoreTokensGradient(placesOf(model, hidden, wanted), scored.scores, scored.slopes, {
    byTable: model.adapter === undefined,
  });
  return { hidden: embedGradient(over.hidden, wanted.places, hidden.shape[0]), table: over.table };
}

function placesOf(model: Transformer, hidden: Tensor2D, { places, ...wanted }: WantedTokens): ScoredPlaces {
  return {
    hidden: embed(hidden, places),
    table: tensorNamed(model.weights, outputName(model.config)),
    ...wanted,
  };
}
