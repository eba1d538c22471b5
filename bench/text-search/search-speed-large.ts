import { report } from './measure-search.ts';

// As many texts as WebShop has products: takes some two minutes and a gigabyte of memory.
await report('indexing and searching 1.18 million generated product texts on one core', [1_180_000]);
