import type { BenchColumn } from '../core/presets.ts';

/** What a benchmark costs: turns, time, tokens. */
export const costColumns: readonly BenchColumn[] = [{ kind: 'turns' }, { kind: 'time' }, { kind: 'tokens' }];

/** A column of success for each family, in this order; the titles by family. */
export const familyColumns = (titles: Readonly<Record<string, string>>): readonly BenchColumn[] =>
  Object.entries(titles).map(([family, title]) => ({ kind: 'family', family, title }));
