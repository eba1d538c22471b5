import type { PageNode } from './page-tree.ts';

/** What is to be seen of an episode's pages. */
export interface PageView {
  readonly url: string;
  readonly title: string;
  /** Titles of all tabs. */
  readonly tabs: readonly string[];
  /** Which of them is shown, from 1. */
  readonly tab: number;
  readonly content: PageNode['children'];
  /** What pages said in dialogs since the last view. */
  readonly said: readonly string[];
  /** PNG, base64; only where asked for. */
  readonly screenshot?: string;
}
