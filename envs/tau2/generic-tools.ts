import { z } from 'zod';
import { defineTool, type Tool } from '../engines/tools/tool.ts';
import { transferTool } from './domain.ts';
import { calculate } from './python/calculate.ts';

/** A result that is text and no JSON. */
export const asText = (text: string): string => text;

export const calculateTool: Tool = defineTool(
  {},
  {
    name: 'calculate',
    description: 'Calculates a mathematical expression.',
    input: z.strictObject({
      expression: z
        .string()
        .describe("the expression, such as '2 + 2': numbers, operators (+, -, *, /), parentheses and blanks"),
    }),
    output: z.string(),
    run: ({ expression }) => calculate(expression),
    print: asText,
  },
);

export const transferToHuman: Tool = defineTool(
  {},
  {
    name: transferTool,
    description:
      'Transfers the user to a human agent. Only transfer if the user explicitly asks for a human agent, or if the policy and the tools leave no way to solve the issue.',
    input: z.strictObject({ summary: z.string().describe("a summary of the user's issue") }),
    output: z.string(),
    run: () => 'Transfer successful',
    print: asText,
  },
);
