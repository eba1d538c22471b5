/** The narrow port through which a choice agent reaches a model. Trainers implement it; agents never import trainers. */
export interface ChoiceSampler {
  /** A memory for one episode. */
  begin(instruction: string): ChoiceSession;
}

/** One episode's memory of what was seen and done. */
export interface ChoiceSession {
  /** Requests of all live episodes are answered by one batched forward pass. */
  score(observation: string, candidates: readonly string[], signal: AbortSignal): Promise<Scores>;
  /** Writes down which candidate of the last request was taken. */
  took(index: number): void;
}

export interface Scores {
  /** One number for each candidate, before temperature and softmax. */
  readonly logits: Float32Array; // (candidates)
  /** Of the weights that gave them; it goes up by one with each update. */
  readonly version: number;
}
