import type { End } from './action.ts';
import { printAction } from './call-text.ts';
import { describeTool, type Tool } from './tool.ts';

/** The instruction of a task. */
export function instructionFor(options: {
  readonly policy: string | undefined;
  readonly rules: Readonly<Record<string, string>>;
  /** What the user says first; undefined where the first observation shows it. */
  readonly request: string | undefined;
  /** What was said before; undefined: nothing. */
  readonly before: string | undefined;
  /** The tools to describe; undefined: no manual. */
  readonly tools: readonly Tool[] | undefined;
  readonly slots: readonly string[];
  readonly ends: readonly End[];
}): string {
  const { policy, rules, request, before, tools, slots, ends } = options;
  const rulesText = Object.entries(rules).map(([name, text]) => `${name}: ${text}`);
  return [
    ...(policy === undefined ? [] : [policy]),
    ...(rulesText.length === 0 ? [] : [['Rules:', ...rulesText].join('\n')]),
    ...(tools === undefined
      ? []
      : [manualFor(tools, { hasRules: rulesText.length > 0, hasUser: slots.length > 0, ends })]),
    ...(before === undefined ? [] : [before]),
    ...(request === undefined ? [] : [`User: ${request}`]),
  ].join('\n\n');
}

/** How to act: a line for each tool, and what else can be done. */
function manualFor(
  tools: readonly Tool[],
  of: { readonly hasRules: boolean; readonly hasUser: boolean; readonly ends: readonly End[] },
): string {
  const { hasRules, hasUser, ends } = of;
  return [
    'Tools:',
    ...tools.map(describeTool),
    'Write a call as {"name": "TOOL", "arguments": {…}}, or several calls as a list. Write nothing else.',
    `"say TEXT" tells the user something${hasUser ? ', or asks for what is missing' : ''}.`,
    ...(ends.includes('done') ? [`"${printAction({ kind: 'done' })}" ends a request that was done.`] : []),
    ...(hasRules && ends.includes('refuse')
      ? ['"refuse rule=RULE" ends a request that a rule forbids, after you looked up why.']
      : []),
    ...(ends.includes('transfer') ? ['"transfer" ends a request for which a tool is missing.'] : []),
  ].join('\n');
}
