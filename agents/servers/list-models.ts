import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { exchange } from './exchange.ts';

const timeoutMs = 5_000;
const maxBytes = 2 ** 20;
const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The models that a server lists; empty if it lists none. */
export async function listModels(
  pool: Dispatcher,
  { path, headers }: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const came = await exchange(pool, { method: 'GET', path, headers, timeoutMs, maxBytes }, signal);
  if (came.kind !== 'answered' || came.status !== 200 || came.body === undefined) return [];
  try {
    return listSchema.parse(JSON.parse(came.body)).data.map(({ id }) => id);
  } catch {
    return [];
  }
}
