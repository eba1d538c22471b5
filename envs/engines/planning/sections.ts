import { didYouMean, nearest } from '../../core/near-miss.ts';
import { asList, asWord, exactly } from './parse-condition.ts';
import { readExpression, type List, type Word } from './s-expression.ts';
import { flawIn, type Source } from './source.ts';

/** One `(:name ...)` of a file. */
export interface Section {
  readonly head: Word;
  readonly list: List;
  /** The items after the head. */
  readonly items: List['items'];
}

export interface Definition {
  /** `domain` or `problem`. */
  readonly name: Word;
  readonly sections: readonly Section[];
}

/** The sections that a file may have: `many` any number of times, the others once. */
export interface SectionNames {
  readonly kind: 'domain' | 'problem';
  readonly once: readonly string[];
  readonly many: readonly string[];
}

/** Parses `(define (domain NAME) (:section ...) ...)`. Sections may have any order. */
export function readDefinition(source: Source, names: SectionNames): Definition {
  const define = readExpression(source);
  const [head, title, ...rest] = define.items;
  if (head?.kind !== 'word' || head.text !== 'define') throw wrongStart(source, define, names);
  if (title?.kind !== 'list') throw wrongStart(source, define, names);
  const [kind, name] = title.items;
  if (kind?.kind !== 'word' || kind.text !== names.kind || name?.kind !== 'word')
    throw wrongStart(source, title, names);
  const sections = rest.map((expression) => {
    const list = asList(expression, { source });
    if (list.items[0] === undefined)
      throw flawIn(source, list.at, { what: 'these parentheses are empty.', fix: 'Remove them.' });
    const section = { head: asWord(list.items[0], { source }), list, items: list.items.slice(1) };
    assertKnown(section, names, source);
    return section;
  });
  for (const once of names.once) {
    const second = sections.filter((section) => section.head.text === once)[1];
    if (second !== undefined)
      throw flawIn(source, second.list.at, { what: `there is a second ${once}.`, fix: 'Keep one.' });
  }
  return { name, sections };
}

function wrongStart(source: Source, { at }: List, { kind }: SectionNames): Error {
  return flawIn(source, at, {
    what: `it does not start with (define (${kind} NAME).`,
    fix: `Is this the ${kind}? Fix the file, or get a new copy.`,
  });
}

function assertKnown({ head }: Section, { once, many }: SectionNames, source: Source): void {
  const known = [...once, ...many];
  if (known.includes(head.text)) return;
  const near = didYouMean(nearest(head.text, known));
  throw flawIn(source, head.at, {
    what: `the section "${head.text}" is not supported.`,
    fix: `${near}The sections are ${known.join(', ')}.`,
  });
}

/** The section of that name; undefined where it is missing. */
export const sectionOf = (definition: Definition, name: string): Section | undefined =>
  definition.sections.find(({ head }) => head.text === name);

/**
 * The section of that name.
 *
 * @throws UsageError where it is missing
 */
export function requiredSection(definition: Definition, name: string, source: Source): Section {
  const section = sectionOf(definition, name);
  if (section !== undefined) return section;
  throw flawIn(source, definition.name.at, {
    what: `it has no ${name}.`,
    fix: 'Fix the file, or get a new copy.',
  });
}

/** The single item of a section. */
export const contentOf = ({ items, list }: Section, source: Source): List['items'][number] =>
  exactly(1, items, list, { source })[0] as List['items'][number];

const understood = [
  ':strips',
  ':typing',
  ':equality',
  ':negative-preconditions',
  ':disjunctive-preconditions',
  ':existential-preconditions',
  ':universal-preconditions',
  ':quantified-preconditions',
  ':conditional-effects',
  ':adl',
  ':action-costs',
];

/**
 * Checks the requirements of a file.
 *
 * @throws UsageError for a requirement that this parser does not support
 */
export function assertRequirements(section: Section | undefined, source: Source): void {
  for (const item of section?.items ?? []) {
    const { text, at } = asWord(item, { source });
    if (understood.includes(text)) continue;
    throw flawIn(source, at, {
      what: `the requirement "${text}" is not supported.`,
      fix: `${didYouMean(nearest(text, understood))}Supported: ${understood.join(', ')}.`,
    });
  }
}
