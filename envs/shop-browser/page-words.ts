import { z } from 'zod';
import type { PageView } from '../engines/browser/view/page-view.ts';
import type { PageNode } from '../engines/browser/view/page-tree.ts';

/**
 * A page in words, one line per node, children indented: `button "Buy Now"`, `text "Price: $20.0"`. Elements
 * have no ids, because actions name buttons by their words. The focus is not shown, because it depends on how
 * the page was reached.
 */
export const describePage = ({ title, content }: Pick<PageView, 'title' | 'content'>): string =>
  [`page ${JSON.stringify(title)}`, ...linesOf(content, 0)].join('\n');

function linesOf(children: PageNode['children'], depth: number): readonly string[] {
  const indent = '  '.repeat(depth);
  return children.flatMap((child) => {
    if (typeof child === 'string') return [`${indent}text ${JSON.stringify(child)}`];
    return isBeside(child) || isEmpty(child)
      ? []
      : [indent + describe(child), ...linesOf(child.children, depth + 1)];
  });
}

/** Left of the window, where pages put elements for the keyboard alone. */
const isBeside = ({ box: [left, , width] }: PageNode): boolean => left + width <= 0;

/** A group without content, such as a form whose fields are elsewhere. */
const isEmpty = ({ name, value, states, children }: PageNode): boolean =>
  name === '' && value === undefined && states.length === 0 && children.length === 0;

function describe({ role, name, value, states }: PageNode): string {
  const parts = [role];
  if (name !== '') parts.push(JSON.stringify(name));
  if (value !== undefined && value !== '') parts.push(`holds ${JSON.stringify(value)}`);
  return [...parts, ...states.filter((state) => state !== 'focused')].join(' ');
}

/** A line of a page in words. */
export interface SpokenNode {
  readonly depth: number;
  readonly role: string;
  /** Its name; for text, the text. */
  readonly words: string;
}

/** Parses the output of {@link describePage}. */
export function readPageWords(page: string): readonly SpokenNode[] {
  return page.split('\n').map((line) => {
    const [, indent = '', role = '', words = '""'] = /^( *)(\S+)(?: ("(?:[^"\\]|\\.)*"))?/.exec(line) ?? [];
    return { depth: indent.length / 2, role, words: z.string().parse(JSON.parse(words)) };
  });
}
