import { report } from './measure-search.ts';

// One small catalogue and one of middling size: to index, store, load and search them.
await report('indexing and searching 1,000 and 100,000 texts on one core', [1_000, 100_000]);
