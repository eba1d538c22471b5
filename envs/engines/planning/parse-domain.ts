import { asList, asWord, parseCondition } from './parse-condition.ts';
import { parseEffect } from './parse-effect.ts';
import type { Expression, List, Word } from './s-expression.ts';
import { Scope, type Vocabulary } from './scope.ts';
import {
  assertRequirements,
  readDefinition,
  sectionOf,
  type Definition,
  type Section,
  type SectionNames,
} from './sections.ts';
import { flawIn, type Source } from './source.ts';
import type { ActionSchema, Condition, Domain, Predicate, TypedName } from './syntax.ts';
import { readTypedList, refuseRepeated } from './typed-list.ts';
import { TypeTree } from './type-tree.ts';

const names: SectionNames = {
  kind: 'domain',
  once: [':requirements', ':types', ':constants', ':predicates', ':functions'],
  many: [':action'],
};

/**
 * Parses a planning domain in PDDL, in the subset that ALFWorld's domain uses: types with `either`,
 * constants, predicates, and actions with negation, disjunction, implication, quantifiers, equality and
 * conditional effects. Numeric functions may be declared. Increases of the total cost are ignored.
 *
 * @throws UsageError that names the place, for anything else
 */
export function parseDomain(source: Source): Domain {
  const definition = readDefinition(source, names);
  assertRequirements(sectionOf(definition, ':requirements'), source);
  const types = parseTypes(sectionOf(definition, ':types'), source);
  const constants = parseObjects(sectionOf(definition, ':constants'), types, source);
  const predicates = parsePredicates(sectionOf(definition, ':predicates'), types, source);
  const functions = sectionOf(definition, ':functions');
  for (const item of functions?.items ?? [])
    if (item.kind === 'list') readTypedList(item.items.slice(1), source);
  const actions = parseActions(definition, { source, types, predicates, objects: undefined });
  return { name: definition.name.text, types, constants, predicates, actions };
}

function parseTypes(section: Section | undefined, source: Source): TypeTree {
  const typed = readTypedList(section?.items ?? [], source);
  refuseRepeated(
    typed.map(({ word }) => word),
    'type',
    source,
  );
  const tree = new TypeTree(
    new Map(
      typed.map(({ word, types }) => [
        word.text,
        types.map(({ text }) => text).filter((parent) => parent !== word.text),
      ]),
    ),
  );
  for (const { types } of typed) tree.resolve(types, source);
  return tree;
}

/** The objects of a list with their types. Every name must be unique. */
export function parseObjects(
  section: Section | undefined,
  types: TypeTree,
  source: Source,
): readonly TypedName[] {
  const typed = readTypedList(section?.items ?? [], source);
  refuseRepeated(
    typed.map(({ word }) => word),
    'object',
    source,
  );
  return typed.map(({ word, types: of }) => {
    if (word.text.startsWith('?'))
      throw flawIn(source, word.at, {
        what: `"${word.text}" is a variable name, because it starts with a question mark.`,
        fix: 'Remove the question mark.',
      });
    return { name: word.text, type: types.resolve(of, source), at: word.at };
  });
}

function parsePredicates(
  section: Section | undefined,
  types: TypeTree,
  source: Source,
): ReadonlyMap<string, Predicate> {
  const lists = (section?.items ?? []).map((item) => asList(item, { source }));
  const heads = lists.map((list) => headOf(list, source));
  refuseRepeated(heads, 'predicate', source);
  return new Map(
    lists.map((list, index): [string, Predicate] => {
      const terms = readTypedList(list.items.slice(1), source);
      for (const term of terms) types.resolve(term.types, source);
      const { text } = heads[index] as Word;
      return [text, { name: text, arity: terms.length }];
    }),
  );
}

function headOf(list: List, source: Source): Word {
  const [head] = list.items;
  if (head === undefined)
    throw flawIn(source, list.at, { what: 'these parentheses are empty.', fix: 'Write a predicate.' });
  return asWord(head, { source });
}

function parseActions(definition: Definition, vocabulary: Vocabulary): readonly ActionSchema[] {
  const sections = definition.sections.filter(({ head }) => head.text === ':action');
  const heads = sections.map(({ items, list }) => {
    if (items[0] === undefined)
      throw flawIn(vocabulary.source, list.at, { what: 'this action has no name.', fix: 'Name it.' });
    return asWord(items[0], vocabulary);
  });
  refuseRepeated(heads, 'action', vocabulary.source);
  return sections.map((section, index) => parseAction(heads[index] as Word, section, vocabulary));
}

const always: Condition = { kind: 'and', parts: [] };

function parseAction(name: Word, section: Section, vocabulary: Vocabulary): ActionSchema {
  const parts = partsOf(name, section.items.slice(1), vocabulary.source);
  const outer = new Scope(vocabulary);
  const parameters = parts.get(':parameters');
  const words =
    parameters === undefined ? [] : readTypedList(asList(parameters, vocabulary).items, vocabulary.source);
  refuseRepeated(
    words.map(({ word }) => word),
    'parameter',
    vocabulary.source,
  );
  const { scope, variables } = outer.extend(words);
  const precondition = parts.get(':precondition');
  const effect = parts.get(':effect');
  return {
    name: name.text,
    parameters: variables,
    precondition: precondition === undefined ? always : parseCondition(precondition, scope),
    effects: effect === undefined ? [] : parseEffect(effect, scope),
    slots: outer.slots.count,
    at: name.at,
  };
}

/** Parses `:parameters X :precondition Y :effect Z`, in any order. */
function partsOf(name: Word, items: readonly Expression[], source: Source): ReadonlyMap<string, Expression> {
  const parts = new Map<string, Expression>();
  for (let index = 0; index < items.length; index += 2) {
    const key = asWord(items[index] as Expression, { source });
    const value = items[index + 1];
    if (!partNames.includes(key.text)) {
      throw flawIn(source, key.at, {
        what: `"${key.text}" is not a part of an action.`,
        fix: `The parts of "${name.text}" are ${partNames.join(', ')}.`,
      });
    }
    if (parts.has(key.text))
      throw flawIn(source, key.at, { what: `"${name.text}" has a second ${key.text}.`, fix: 'Keep one.' });
    if (value === undefined)
      throw flawIn(source, key.at, {
        what: `nothing follows this ${key.text}.`,
        fix: 'Fix the file, or get a new copy.',
      });
    parts.set(key.text, value);
  }
  return parts;
}

const partNames: readonly string[] = [':parameters', ':precondition', ':effect'];
