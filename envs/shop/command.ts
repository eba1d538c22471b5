/** The command of an action, whether or not it is possible here. */
export type Command =
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'click'; readonly target: string }
  /** Neither of them: nothing happens. */
  | { readonly kind: 'none' };

const none: Command = { kind: 'none' };

/**
 * Parses `search[…]` and `click[…]` as the original does, whose pattern is `(.+)\[(.+)\]` from the start of
 * the first line. The name is everything before the *last* opening bracket that can match. Text after the
 * last closing bracket is ignored, and the argument is put in lower case. So texts with brackets cannot be
 * searched for or clicked. `strict` uses the first opening bracket.
 */
export function readCommand(action: string, { strict }: { readonly strict: boolean }): Command {
  const newline = action.indexOf('\n');
  const line = newline < 0 ? action : action.slice(0, newline);
  const close = line.lastIndexOf(']');
  const open = strict ? line.indexOf('[') : line.lastIndexOf('[', close - 2);
  if (close < 3 || open < 1 || open > close - 2) return none;
  const name = line.slice(0, open);
  const argument = line.slice(open + 1, close).toLowerCase();
  if (name === 'search') return { kind: 'search', query: argument };
  return name === 'click' ? { kind: 'click', target: argument } : none;
}

export const searchFor = (query: string): string => `search[${query}]`;
export const clickOn = (target: string): string => `click[${target}]`;

/** Whether a click on the target can be written as an action. A click on `search` never has an effect. */
export function isClickable(target: string, options: { readonly strict: boolean }): boolean {
  const command = readCommand(clickOn(target), options);
  return command.kind === 'click' && command.target === target && target !== 'search';
}
