import type { EnvBench, EnvRecipes } from '../core/presets.ts';
import { costColumns } from '../kit/bench-columns.ts';

/**
 * Shopping: a choice policy, cloned from five purchases of the searcher (one in each department), then
 * trained with GiGPO to find and buy the required product. It is sized for two cores and ten minutes.
 */
export const shopRecipes: EnvRecipes = {
  choice: [
    {
      settings: {
        finalPanels: ['test'],
        // No discount: only the purchase is paid, and a discount would punish a look at a second product
        // before it.
        credit: { kind: 'gigpo', gamma: 1 },
        // Results have numbers as names. Only the text around them describes them.
        policy: { surroundings: true },
        iterations: 80,
        warmStart: { episodes: 5, epochs: 60, batchSteps: 32 },
        // The pull towards the clone and the entropy keep it comparing until comparing pays. Without them it
        // soon buys the first product that it opens.
        update: { epochs: 2, batchSteps: 256, learningRate: 3e-3, klWeight: 0.05, entropyWeight: 0.05 },
      },
    },
  ],
};

/**
 * The columns of papers on WebShop: mean reward times 100, and the share of episodes with the whole reward.
 */
export const shopBench = {
  panels: ['test'],
  columns: [{ kind: 'score', title: 'Score' }, { kind: 'success', title: 'Success' }, ...costColumns],
  prompt: {
    by: 'observationMode',
    prompts: {
      text: 'shop-react',
      text_rich: 'shop-react-text-rich',
      html: 'shop-react-html',
      url: 'shop-react-url',
    },
  },
} as const satisfies EnvBench;
