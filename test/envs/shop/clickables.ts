import { nodesOf } from '../../../envs/shop/pages/page-node.ts';
import type { Page } from '../../../envs/shop/pages/page.ts';

/**
 * What clicks can name on a page, each once: buttons, then products, then option values, as the original collects them. `search` is
 * among them on the start page, though clicking it does nothing.
 */
export function clickablesOf(page: Page): readonly string[] {
  if (page.kind === 'done') return [];
  const nodes = nodesOf(page);
  const named = (role: 'button' | 'product' | 'option'): readonly string[] =>
    nodes.filter((node) => node.role === role).map(({ text }) => text);
  const lower = (text: string): string => text.toLowerCase();
  return [...new Set([...named('button').map(lower), ...named('product').map(lower), ...named('option')])];
}
