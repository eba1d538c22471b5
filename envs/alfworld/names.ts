import type { Problem } from '../engines/planning/syntax.ts';

/**
 * What the player calls objects, by their ids: `mug 2` for the second of its kind, as ALFWorld names them. An id such as
 * `mug_bar__minus_00_dot_57` is of the kind before its first `_bar_`, with `basin` added where the id has that word anywhere. Within a kind the
 * ids in their order as strings get the numbers from the highest down. Only what the problem's first facts mention is counted.
 *
 * An id without `_bar_` is a name already. Where other ids of the game have it, ALFWorld puts a blank behind such a name, and writes signs for
 * words such as `_minus_`: the text `{a.name}: go` becomes `alice : go`.
 */
export function nameObjects({ facts }: Pick<Problem, 'facts'>): ReadonlyMap<string, string> {
  const ids = [...new Set(facts.flatMap(({ objects }) => objects))].toSorted();
  const left = new Map<string, number>();
  for (const kind of ids.map(kindOf)) if (kind !== undefined) left.set(kind, (left.get(kind) ?? 0) + 1);
  return new Map(
    ids.map((id): [string, string] => {
      const kind = kindOf(id);
      if (kind === undefined) return [id, left.size === 0 ? id : `${withSigns(id)} `];
      const number = left.get(kind) as number;
      left.set(kind, number - 1);
      return [id, `${kind} ${number}`];
    }),
  );
}

function kindOf(id: string): string | undefined {
  const end = id.indexOf('_bar_');
  if (end < 0) return undefined;
  return `${id.slice(0, end)}${id.includes('basin') ? 'basin' : ''}`;
}

const signs = { _minus_: '-', _plus_: '+', _dot_: '.', _comma_: ',' } as const;

const withSigns = (id: string): string =>
  Object.entries(signs).reduce((text, [word, sign]) => text.replaceAll(word, sign), id);
