import { nodesOf, type PageNode } from './page-node.ts';
import type { Page } from './page.ts';
import { pythonStrip } from '../../engines/python-text/python-text.ts';

const separator = ' [SEP] ';

/**
 * Mode `text`: the visible texts, stripped and joined. The original does not show which options were chosen.
 * `strict` states them first.
 */
export function drawText(page: Page, { strict }: { readonly strict: boolean }): string {
  const nodes = nodesOf(page);
  const text = nodes.map((node) => pythonStrip(node.text)).join(separator);
  if (!strict) return text;
  return nodes
    .filter(({ role, marked }) => role === 'option' && marked)
    .reduce((after, node) => `You have clicked ${pythonStrip(node.text)}.${separator}${after}`, text);
}

/**
 * Mode `text_rich`: one line per text, with buttons and links marked, and first a line for every chosen
 * option. In the original a value counts as chosen when it appears in quotes anywhere in the address.
 * `strict` uses the actual choice.
 */
export function drawRichText(page: Page, { strict }: { readonly strict: boolean }): string {
  let said = '';
  let lines = '';
  for (const node of nodesOf(page)) {
    const isChosen = node.role === 'option' && (strict ? node.marked : page.url.includes(`"${node.text}"`));
    if (isChosen) said = `You have clicked ${node.text}.\n${said}`;
    lines += `${richLine(node, node.role === 'option' ? isChosen : node.marked)}\n`;
  }
  return said + lines;
}

function richLine({ role, text }: PageNode, clicked: boolean): string {
  const button = clicked ? `[clicked button] ${text} [clicked button_]` : `[button] ${text} [button_]`;
  switch (role) {
    case 'text':
      return text;
    case 'button':
      return button;
    case 'option':
      return `  ${button}`;
    case 'product':
      return `\n${button}`;
    default:
      return role satisfies never;
  }
}
