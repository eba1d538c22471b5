/** What of a run can be exported, a row each. */
export const rowKinds = ['metrics', 'timings', 'results', 'episodes', 'steps', 'chat', 'token-rows'] as const;

export type RowKind = (typeof rowKinds)[number];

/** Kinds that are made of stored episodes. */
export type EpisodeKind = Extract<RowKind, 'episodes' | 'steps' | 'chat' | 'token-rows'>;

export type Row = Readonly<Record<string, unknown>>;
