import { dispose, tensor2d } from '@tensorflow/tfjs-core';
import type { TensorBackend } from '../../backend/backend.ts';
import { scoreHidden, scoreHiddenGradient, type WantedTokens } from '../head.ts';
import { backward, forward, type Transformer } from '../network.ts';
import type { ScoreSlopes } from '../operations/score-rows.ts';
import { packRows, type PackedTokens } from '../packed-tokens.ts';
import { selectRows, type TokenBatch } from '../token-batch.ts';
import { TokenLoss, type TokenValues } from '../token-loss.ts';
import { referenceOf } from '../token-parameters.ts';
import type { NamedTensors } from '../weight-layout.ts';
import type { LearnedPass, LearnJob, ScoreJob } from './passes.ts';

/** A transformer that is trained, as it is at the moment, and the backend that it is on. */
export interface PassComputer {
  readonly backend: TensorBackend;
  readonly transformer: Transformer;
  /** What was kept of it as the reference. */
  readonly reference: NamedTensors | undefined;
}

/** Log-probabilities of the scored tokens of these rows, in one pass. */
export async function scorePass(
  { backend, transformer, reference }: PassComputer,
  { batch, temperature, whose }: ScoreJob,
  rows: Int32Array,
): Promise<Float32Array> {
  const model = whose === 'trained' ? transformer : referenceOf(transformer, reference);
  const { packed, wanted } = inputsOf(selectRows(batch, rows).batch, temperature);
  const logprob = backend.run(
    () => scoreHidden(model, forward(model, packed, { recompute: true }).hidden, wanted).logprob,
  );
  try {
    return await backend.read(logprob);
  } finally {
    logprob.dispose();
  }
}

/** What these rows add to loss and gradient, in one pass. */
export async function learnPass(
  { backend, transformer }: PassComputer,
  { training, objective, recompute, name }: LearnJob,
  rows: Int32Array,
): Promise<LearnedPass> {
  const loss = new TokenLoss(training, objective, name);
  const { packed, wanted } = inputsOf(selectRows(training, rows).batch, objective.temperature);
  const made = backend.run(() => {
    const passed = forward(transformer, packed, { recompute });
    return { ...passed, scores: scoreHidden(transformer, passed.hidden, wanted) };
  });
  try {
    const { sums, slopes } = loss.of(rows, {
      logprob: await backend.read(made.scores.logprob),
      entropy: await backend.read(made.scores.entropy),
    });
    if (![slopes.logprob, slopes.entropy].some((values) => values.some((slope) => slope !== 0)))
      return { sums, gradient: undefined };
    const gradient = backend.run(() => {
      const head = scoreHiddenGradient(transformer, made.hidden, wanted, {
        scores: made.scores,
        slopes: columnsOf(slopes),
      });
      return { ...backward(transformer, packed, made.activations, head) }; // the copy has a type that tensors are looked for in
    });
    return { sums, gradient };
  } finally {
    dispose(made);
  }
}

/** What a pass computes with: each scored token is asked about at the place before it. */
function inputsOf(
  { tokens, rowStart, scored, allowed }: TokenBatch,
  temperature: number,
): { readonly packed: PackedTokens; readonly wanted: WantedTokens } {
  const rows = Array.from({ length: rowStart.length - 1 }, (_, row) =>
    tokens.subarray(rowStart[row], rowStart[row + 1]),
  );
  const wanted = {
    places: scored.map((place) => place - 1),
    targets: scored.map((place) => tokens[place] as number),
    temperature,
    ...(allowed === undefined ? {} : { allowed }),
  };
  return { packed: packRows(rows), wanted };
}

function columnsOf({ logprob, entropy }: TokenValues): ScoreSlopes {
  return { logprob: tensor2d(logprob, [logprob.length, 1]), entropy: tensor2d(entropy, [entropy.length, 1]) };
}
