/**
 * The weights of a choice network. With E the embedding, row r of decision b scores
 * `output . relu(hidden^T relu(sum of E over state b + sum of E over candidate r + embeddingBias) + hiddenBias)`.
 * A bias on the score itself would cancel in every softmax.
 */
export type ChoiceWeights<T> = {
  readonly embedding: T; // (buckets, width)
  readonly embeddingBias: T; // (1, width)
  readonly hidden: T; // (width, hidden)
  readonly hiddenBias: T; // (1, hidden)
  readonly output: T; // (1, hidden)
};

/** The names of the weights, in the order in which they are stored. */
export const weightNames = [
  'embedding',
  'embeddingBias',
  'hidden',
  'hiddenBias',
  'output',
] as const satisfies readonly (keyof ChoiceWeights<unknown>)[];
export type WeightName = (typeof weightNames)[number];

/** The shape of each weight. */
export function weightShapes(config: {
  readonly buckets: number;
  readonly width: number;
  readonly hidden: number;
}): ChoiceWeights<[number, number]> {
  const { buckets, width, hidden } = config;
  return {
    embedding: [buckets, width],
    embeddingBias: [1, width],
    hidden: [width, hidden],
    hiddenBias: [1, hidden],
    output: [1, hidden],
  };
}

/** One value for each weight. */
export function mapWeights<T>(make: (name: WeightName) => T): ChoiceWeights<T> {
  return {
    embedding: make('embedding'),
    embeddingBias: make('embeddingBias'),
    hidden: make('hidden'),
    hiddenBias: make('hiddenBias'),
    output: make('output'),
  };
}
