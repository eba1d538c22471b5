import type { Expression, Word } from './s-expression.ts';
import { flawIn, type Source } from './source.ts';
import { rootType } from './type-tree.ts';

/** A name of a typed list with its possible types. */
export interface TypedWord {
  readonly word: Word;
  readonly types: readonly { readonly text: string; readonly at: number }[];
}

const fix = 'Write names, then a dash and a type, as in "?a ?b - object".';

/** Parses `a b - t c - (either t u) d`. A name without a type has the root type. */
export function readTypedList(items: readonly Expression[], source: Source): readonly TypedWord[] {
  const found: TypedWord[] = [];
  let waiting: Word[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as Expression;
    if (item.kind === 'list')
      throw flawIn(source, item.at, { what: 'a name is expected here, not a parenthesis.', fix });
    if (item.text !== '-') {
      waiting.push(item);
      continue;
    }
    const types = readTypes(items[(index += 1)], item, source);
    if (waiting.length === 0)
      throw flawIn(source, item.at, { what: 'there is no name before this dash.', fix });
    found.push(...waiting.map((word) => ({ word, types })));
    waiting = [];
  }
  return [...found, ...waiting.map((word) => ({ word, types: [{ text: rootType, at: word.at }] }))];
}

function readTypes(item: Expression | undefined, dash: Word, source: Source): TypedWord['types'] {
  if (item === undefined) throw flawIn(source, dash.at, { what: 'there is no type after this dash.', fix });
  if (item.kind === 'word') return [item];
  const [either, ...types] = item.items;
  if (either?.kind !== 'word' || either.text !== 'either' || types.length === 0) {
    throw flawIn(source, item.at, {
      what: 'this is not a type.',
      fix: 'Name a type, or several as in "(either cup plate)".',
    });
  }
  return types.map((type) => {
    if (type.kind === 'word') return type;
    throw flawIn(source, type.at, { what: 'a type is expected here, not a parenthesis.', fix });
  });
}

/** Refuses repeated names. */
export function refuseRepeated(words: readonly Word[], kind: string, source: Source): void {
  const seen = new Set<string>();
  for (const { text, at } of words) {
    if (seen.has(text))
      throw flawIn(source, at, {
        what: `the ${kind} "${text}" is declared twice.`,
        fix: 'Declare it once.',
      });
    seen.add(text);
  }
}
