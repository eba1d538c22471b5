import type { SearchAction } from './action.ts';
import { contentWordsIn, mentionsIn, type Mention } from '../engines/questions/answers/mentions.ts';
import { describeSource } from './describe-source.ts';
import type { ShownDoc } from './observation.ts';

/** What is in sight at a decision. */
export interface Sight {
  readonly question: string;
  /** The searches that the question alone suggests, from {@link questionActions}. */
  readonly fromQuestion: readonly SearchAction[];
  /** Stems of the words of the question that say what is asked. */
  readonly asked: ReadonlySet<string>;
  readonly docs: readonly ShownDoc[];
  /** Numbers of documents that were judged misleading: nothing is taken from them. */
  readonly dismissed: ReadonlySet<number>;
  readonly page:
    | { readonly doc: number; readonly part: number; readonly parts: number; readonly text: string }
    | undefined;
  /** Whether verdicts are listed. */
  readonly judging: boolean;
  /** Numbers of documents with a verdict. */
  readonly judged: ReadonlySet<number>;
}

/** Mentions of a text, remembered by the caller. */
export type ReadMentions = (text: string, title: string) => readonly Mention[];

const questionWords = 4;
/** Names taken from one text, so that a long page gives no endless list. */
const mostMentions = 60;

/**
 * The actions worth choosing from: searches for names and words in sight, pages and parts to open, and answers that are
 * names or years in sight. It depends on what is shown alone.
 */
export function offeredActions(sight: Sight, read: ReadMentions = mentionsIn): readonly SearchAction[] {
  const list: SearchAction[] = [...sight.fromQuestion];
  const seen = new Set<string>(list.map((action) => (action.kind === 'search' ? action.query : '')));
  const names: SearchAction[] = [];
  const { asked } = sight;
  const add = (text: string, title: string, place: string): void => {
    for (const { name, kind, words, stems } of read(text, title).slice(0, mostMentions)) {
      const shared = stems.some((stem) => asked.has(stem)) ? 'asked ' : '';
      const where = `${shared}${words} in ${place}`;
      const query = plainName(name);
      const key = `${query}\n${where}`;
      if (query === '' || seen.has(key)) continue;
      seen.add(key);
      if (kind === 'name') list.push({ kind: 'search', query, where });
      names.push({ kind: 'answer', text: query, where });
    }
  };
  for (const [index, { title, passage }] of sight.docs.entries())
    if (!sight.dismissed.has(index + 1)) add(passage, title, placeOf(index));
  const { page } = sight;
  if (page !== undefined && !sight.dismissed.has(page.doc))
    add(page.text, sight.docs[page.doc - 1]?.title ?? '', 'page');
  list.push(...names, ...pageActions(sight));
  if (sight.judging) {
    for (const [index, doc] of sight.docs.entries()) {
      if (sight.judged.has(index + 1)) continue;
      const where = `${describeSource(doc)} in ${placeOf(index)}`;
      list.push({ kind: 'judge', doc: index + 1, verdict: 'good', where });
      list.push({ kind: 'judge', doc: index + 1, verdict: 'misleading', where });
    }
  }
  return list;
}

/** The answers that are listed while a text is in sight. */
export const listedAnswers = (text: string, title: string): readonly string[] =>
  mentionsIn(text, title)
    .slice(0, mostMentions)
    .map(({ name }) => plainName(name));

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** The place of a document in the results, in a word: policies that hash words cannot distinguish numbers. */
const placeOf = (index: number): string => ordinals[index] ?? 'later';

/** Searches for what the question names, for the question itself, and for its words. */
export function questionActions(question: string): readonly SearchAction[] {
  const queries = new Map<string, string>();
  const add = (text: string, where: string): void => {
    const query = plain(text);
    if (query !== '' && !queries.has(query)) queries.set(query, where);
  };
  for (const { name, kind } of mentionsIn(question, '')) if (kind === 'name') add(name, 'named in question');
  add(question, 'all in question');
  for (const word of contentWordsIn(question, questionWords)) add(word, 'word in question');
  return [...queries].map(([query, where]): SearchAction => ({ kind: 'search', query, where }));
}

function pageActions({ docs, page, question }: Sight): readonly SearchAction[] {
  const list = docs.flatMap(({ isCut }, index): SearchAction[] =>
    isCut && page?.doc !== index + 1 ? [{ kind: 'open', doc: index + 1 }] : [],
  );
  if (page === undefined || page.parts === 1) return list;
  if (page.part < page.parts) list.push({ kind: 'open', doc: page.doc, part: page.part + 1 });
  if (page.part > 1) list.push({ kind: 'open', doc: page.doc, part: page.part - 1 });
  for (const text of contentWordsIn(question, questionWords)) list.push({ kind: 'find', text });
  return list;
}

/** {@link plain}, which most names are already. */
const plainName = (name: string): string => (/["“”<>\s]{2}|["“”<>\t\r\n]/.test(name) ? plain(name) : name);

/** Without quotes, tags and line breaks, so that an action reads back as it was printed. */
const plain = (text: string): string =>
  text
    .replaceAll(/["“”<>]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 1_000);
