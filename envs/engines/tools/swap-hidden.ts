import type { Audit, Snapshot } from '../../core/env.ts';
import type { Json } from '../../core/json.ts';
import type { Rng } from '../../core/rng.ts';
import type { ToolAction, ToolCall } from './action.ts';
import { readPoint } from './episode-state.ts';
import type { ToolRules } from './rules.ts';
import type { AnyRow } from './tables.ts';
import { allKeys, Transaction, type RowPatch, type WorldState } from './world.ts';

const mostTries = 30;

/**
 * Exchanges the contents of two rows that nothing has read so far, and keeps their keys. An action may show
 * the difference if one of its calls reads either row, in either world. So no env has to write an audit.
 */
export function swapHiddenIn(rules: ToolRules): NonNullable<Audit<ToolAction>['swapHidden']> {
  return (snapshot, rng) => {
    const point = readPoint(snapshot, rules.id);
    const task = rules.task({ panel: point.world.panel, index: point.world.index });
    const before = rules.worldOf(task, point.world.swapped, point);
    const swapped = swapRows(before, Object.keys(task.start), point.world.swapped, rng);
    if (swapped === undefined) return undefined;
    const after = rules.worldOf(task, swapped.patch, point);
    const world = snapshot.world as Readonly<Record<string, Json>>; // a snapshot that was read is an object
    const tools = rules.toolsWithout(task.withheld);
    const mayRead = (call: ToolCall): boolean =>
      [before, after].some((one) => {
        const seen = readsOf(one, (transaction) => {
          tools.get(call.name)?.call(call.arguments, transaction, { signal: new AbortController().signal });
        });
        return [allKeys, ...swapped.ids].some((id) => seen.has(`${swapped.table}?${id}`));
      });
    return {
      snapshot: { ...snapshot, world: { ...world, swapped: swapped.patch as Json } } satisfies Snapshot,
      reveals: (action) =>
        action.kind === 'calls'
          ? action.calls.some(mayRead)
          : action.kind !== 'say' || rules.userTools.length > 0 || rules.grader !== undefined, // such a user may know the gold state
    };
  };
}

function swapRows(
  world: WorldState,
  tables: readonly string[],
  swapped: RowPatch,
  rng: Rng,
): { readonly patch: RowPatch; readonly table: string; readonly ids: readonly string[] } | undefined {
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const table = rng.pick(tables);
    if (world.reads.has(`${table}?${allKeys}`)) continue;
    const keys = world.keys(table).filter((key) => !world.hasRead(table, key));
    if (keys.length < 2) continue;
    const [one, other] = rng.shuffle(keys);
    const [a, b] = [one, other].map((key) => world.startRow(table, key ?? ''));
    if (a === undefined || b === undefined || isTouched(world, table, a) || isTouched(world, table, b))
      continue;
    const patch = {
      ...swapped,
      [table]: { ...swapped[table], [a.id]: { ...b, id: a.id }, [b.id]: { ...a, id: b.id } },
    };
    return { patch, table, ids: [a.id, b.id] };
  }
  return undefined;
}

/** Whether the row was changed, which may have shown it. */
const isTouched = (world: WorldState, table: string, row: AnyRow): boolean =>
  world.peek(table, row.id) !== row;

/** What a call reads. Its changes are taken back. */
function readsOf(world: WorldState, run: (transaction: Transaction) => void): ReadonlySet<string> {
  const before = new Set(world.reads);
  world.reads.clear();
  const transaction = new Transaction(world);
  try {
    run(transaction);
  } catch {
    // a tool that throws is reported when it is played
  }
  transaction.rollBack();
  const seen = new Set(world.reads);
  for (const row of seen) before.add(row);
  world.reads.clear();
  for (const row of before) world.reads.add(row);
  return seen;
}
