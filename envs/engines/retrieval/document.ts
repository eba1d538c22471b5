import type { Hit, Page } from './retriever.ts';
import { splitPage } from './split-page.ts';

/**
 * A document as corpora of FlashRAG and Search-R1 have it: the first line of `contents` is the title, often in
 * quotes, and the rest is the text. Contents of one line are text, and so are contents whose first line is empty or too
 * long for a title. Their title is their first words.
 */
export interface StoredDocument {
  readonly id: string;
  readonly contents: string;
}

/** Characters of a title line without quotes; a longer first line is text. */
const longestTitleLine = 300;
/** Words of a title that is made of a text, and the characters that they are looked for in. */
const [madeTitleWords, madeTitleCharacters] = [8, 100] as const;

/** The title, without the quotes around it; the first words where the document has none. */
export function titleOf({ contents }: StoredDocument): string {
  const { title, text } = partsOf(contents);
  if (title !== '') return title;
  const words = text.slice(0, 1_000).trim().split(/\s+/, madeTitleWords).join(' ');
  return words.length <= madeTitleCharacters
    ? words
    : words.slice(0, madeTitleCharacters).replace(/[\uD800-\uDBFF]$/, '');
}

/** The text after the title. */
export const textOf = ({ contents }: StoredDocument): string => partsOf(contents).text;

/** The title, empty where there is none, and the text. */
function partsOf(contents: string): { readonly title: string; readonly text: string } {
  const end = contents.indexOf('\n');
  if (end < 0) return { title: '', text: contents };
  const line = contents.slice(0, end).trim();
  const text = contents.slice(end + 1);
  if (line.length >= 2 && line.startsWith('"') && line.endsWith('"'))
    return { title: line.slice(1, -1), text };
  return line.length > longestTitleLine ? { title: '', text: contents } : { title: line, text };
}

/** Whether the first line of `contents` is a title in quotes, which may be empty. */
export const hasQuotedTitle = (contents: string): boolean => /^\s*".*"[^\S\n]*\n/.test(contents);

/** `contents` of a title and a text, as in the corpus wiki-18. */
export const contentsOf = (title: string, text: string): string =>
  `"${title.replaceAll(/\s+/g, ' ').trim()}"\n${text}`;

export const hitOf = (document: StoredDocument, score: number): Hit => ({
  id: document.id,
  title: titleOf(document),
  text: textOf(document),
  score,
});

export const pageOf = (document: StoredDocument): Page => ({
  id: document.id,
  title: titleOf(document),
  parts: splitPage(textOf(document)),
});
