// Slow: loads TensorFlow's library, which `npm run provision -- tensorflow` builds.
import { expect, test } from 'vitest';
import {
  composedAttention,
  composedAttentionGradient,
} from '../../models/token/operations/composed-attention.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { describeWithParts } from '../support/system-part.ts';
import { choiceContract } from './choice-contract.ts';
import { composedKernels, kernelContract } from './kernel-contract.ts';
import { attentionContract } from './token/attention-contract.ts';
import { lossesOn } from './token/losses-on.ts';
import { networkContract } from './token/network-contract.ts';
import { operationsContract } from './token/operations-contract.ts';
import { expectNear } from './token/tensor-checks.ts';
import { tokenModelContract } from './token/token-model-contract.ts';

const parts = ['tensorflow'];
const backend = 'tensorflow';
/** As a GPU computes it. */
const composedAttentions = { attention: composedAttention, attentionGradient: composedAttentionGradient };

await describeWithParts(parts, 'kernels on tensorflow', () => kernelContract({ backend }));
await describeWithParts(parts, 'operations composed of TensorFlow.js ones on tensorflow', () =>
  kernelContract({ backend, kernels: composedKernels }),
);
await describeWithParts(parts, 'choice model on tensorflow', () =>
  choiceContract({ backend, tolerance: 4e-6, exact: false }),
);
await describeWithParts(parts, 'transformer operations on tensorflow', () =>
  operationsContract({ backend, runs: 10 }),
);
await describeWithParts(parts, 'transformer on tensorflow', () => networkContract({ backend, runs: 4 }));
await describeWithParts(parts, 'attention on tensorflow', () =>
  attentionContract({ backend, runs: 5, differentiatesCaches: true }),
);
await describeWithParts(parts, 'attention composed of TensorFlow.js operations on tensorflow', () =>
  attentionContract({ backend, runs: 2, kernels: composedAttentions, differentiatesCaches: false }),
);
await describeWithParts(parts, 'token model on tensorflow', () => {
  tokenModelContract({ backend, exact: false, families: ['qwen3'], updates: 4, thorough: false });

  test.each(['sft', 'rl'] as const)('agrees with cpu on every loss of 20 updates: %s', async (kind) => {
    expectNear(await lossesOn(backend, kind, 20), await lossesOn('cpu', kind, 20), 1e-3);
  });
});
await describeWithParts(parts, 'backend tensorflow', () => {
  test('says where it computes', async () => {
    expect((await openBackend(backend)).why).toMatch(/on the processor|on an NVIDIA GPU/);
  });
});
