import { LruCache } from '../kit/lru-cache.ts';

/** Rows of a seed, made once: hosts that share them share their validation and their indices too. */
export function rememberRows<Rows>(make: (seed: number) => Rows): (seed: number) => Rows {
  const rows = new LruCache<number, Rows>(2);
  return (seed) => rows.get(seed, () => make(seed));
}
