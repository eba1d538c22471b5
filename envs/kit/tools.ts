import { z } from 'zod';
import { readReply } from '../core/read-reply.ts';
import type { ActionWords } from './text-world.ts';

/** A tool: a strict object whose `kind` is the tool's name and whose other keys are its arguments, described with `.describe`. */
type ToolSchema = z.ZodObject<{ readonly kind: z.ZodLiteral<string> }>;

/** Actions that are tool calls, with a manual for a prompt or an instruction. */
export interface ToolActions<Act> extends ActionWords<Act> {
  /** One line per tool with its arguments, then how to write a call. */
  readonly manual: string;
}

/**
 * Defines actions that are tool calls, written as JSON: `{"name": "read_order", "arguments": {"order":
 * 123}}`.
 *
 * @param schema a discriminated union of the tools by `kind`
 * @param example a call that shows the format
 */
export function toolActions<Tools extends readonly [ToolSchema, ...ToolSchema[]]>(
  schema: z.ZodDiscriminatedUnion<Tools>,
  example: z.output<Tools[number]>,
): ToolActions<z.output<z.ZodDiscriminatedUnion<Tools>>> {
  type Act = z.output<z.ZodDiscriminatedUnion<Tools>>;
  const print = ({ kind, ...given }: { readonly kind: string }): string =>
    JSON.stringify({ name: kind, arguments: given });
  return {
    schema,
    print,
    parse: (text) => readReply<Act>(text, { schema, help: `Write a call such as ${print(example)}.` }),
    isSample: () => true, // language models write calls from the manual; only choice policies need the list
    manual: [
      'Tools:',
      ...schema.options.map(describeTool),
      `Write one call as JSON and nothing else, such as ${print(example)}.`,
    ].join('\n'),
  };
}

/** `- read_order: says what was ordered; takes order (integer, its number)`. */
function describeTool(tool: ToolSchema): string {
  const takes = Object.entries(z.toJSONSchema(tool).properties ?? {}).flatMap(([name, given]) =>
    name === 'kind' || typeof given === 'boolean'
      ? []
      : [`${name} (${String(given.type)}${given.description === undefined ? '' : `, ${given.description}`})`],
  );
  const said = tool.description === undefined ? '' : `: ${tool.description}`;
  return `- ${tool.shape.kind.value}${said}; takes ${takes.length === 0 ? 'nothing' : takes.join(', ')}`;
}
