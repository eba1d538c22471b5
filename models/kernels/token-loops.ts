/** Rows to be normed: x (T, width), scale (width). */
export interface NormArrays {
  readonly x: Float32Array;
  readonly scale: Float32Array;
  readonly epsilon: number;
}

export interface GateArrays {
  readonly gating: Float32Array;
  readonly up: Float32Array;
}

export interface RotateArrays {
  readonly x: Float32Array; // (T, heads 2 pairs)
  readonly cos: Float32Array; // (T, pairs)
  readonly sin: Float32Array; // (T, pairs)
  readonly heads: number;
  readonly pairs: number;
}

/** Logits row by row, and the entry of each that is asked about. */
export interface LogitArrays {
  readonly logits: Float32Array; // (R, V)
  readonly targets: Int32Array; // (R)
  /** All logits are multiplied by it first: one over the temperature. */
  readonly factor: number;
}

export interface ScoreArrays {
  readonly logprob: Float32Array; // (R)
  readonly logSum: Float32Array; // (R)
  readonly entropy: Float32Array; // (R)
}

/** What the gradient by logits is worked out from, besides them. */
export interface ScoreSlopeArrays extends Pick<ScoreArrays, 'logSum' | 'entropy'> {
  readonly overLogprob: Float32Array; // (R)
  readonly overEntropy: Float32Array; // (R)
}

/** What a transformer computes besides products and attention. */
export interface TokenLoops {
  /** Each row over its root mean square, times the scale. */
  rmsNorm(given: NormArrays, out: Float32Array): void;
  rmsNormGradient(given: NormArrays, gradient: Float32Array, over: Pick<NormArrays, 'x' | 'scale'>): void;
  /** silu(gating) times up. */
  gate(given: GateArrays, out: Float32Array): void;
  gateGradient(given: GateArrays, gradient: Float32Array, over: GateArrays): void;
  /** Turns pairs of every head, which are number i of its first and of its second half. */
  rotate(given: RotateArrays, out: Float32Array): void;
  /** Log-probability of each row's target, log of the sum of exponentials, and entropy. */
  scoreRows(given: LogitArrays, made: ScoreArrays): void;
  scoreRowsGradient(given: LogitArrays, slopes: ScoreSlopeArrays, overLogits: Float32Array): void;
}
