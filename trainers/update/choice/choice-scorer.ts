import type { ChoiceSampler, ChoiceSession, Scores } from '../../../agents/core/choice-sampler.ts';
import type { Trajectory } from '../../../agents/rollout/trajectory.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { FeatureReader } from '../../../envs/core/features.ts';
import type { ChoiceModel } from '../../../models/choice/choice-model.ts';
import { EpisodeMemory } from '../../../models/encode/choice-encoder.ts';
import { ChoiceRows } from '../../../models/encode/choice-rows.ts';
import { DeclaredFeatures, DeclaredTables } from '../../../models/encode/declared/declared-features.ts';
import { Surroundings } from '../../../models/encode/surroundings.ts';
import { rememberWords } from '../../../models/encode/task-match.ts';
import { Reader } from '../../../models/encode/text.ts';

interface Request {
  readonly candidates: number;
  readonly resolve: (scores: Scores) => void;
  readonly reject: (reason: unknown) => void;
}

/** How the turns of an env are read. */
export interface TurnReader {
  words(observation: unknown): string;
  /** Undefined where the env declares nothing beside its words. */
  readonly features?: FeatureReader<unknown, unknown> | undefined;
}

/**
 * A choice model as rollouts see it: it encodes what each episode has seen and done, and answers the requests of all live
 * episodes with one forward pass.
 */
export class ChoiceScorer implements ChoiceSampler {
  readonly model: ChoiceModel;
  readonly #reader = new Reader();
  readonly #words = rememberWords();
  readonly #tables = new DeclaredTables();
  readonly #rows: ChoiceRows;
  #waiting: Request[] = [];

  constructor(model: ChoiceModel) {
    this.model = model;
    this.#rows = new ChoiceRows(model.config.buckets);
  }

  begin(instruction: string): ChoiceSession {
    const memory = this.#remember(instruction);
    return {
      score: (observation, candidates, signal, turn) => {
        signal.throwIfAborted();
        memory.encode(observation, candidates, this.#rows, turn);
        return this.#request(candidates.length);
      },
      took: (index) => memory.took(index),
    };
  }

  /** Adds the decisions of a stored trajectory to `rows`, encoded as they were when it was played. */
  encodeTrajectory(trajectory: Trajectory, reader: TurnReader, rows: ChoiceRows): void {
    const memory = this.#remember(trajectory.instruction);
    for (const [index, step] of trajectory.steps.entries()) {
      if (step.decision?.kind !== 'choice') throw notAChoice(trajectory, index);
      const { candidates } = step.decision;
      const turn = reader.features?.read(step.observation, candidates, trajectory.path);
      memory.encode(reader.words(step.observation), candidates, rows, turn);
      memory.took(step.decision.index);
    }
  }

  #remember(instruction: string): EpisodeMemory {
    const surroundings =
      this.model.config.surroundings === true ? new Surroundings(instruction, this.#words) : undefined;
    const declared = new DeclaredFeatures(this.#tables);
    return new EpisodeMemory(instruction, this.#reader, { surroundings, declared });
  }

  #request(candidates: number): Promise<Scores> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ candidates, resolve, reject });
      // By the next turn of the event loop every live episode that can ask has asked.
      if (this.#waiting.length === 1) setImmediate(() => void this.#answer());
    });
  }

  async #answer(): Promise<void> {
    const waiting = this.#waiting;
    const batch = this.#rows.pack();
    this.#waiting = [];
    this.#rows.clear();
    try {
      const { logits, version } = await this.model.score(batch);
      let from = 0;
      for (const { candidates, resolve } of waiting) {
        resolve({ logits: logits.subarray(from, from + candidates), version });
        from += candidates;
      }
    } catch (thrown) {
      for (const { reject } of waiting) reject(thrown);
    }
  }
}

function notAChoice(trajectory: Trajectory, index: number): UsageError {
  return new UsageError({
    where: `step ${index + 1} of trajectory ${trajectory.path}`,
    what: 'it holds no choice among listed actions, so a choice policy cannot learn from it.',
    fix: 'Train a choice policy on trajectories that a choice agent or an expert with admissible actions played.',
  });
}
