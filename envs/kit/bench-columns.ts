import type { BenchColumn } from '../core/presets.ts';

/** The columns for the cost of a benchmark: turns, time, tokens. */
export const costColumns: readonly BenchColumn[] = [{ kind: 'turns' }, { kind: 'time' }, { kind: 'tokens' }];

/** One success column per family, in the order of `titles`, which maps families to titles. */
export const familyColumns = (titles: Readonly<Record<string, string>>): readonly BenchColumn[] =>
  Object.entries(titles).map(([family, title]) => ({ kind: 'family', family, title }));
