import type { Problem } from '../engines/planning/syntax.ts';

/**
 * The names of objects for the player, by id: `mug 2` for the second of its kind, as ALFWorld names them. The
 * kind of an id such as `mug_bar__minus_00_dot_57` is the part before its first `_bar_`. `basin` is added
 * where the id contains that word anywhere. Within a kind, the ids in string order get descending numbers.
 * Only objects in the problem's initial facts count.
 *
 * An id without `_bar_` is already a name. When other ids of the game contain `_bar_`, ALFWorld appends a blank
 * to such a name and replaces words such as `_minus_` by signs: the text `{a.name}: go` becomes `alice : go`.
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
