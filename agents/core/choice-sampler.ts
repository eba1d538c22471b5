import type { TurnFeatures } from '../../envs/core/features.ts';

/** How a choice agent reaches a model. Trainers implement it, so that agents never import trainers. */
export interface ChoiceSampler {
  /** Creates the memory of one episode. */
  begin(instruction: string): ChoiceSession;
}

/** The observations and actions of one episode. */
export interface ChoiceSession {
  /**
   * Scores the candidates. Requests of all live episodes share one batched forward pass. `turn` is what the env declares beside its
   * words, if anything.
   */
  score(
    observation: string,
    candidates: readonly string[],
    signal: AbortSignal,
    turn?: TurnFeatures,
  ): Promise<Scores>;
  /** Records which candidate of the last request was taken. */
  took(index: number): void;
}

export interface Scores {
  /** One logit for each candidate, before temperature and softmax. */
  readonly logits: Float32Array; // (candidates)
  /** Version of the weights that computed the logits. It increases by one with each update. */
  readonly version: number;
}
