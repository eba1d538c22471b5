import type { PageNode } from './page-tree.ts';

/** What an agent sees of an episode's pages. */
export interface PageView {
  readonly url: string;
  readonly title: string;
  /** Titles of all tabs. */
  readonly tabs: readonly string[];
  /** The number of the tab that is shown, from 1. */
  readonly tab: number;
  readonly content: PageNode['children'];
  /** What pages said in dialogs since the last view. */
  readonly said: readonly string[];
  /** PNG in base64; only on request. */
  readonly screenshot?: string;
}
