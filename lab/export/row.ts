/** What of a run can be exported, a row each. */
export const rowKinds = ['metrics', 'timings', 'results', 'episodes', 'steps', 'chat', 'token-rows'] as const;

export type RowKind = (typeof rowKinds)[number];

/** Kinds that are made of stored episodes. */
export type EpisodeKind = Extract<RowKind, 'episodes' | 'steps' | 'chat' | 'token-rows'>;

export type Row = Readonly<Record<string, unknown>>;

/**
 * The row without halves of surrogate pairs, each of which becomes U+FFFD: they stand for no character, JSON spells them `\ud83d`, and
 * readers such as pyarrow's refuse the whole file for one.
 */
export const wellFormedRow = (row: object): Row =>
  Object.fromEntries(Object.entries(row).map(([name, item]) => [wellFormedText(name), wellFormed(item)]));

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (Array.isArray(value)) return value.map(wellFormed);
  return typeof value === 'object' && value !== null ? wellFormedRow(value) : value;
}

const wellFormedText = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');
