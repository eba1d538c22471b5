import type { Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { ToolDescription } from '../core/textual.ts';
import { describeArguments } from '../engines/tools/tool.ts';
import { inputOf } from './input-schema.ts';

/** Characters of a description that models see. */
const longestDescription = 2_000;

/** Says what is wrong with structured content; undefined where it matches the tool's own schema. */
export type OutputFlaw = (structured: unknown) => string | undefined;

/** A tool of a server, as episodes offer it. */
export interface OfferedTool {
  /** `server.tool`. */
  readonly name: string;
  readonly server: string;
  /** The name on its server. */
  readonly tool: string;
  readonly description: string;
  readonly parameters: ToolDescription['parameters'];
  readonly input: z.ZodObject;
  /** Absent where the tool promises no structured content. */
  readonly outputFlaw: OutputFlaw | undefined;
  /** Whether the server says that the tool changes nothing. Anchor keys depend on it, and nothing else. */
  readonly isReadOnly: boolean;
}

const anyObject: z.ZodType<ToolDescription['parameters']> = z.record(z.string(), z.json());

/** The tool of a listing. `outputFlaw` makes the validator of an output schema; it is called on the first result. */
export function offerTool(
  server: string,
  listed: Tool,
  outputFlaw: (schema: NonNullable<Tool['outputSchema']>) => OutputFlaw,
): OfferedTool {
  const { $schema: _schema, ...parameters } = anyObject.parse(JSON.parse(JSON.stringify(listed.inputSchema)));
  const schema = listed.outputSchema;
  let flaw: OutputFlaw | undefined;
  return {
    name: `${server}.${listed.name}`,
    server,
    tool: listed.name,
    description: (listed.description ?? listed.title ?? 'no description').slice(0, longestDescription),
    parameters,
    input: inputOf(listed.inputSchema),
    outputFlaw: schema === undefined ? undefined : (structured) => (flaw ??= outputFlaw(schema))(structured),
    isReadOnly: listed.annotations?.readOnlyHint === true,
  };
}

/** What is wrong with the arguments of a call, if it is found before the server sees them. */
export function argumentFlaw(
  { input }: OfferedTool,
  given: unknown,
): ReturnType<typeof describeArguments> | undefined {
  const read = input.safeParse(given);
  return read.success ? undefined : describeArguments(read.error, given, Object.keys(input.shape));
}
