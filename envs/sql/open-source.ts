import type { ResetContext } from '../core/context.ts';
import type { SqlConfig } from './config.ts';
import type { QueryPool } from './engine/query-pool.ts';
import { loadEngine } from './engine/load-engine.ts';
import { GeneratedSource } from './generate/generated-source.ts';
import { FolderSource } from './load/folder-source.ts';
import type { QuestionSource } from './question-source.ts';

/**
 * Opens the configured questions.
 *
 * @throws UsageError for invalid files
 */
export async function openSource(
  { source }: SqlConfig,
  pool: QueryPool,
  { signal, log, path }: ResetContext,
): Promise<QuestionSource> {
  if (source.kind === 'generated') return new GeneratedSource(await loadEngine(), source.seed);
  return FolderSource.open(source, { pool, signal, log, path });
}
