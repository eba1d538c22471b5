import { printAction } from './call-text.ts';
import { describeTool, type Tool } from './tool.ts';

/** The instruction of a task. */
export function instructionFor(options: {
  readonly policy: string | undefined;
  readonly rules: Readonly<Record<string, string>>;
  readonly request: string;
  /** The tools to describe; undefined: no manual. */
  readonly tools: readonly Tool[] | undefined;
  readonly slots: readonly string[];
}): string {
  const { policy, rules, request, tools, slots } = options;
  const rulesText = Object.entries(rules).map(([name, text]) => `${name}: ${text}`);
  return [
    ...(policy === undefined ? [] : [policy]),
    ...(rulesText.length === 0 ? [] : [['Rules:', ...rulesText].join('\n')]),
    ...(tools === undefined
      ? []
      : [manualFor(tools, { hasRules: rulesText.length > 0, hasUser: slots.length > 0 })]),
    `User: ${request}`,
  ].join('\n\n');
}

/** How to act: a line for each tool, and what else can be done. */
function manualFor(
  tools: readonly Tool[],
  { hasRules, hasUser }: { readonly hasRules: boolean; readonly hasUser: boolean },
): string {
  return [
    'Tools:',
    ...tools.map(describeTool),
    'Write a call as {"name": "TOOL", "arguments": {…}}, or several calls as a list. Write nothing else.',
    `"say TEXT" tells the user something${hasUser ? ', or asks for what is missing' : ''}.`,
    `"${printAction({ kind: 'done' })}" ends a request that was done.`,
    ...(hasRules ? ['"refuse rule=RULE" ends a request that a rule forbids, after you looked up why.'] : []),
    '"transfer" ends a request for which a tool is missing.',
  ].join('\n');
}
