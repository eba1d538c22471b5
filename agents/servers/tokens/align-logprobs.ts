/** A token and its sampling probability. */
export interface Drawn {
  readonly id: number;
  readonly prob: number;
}

/**
 * Aligns probabilities that a server gives for only some tokens, in order. Undefined if they belong to other
 * tokens. If a token occurs several times, its probability may belong to several positions. It is used if the
 * first and the last possible alignment agree, otherwise the result is null there.
 */
export function alignLogprobs(
  tokens: readonly number[],
  drawn: readonly Drawn[],
): readonly (number | null)[] | undefined {
  const ids = drawn.map(({ id }) => id);
  const first = placesOf(ids, tokens);
  const last = placesOf(ids.toReversed(), tokens.toReversed())
    ?.map((place) => tokens.length - 1 - place)
    .toReversed();
  if (first === undefined || last === undefined) return undefined;
  const logprobs = Array.from<unknown, number | null>(tokens, () => null);
  for (const [at, place] of first.entries())
    if (last[at] === place) logprobs[place] = Math.log(drawn[at]?.prob ?? Number.NaN);
  return logprobs;
}

/** Greedy positions: each id at its first occurrence after the previous one; undefined if one is missing. */
function placesOf(ids: readonly number[], tokens: readonly number[]): readonly number[] | undefined {
  const places: number[] = [];
  for (const id of ids) {
    const place = tokens.indexOf(id, (places.at(-1) ?? -1) + 1);
    if (place < 0) return undefined;
    places.push(place);
  }
  return places;
}
