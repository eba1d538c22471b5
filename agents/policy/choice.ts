import { RunError, UsageError } from '../../envs/core/errors.ts';
import { featureReaderOf } from '../../envs/core/features.ts';
import type { Textual } from '../../envs/core/textual.ts';
import { admissibleActions } from './admissible.ts';
import { mostOthers, type Agent } from '../core/agent.ts';
import { drawCategorical, greatestIndex, otherItems, type Draw } from './categorical.ts';
import type { ChoiceSampler } from '../core/choice-sampler.ts';

/**
 * How to choose from logits: sampled from softmax(logits / temperature), or the greatest, the first one on a
 * tie.
 */
export type ChoiceMode =
  | { readonly kind: 'sampled'; readonly temperature: number }
  | { readonly kind: 'greedy' };

/**
 * Chooses among the admissible actions by a model's logits over their texts. The recorded log-probability is
 * that of the distribution that was sampled from: temperature included, and 0 for a greedy choice, which is
 * deterministic.
 */
export function createChoiceAgent<Obs, Act>(options: {
  readonly id: string;
  readonly sampler: ChoiceSampler;
  readonly text: Textual<Obs, Act>;
  readonly mode: ChoiceMode;
}): Agent<Obs, Act> {
  const { id, sampler, text, mode } = options;
  assertMode(mode, id);
  const reader = featureReaderOf(text);
  return {
    id,
    begin: ({ instruction }) => {
      const session = sampler.begin(instruction);
      return {
        act: async (turn, context) => {
          const admissible = admissibleActions(turn, id);
          const candidates = admissible.map((action) => spoken(text.action(action), 'text.action', context));
          const { logits, version } = await session.score(
            spoken(text.observation(turn.observation), 'text.observation', context),
            candidates,
            context.signal,
            reader?.read(turn.observation, candidates, context.path),
          );
          assertLogits(logits, candidates.length, `agent ${id} in ${context.path}`);
          const { index, logprob } = choose(logits, mode, () => context.rng.uniform());
          session.took(index);
          return {
            reply: { kind: 'action', action: admissible[index] as Act },
            decision: {
              kind: 'choice',
              candidates,
              index,
              logprob,
              others: otherItems(logits, {
                chosen: index,
                temperature: mode.kind === 'greedy' ? 1 : mode.temperature,
                count: mostOthers,
              }),
            },
            policyVersion: version,
          };
        },
      };
    },
  };
}

/** The env's text. A user's env may return anything here, and that is not a fault of the sampler. */
function spoken(said: unknown, call: string, { path }: { readonly path: string }): string {
  if (typeof said === 'string') return said;
  throw new UsageError({
    where: `${call} of the env in ${path}`,
    what: `it returned ${said === null ? 'null' : `a ${typeof said}`} instead of text.`,
    fix: 'Fix the environment: it must return strings.',
  });
}

function choose(logits: Float32Array, mode: ChoiceMode, uniform: () => number): Draw {
  return mode.kind === 'greedy'
    ? { index: greatestIndex(logits), logprob: 0 }
    : drawCategorical(logits, mode.temperature, uniform());
}

function assertMode(mode: ChoiceMode, id: string): void {
  if (mode.kind === 'greedy' || (Number.isFinite(mode.temperature) && mode.temperature > 0)) return;
  throw new UsageError({
    where: `temperature of agent ${id}`,
    what: `${mode.temperature} is invalid.`,
    fix: 'It must be a number above 0. Use the greedy mode for no randomness.',
  });
}

function assertLogits(logits: Float32Array, candidates: number, where: string): void {
  if (logits.length !== candidates) {
    throw new RunError({
      where,
      what: `the model gave ${logits.length} logits for ${candidates} candidates.`,
      fix: 'Fix the sampler: it must return one number for each candidate, in their order.',
    });
  }
  let wrong = 0;
  // a callback for each would cost more than the draw
  while (wrong < logits.length && Number.isFinite(logits[wrong])) wrong += 1;
  if (wrong === logits.length) return;
  throw new RunError({
    where,
    what: `logit ${wrong} of ${candidates} is ${logits[wrong]}.`,
    fix: 'The weights have diverged. Return to an earlier checkpoint and lower the learning rate.',
  });
}
