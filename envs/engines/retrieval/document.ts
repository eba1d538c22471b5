import type { Hit, Page } from './retriever.ts';
import { splitPage } from './split-page.ts';

/**
 * A document as corpora of FlashRAG and Search-R1 have it: the first line of `contents` is the title, often in
 * quotes, and the rest is the text.
 */
export interface StoredDocument {
  readonly id: string;
  readonly contents: string;
}

/** The title, without the quotes around it. */
export function titleOf({ contents }: StoredDocument): string {
  const end = contents.indexOf('\n');
  const line = (end < 0 ? contents : contents.slice(0, end)).trim();
  return line.length >= 2 && line.startsWith('"') && line.endsWith('"') ? line.slice(1, -1) : line;
}

/** The text after the title. */
export function textOf({ contents }: StoredDocument): string {
  const end = contents.indexOf('\n');
  return end < 0 ? '' : contents.slice(end + 1);
}

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
