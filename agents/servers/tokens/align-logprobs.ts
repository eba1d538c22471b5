/** A token and the probability that it was drawn with. */
export interface Drawn {
  readonly id: number;
  readonly prob: number;
}

/**
 * The log-probability of each token, where probabilities are given of some of them in their order; undefined where they are of others. Where
 * a token stands several times they can go to several places: it is told where the first and the last way of putting them agree, null else.
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

/** Where each of the ids stands first behind the one before it; undefined where one does not. */
function placesOf(ids: readonly number[], tokens: readonly number[]): readonly number[] | undefined {
  const places: number[] = [];
  for (const id of ids) {
    const place = tokens.indexOf(id, (places.at(-1) ?? -1) + 1);
    if (place < 0) return undefined;
    places.push(place);
  }
  return places;
}
