import type { Audit } from '../core/env.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import type { SqlAction } from './action.ts';
import type { QuestionSource } from './question-source.ts';
import { readPoint } from './snapshot.ts';

/** Actions that depend on rows, or on the answer. */
const touching: ReadonlySet<SqlAction['kind']> = new Set(['look', 'query', 'answer', 'run', 'finish']);
const mostTries = 200;

/**
 * Puts another answer and other rows behind the same question: those of another task whose database has the
 * same tables.
 */
export function swapHiddenIn(source: QuestionSource): NonNullable<Audit<SqlAction>['swapHidden']> {
  return (snapshot, rng) => {
    const { task } = readPoint(snapshot);
    const own = source.question(task.behind);
    const size = source.panels.find(({ name }) => name === task.ref.panel)?.size ?? 0;
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const behind: TaskRef = { panel: task.ref.panel, index: rng.int(size) };
      const other = source.question(behind);
      if (
        other.gold === own.gold ||
        canonicalJson(other.database.schema) !== canonicalJson(own.database.schema)
      )
        continue;
      const world = snapshot.world as Readonly<Record<string, Json>>;
      return {
        snapshot: { ...snapshot, world: { ...world, behind: { ...behind } } },
        reveals: ({ kind }) => touching.has(kind),
      };
    }
    return undefined;
  };
}
