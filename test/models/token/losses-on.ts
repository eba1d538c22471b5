import { openBackend } from '../../../models/backend/open-backend.ts';
import type { BackendName } from '../../../models/backend/backend.ts';
import { openTokenModel } from '../../../models/token/open-token-model.ts';
import type { TokenObjectiveInput } from '../../../models/token/token-objective.ts';
import { goldenFolder } from './golden-model.ts';
import { randomTraining } from './random-tokens.ts';

/** Supervised and reinforcement learning as they come. */
export const learningKinds: Readonly<Record<'sft' | 'rl', TokenObjectiveInput>> = {
  sft: { kind: 'imitate' },
  rl: {
    kind: 'policy',
    low: 0.2,
    high: 0.28,
    dualClip: 3,
    klWeight: 0.05,
    entropyWeight: 0.01,
    importanceCap: 2,
  },
};

/** The losses of that many updates on one sequence of batches, the same for every backend. */
export async function lossesOn(
  backendName: BackendName,
  kind: keyof typeof learningKinds,
  updates: number,
): Promise<readonly number[]> {
  const model = await openTokenModel({
    backend: await openBackend(backendName),
    folder: goldenFolder('qwen3'),
  });
  const { signal } = new AbortController();
  const losses: number[] = [];
  for (let update = 0; update < updates; update += 1) {
    const training = randomTraining(update % 4, { rows: 6, vocabulary: 300 }); // what comes again is learnt
    losses.push((await model.accumulate(training, learningKinds[kind], signal)).loss);
    await model.apply({ learningRate: 3e-3, maxGradNorm: 1, weightDecay: 0.01 });
  }
  await model.dispose();
  return losses;
}
