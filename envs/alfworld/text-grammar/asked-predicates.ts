import { parseQuery, type QueryAtom } from './query.ts';
import { parseText } from './symbols.ts';
import type { TextGrammar } from './twl2.ts';

/** What a grammar's texts ask about the world. */
export interface AskedPredicates {
  /** Predicates for which some text asks whether they hold or were made false. */
  readonly observed: ReadonlySet<string>;
  /** Predicates for which some text asks whether an action made them false. */
  readonly denied: ReadonlySet<string>;
}

/** Scans all texts and conditions of the grammar, including those that no action uses. */
export function askedPredicates(grammar: TextGrammar, known: ReadonlyMap<string, unknown>): AskedPredicates {
  const observed = new Set<string>();
  const denied = new Set<string>();
  for (const { predicate } of queryAtoms(grammar)) {
    const isDenial = !known.has(predicate) && predicate.startsWith('not_');
    const name = isDenial ? predicate.slice('not_'.length) : predicate;
    observed.add(name);
    if (isDenial) denied.add(name);
  }
  return { observed, denied };
}

function queryAtoms({ rules, actions }: TextGrammar): readonly QueryAtom[] {
  const alternatives = [...rules.values()].flatMap((rule) => rule.alternatives);
  const conditions = alternatives.flatMap(({ condition }) =>
    condition === undefined ? [] : (parseQuery(condition) ?? []),
  );
  const texts = [
    ...alternatives.map(({ text }) => text),
    ...[...actions.values()].flatMap(({ template, feedback }) => [template, feedback]),
  ];
  return [...conditions, ...texts.flatMap(atomsOfText)];
}

function atomsOfText(text: string): readonly QueryAtom[] {
  const symbols = parseText(text);
  return 'what' in symbols
    ? []
    : symbols.flatMap((symbol) => ('query' in symbol ? (symbol.query ?? []) : []));
}
