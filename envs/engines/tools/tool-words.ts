import { z } from 'zod';
import type { ToolDescription, ToolWords } from '../../core/textual.ts';
import { longestMessage, type ToolAction } from './action.ts';
import { parseAction } from './call-text.ts';
import { describeForModel, type Tool } from './tool.ts';

/** The tools of a world for models that call tools natively, with the actions that are no tools of the world. */
export function toolWords(world: {
  readonly tools: readonly Tool[];
  readonly rules?: Readonly<Record<string, string>>;
}): ToolWords<ToolAction> {
  const rules = Object.keys(world.rules ?? {});
  const nothing = z.strictObject({});
  const others = [
    {
      name: 'say',
      description: 'tells the user something, or asks for what is missing',
      input: z.strictObject({ text: z.string().min(1).max(longestMessage) }),
    },
    { name: 'done', description: 'ends a request that was done', input: nothing },
    { name: 'transfer', description: 'ends a request for which a tool is missing', input: nothing },
    ...(rules.length === 0
      ? []
      : [
          {
            name: 'refuse',
            description: 'ends a request that a rule forbids',
            input: z.strictObject({ rule: z.enum(rules) }),
          },
        ]),
  ];
  const listed: readonly ToolDescription[] = [...world.tools, ...others].map(describeForModel);
  return {
    list: () => listed,
    read: (call) => parseAction(JSON.stringify(call)),
    readAll: (calls) => parseAction(JSON.stringify(calls)),
    answersUnknown: true,
  };
}
