import { describe, expect, it } from 'vitest';
import { LruCache } from '../../../envs/kit/lru-cache.ts';

describe('LruCache', () => {
  it('creates a value once while it is kept, and drops the least recently used key', () => {
    const made: string[] = [];
    const cache = new LruCache<string, string>(2);
    const get = (key: string): string => cache.get(key, () => (made.push(key), key.toUpperCase()));
    expect(['a', 'b', 'a', 'c'].map(get)).toEqual(['A', 'B', 'A', 'C']); // c takes the place of b
    expect(made).toEqual(['a', 'b', 'c']);
    expect(['a', 'c', 'b'].map(get)).toEqual(['A', 'C', 'B']);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps nothing after clear', () => {
    let made = 0;
    const cache = new LruCache<string, number>(8);
    cache.get('a', () => (made += 1));
    cache.clear();
    expect(cache.get('a', () => (made += 1))).toBe(2);
  });
});
