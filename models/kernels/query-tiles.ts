import { tile } from './webgpu/tiles.ts';

/**
 * The first query of each tile that a GPU takes together, and behind them the number of all queries. A tile is of neighbours that begin to see at the same key: what is
 * walked through for it is what its queries see. With tiles that begin anywhere, those of many episodes would walk through all that lies between
 * their keys in the cache.
 */
export function queryTiles(from: Int32Array): Int32Array {
  const starts: number[] = [];
  for (let query = 0, start = 0; query < from.length; query += 1) {
    if (query > 0 && from[query] === from[query - 1] && query - start < tile) continue;
    starts.push(query);
    start = query;
  }
  starts.push(from.length);
  return Int32Array.from(starts);
}
