import type { Agent } from '../../../agents/core/agent.ts';
import { createChoiceAgent } from '../../../agents/policy/choice.ts';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Rng } from '../../../envs/core/rng.ts';
import { featureReaderOf } from '../../../envs/core/features.ts';
import type { Textual } from '../../../envs/core/textual.ts';
import type { PolicyDecoding } from '../../results/estimate.ts';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import {
  createChoiceModel,
  createChoiceModelFrom,
  openChoiceModel,
  type ChoiceModel,
} from '../../../models/choice/choice-model.ts';
import { checkpointBytes, type ChoiceBatchSize } from '../../../models/choice/memory-estimate.ts';
import { memoryLimitOf } from '../memory-limit.ts';
import type { ChoicePolicyConfig } from '../policy-config.ts';
import type {
  CreditedGroups,
  Imitation,
  PlayingPolicy,
  PolicyTrait,
  TrainablePolicy,
  TrainingMemory,
  UpdateSettings,
  UpdateShape,
} from '../../update/policy.ts';
import { assertFitsMemory, estimateTrainingMemory } from './choice-memory.ts';
import { ChoiceScorer, type TurnReader } from '../../update/choice/choice-scorer.ts';
import { fingerprintEncoder } from '../../update/choice/fingerprint-encoder.ts';
import { imitateChoices } from '../../update/choice/imitate-choices.ts';
import { learnChoices } from '../../update/choice/learn-choices.ts';
import { packChoices, packDemonstrations } from '../../update/choice/pack-choices.ts';

type Text = Textual<unknown, unknown>;

/**
 * A choice policy with the weights that the config names, or with seeded random ones. @throws UsageError
 * before allocation if it cannot fit into memory
 */
export async function createChoicePolicy(options: {
  readonly config: ChoicePolicyConfig;
  readonly update: UpdateShape;
  readonly text: Text;
  readonly backend: TensorBackend;
  readonly rng: Rng;
}): Promise<ChoicePolicy> {
  const {
    config: { kind: _kind, model: folder, ...config },
    update,
    text,
    backend,
    rng,
  } = options;
  assertFitsMemory({ policy: config, update }, memoryLimitOf(backend.name));
  const model =
    folder === undefined
      ? createChoiceModel({ backend, config, rng })
      : await createChoiceModelFrom({ backend, config, folder });
  return new ChoicePolicy(model, text);
}

/** A saved choice policy, for playing: its optimiser is not read. */
export async function openChoicePolicy(options: {
  readonly folder: string;
  readonly text: Text;
  readonly backend: TensorBackend;
}): Promise<PlayingPolicy> {
  const { folder, text, backend } = options;
  return new ChoicePolicy(await openChoiceModel({ backend, folder, weightsOnly: true }), text);
}

/** Chooses among the admissible actions and remembers the whole episode. */
export class ChoicePolicy implements TrainablePolicy {
  readonly shown = { kind: 'choice', admissible: true, history: 'all steps' } as const;
  readonly notes: readonly string[] = [];
  readonly #model: ChoiceModel;
  readonly #scorer: ChoiceScorer;
  readonly #text: Text;
  readonly #reader: TurnReader;
  #reference: ChoiceModel | undefined;

  /** @param text text functions of the env; the policy disposes the model */
  constructor(model: ChoiceModel, text: Text) {
    this.#model = model;
    this.#scorer = new ChoiceScorer(model);
    this.#text = model.config.features === false ? wordsOnly(text) : text;
    this.#reader = {
      words: (observation) => text.observation(observation),
      features: featureReaderOf(this.#text),
    };
  }

  get version(): number {
    return this.#model.version;
  }

  get traits(): readonly PolicyTrait[] {
    return [
      {
        name: 'encoder',
        says: 'the encoder of observations',
        fingerprint: fingerprintEncoder(this.#scorer, this.#reader.features !== undefined),
      },
    ];
  }

  get checkpointBytes(): number {
    return checkpointBytes(this.#model.config);
  }

  agent(decoding: PolicyDecoding): Agent<unknown, unknown> {
    if (decoding.kind === 'sampled' && (decoding.topK ?? decoding.topP ?? decoding.minP) !== undefined) {
      throw new UsageError({
        where: 'decoding of a choice policy',
        what: 'topK, topP and minP apply to tokens, and this policy chooses whole actions.',
        fix: 'Remove them.',
      });
    }
    return createChoiceAgent({
      id: `choice-v${this.version}`,
      sampler: this.#scorer,
      text: this.#text,
      mode: decoding,
    });
  }

  async learn(
    played: CreditedGroups,
    settings: UpdateSettings,
    context: Context,
  ): Promise<Readonly<Record<string, number>>> {
    const packed = packChoices(
      { ...played, zeroAdvantage: settings.zeroAdvantage },
      this.#scorer,
      this.#reader,
    );
    return learnChoices({ model: this.#model, packed, settings, reference: this.#reference, context });
  }

  async imitate(demonstrations: readonly TrajectoryGroup[]): Promise<Imitation> {
    const packed = packDemonstrations(demonstrations, this.#scorer, this.#reader);
    return {
      pass: (settings, rng, pass) => imitateChoices({ model: this.#model, packed, settings, rng, pass }),
    };
  }

  async keepReference(): Promise<void> {
    const before = this.#reference;
    this.#reference = await this.#model.copy();
    await before?.dispose();
  }

  resetOptimiser(): Promise<void> {
    return this.#model.resetOptimiser();
  }

  save(folder: string): Promise<void> {
    return this.#model.save(folder);
  }

  load(folder: string): Promise<void> {
    return this.#model.load(folder);
  }

  assertFits(groups: readonly TrajectoryGroup[], update: UpdateShape): void {
    const sizes = { ...sizesOf(groups), features: 0 };
    assertFitsMemory(
      { policy: this.#model.config, update },
      memoryLimitOf(this.#model.backend.name),
      (batchSteps) => partOf(sizes, batchSteps),
    );
  }

  memoryOf(figures: Readonly<Record<string, number>>, update: UpdateShape): TrainingMemory {
    const learned = {
      decisions: figures['update/steps'] ?? 0,
      rows: figures['update/candidates'] ?? 0,
      features: figures['update/features'] ?? 0,
    };
    return estimateTrainingMemory({ policy: this.#model.config, update }, partOf(learned, update.batchSteps));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model.dispose();
    await this.#reference?.dispose();
  }
}

/** The env without what it declares beside its words. */
const wordsOnly = (text: Text): Text => ({
  observation: (observation) => text.observation(observation),
  action: (action) => text.action(action),
  parse: (words) => text.parse(words),
  ...(text.at === undefined ? {} : { at: text.at.bind(text) }),
});

/** Decisions and candidates of played episodes; their features are known once they are encoded. */
function sizesOf(groups: readonly TrajectoryGroup[]): Pick<ChoiceBatchSize, 'decisions' | 'rows'> {
  const choices = groups.flatMap(({ members }) =>
    members.flatMap(({ steps }) =>
      steps.flatMap(({ decision }) => (decision?.kind === 'choice' ? [decision.candidates.length] : [])),
    ),
  );
  return { decisions: choices.length, rows: choices.reduce((sum, candidates) => sum + candidates, 0) };
}

/** The average mini-batch of an iteration; the whole iteration if it has no more. */
function partOf({ decisions, rows, features }: ChoiceBatchSize, batchSteps: number): ChoiceBatchSize {
  const share = Math.min(1, batchSteps / Math.max(1, decisions));
  return {
    decisions: Math.min(decisions, batchSteps),
    rows: Math.round(share * rows),
    features: Math.round(share * features),
  };
}
