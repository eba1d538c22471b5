import { z } from 'zod';
import type { Json } from '../../envs/core/json.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Reply, Textual, ToolCall, ToolDescription, ToolWords } from '../../envs/core/textual.ts';

/** What tools are derived from. */
export interface ToolSource<Act> {
  readonly text: Textual<never, Act>;
  /** The schema of actions. Without it, every action is written in words. */
  readonly action?: z.ZodType<Act> | undefined;
}

/** The tools of one turn, and what a call of them means. */
export interface OfferedTools<Act> {
  readonly tools: readonly ToolDescription[];
  /** Listed actions that the tools do not show. */
  readonly leftOut: number;
  readonly read: (call: ToolCall) => Reply<Act>;
  /** What several calls of one reply mean; absent where only the first one counts. */
  readonly readAll?: (calls: readonly ToolCall[]) => Reply<Act>;
  /** Whether the env answers a call of an unknown tool; otherwise such a call is malformed. */
  readonly answersUnknown?: boolean;
}

/** The name of the only tool, where actions are not tools themselves. */
const actName = 'act';

/** Servers take no other names. */
const validName = /^[a-zA-Z0-9_-]{1,64}$/;
const longestName = 64;

/**
 * The tools of a turn: those of the env if it has some. Otherwise one tool `act`, which takes one of the
 * listed actions in words. If no actions are listed, the tools follow from the schema of actions: one tool
 * for each variant of a union of objects, or `act` with the keys of an object. Any other action is written
 * in words.
 *
 * @param listed the admissible actions and their words; undefined if they are not listed
 * @param most most listed actions that a tool shows
 */
export function offerTools<Act>(
  { text, action }: ToolSource<Act>,
  listed: { readonly actions: readonly Act[]; readonly words: readonly string[] } | undefined,
  most: number,
): OfferedTools<Act> {
  if (text.tools !== undefined) return ofEnv(text.tools, listed?.actions);
  if (listed !== undefined) return inWords(text, listed.words, most);
  return (action === undefined ? undefined : ofSchema(action)) ?? inWords(text, undefined, most);
}

function ofEnv<Act>(words: ToolWords<Act>, admissible: readonly Act[] | undefined): OfferedTools<Act> {
  const readAll = words.readAll?.bind(words);
  const described = words.list(admissible);
  const ownNames = new Map<string, string>();
  const tools = described.map((tool) => {
    const name = serverName(tool.name, (taken) => ownNames.has(taken));
    ownNames.set(name, tool.name);
    return { ...tool, name };
  });
  const named = (call: ToolCall): ToolCall => ({ ...call, name: ownNames.get(call.name) ?? call.name });
  return {
    tools,
    leftOut: 0,
    read: (call) => words.read(named(call)),
    ...(readAll === undefined ? {} : { readAll: (calls: readonly ToolCall[]) => readAll(calls.map(named)) }),
    ...(words.answersUnknown === true ? { answersUnknown: true } : {}),
  };
}

/** The name of a tool as servers accept it: `files.read` becomes `files_read`, with a number if that is taken. */
function serverName(name: string, isTaken: (name: string) => boolean): string {
  const valid = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, longestName);
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : `_${number}`;
    const candidate = `${valid.slice(0, longestName - ending.length)}${ending}`;
    if (!isTaken(candidate)) return candidate;
  }
}

const wordsSchema = z.object({ action: z.string() });

function inWords<Act>(
  text: Textual<never, Act>,
  words: readonly string[] | undefined,
  most: number,
): OfferedTools<Act> {
  const shown = words?.slice(0, most);
  const leftOut = (words?.length ?? 0) - (shown?.length ?? 0);
  const action: Record<string, Json> =
    shown === undefined || shown.length === 0
      ? { type: 'string', description: 'the action in words, as the environment expects it' }
      : leftOut === 0
        ? { type: 'string', enum: [...shown], description: 'one of the actions that can be done now' }
        : {
            type: 'string',
            description: `one of the actions that can be done now: ${shown.join('; ')}; and ${leftOut} more, which are left out here`,
          };
  return {
    tools: [
      {
        name: actName,
        description: 'Does one action in the environment and returns what is observed then.',
        parameters: {
          type: 'object',
          properties: { action },
          required: ['action'],
          additionalProperties: false,
        },
      },
    ],
    leftOut,
    read: ({ arguments: given }) => {
      const parsed = wordsSchema.safeParse(given);
      return parsed.success
        ? text.parse(parsed.data.action)
        : refusal(`Call ${actName} with the action in words: ${describeIssues(parsed.error)}.`, given);
    },
  };
}

const objectSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.looseObject({ const: z.unknown().optional() })),
  required: z.array(z.string()).default([]),
  description: z.string().optional(),
});
type ObjectSchema = z.output<typeof objectSchema>;

const unionSchema = z.union([
  z.looseObject({ oneOf: z.array(objectSchema).min(1) }).transform(({ oneOf }) => oneOf),
  z.looseObject({ anyOf: z.array(objectSchema).min(1) }).transform(({ anyOf }) => anyOf),
]);

/** The tools that follow from a schema; undefined if its actions are no objects, or not expressible. */
function ofSchema<Act>(schema: z.ZodType<Act>): OfferedTools<Act> | undefined {
  const document = jsonSchemaOf(schema);
  if (document === undefined) return undefined;
  const whole = objectSchema.safeParse(document);
  const read = (value: Json): Reply<Act> => {
    const parsed = schema.safeParse(value);
    return parsed.success
      ? { kind: 'action', action: parsed.data }
      : refusal(`That is no action: ${describeIssues(parsed.error)}.`, value);
  };
  if (whole.success) {
    const { description = 'Does one action in the environment and returns what is observed then.' } =
      whole.data;
    const parameters = parametersOf(whole.data);
    return {
      tools: [{ name: actName, description, parameters }],
      leftOut: 0,
      read: ({ arguments: given }) => read(given),
    };
  }
  const variants = unionSchema.safeParse(document);
  const named = variants.success ? namedVariants(variants.data) : undefined;
  if (named === undefined) return undefined;
  return {
    tools: named.variants.map(({ name, variant }) => ({
      name,
      description: variant.description ?? `Does the action ${name} and returns what is observed then.`,
      parameters: parametersOf(variant, named.key),
    })),
    leftOut: 0,
    read: ({ name, arguments: given }) => read({ ...given, [named.key]: name }),
  };
}

/** Plain JSON schema; undefined if zod cannot express it, or only with references. */
function jsonSchemaOf(schema: z.ZodType): Json | undefined {
  try {
    const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }));
    return text.includes('"$ref"') ? undefined : z.json().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The variants of a union by the key whose constant names them, such as `kind`. */
function namedVariants(variants: readonly ObjectSchema[]):
  | {
      readonly key: string;
      readonly variants: readonly { readonly name: string; readonly variant: ObjectSchema }[];
    }
  | undefined {
  const [first] = variants;
  for (const key of first?.required ?? []) {
    const names = variants.map(({ properties }) => properties[key]?.const);
    const isNaming =
      names.every((name) => typeof name === 'string' && validName.test(name)) &&
      new Set(names).size === names.length;
    if (!isNaming) continue;
    return { key, variants: variants.map((variant, at) => ({ name: String(names[at]), variant })) };
  }
  return undefined;
}

function parametersOf(
  { properties, required }: ObjectSchema,
  without?: string,
): Readonly<Record<string, Json>> {
  const kept = (name: string): boolean => name !== without;
  const given = Object.fromEntries(Object.entries(properties).filter(([name]) => kept(name)));
  return {
    type: 'object',
    properties: z.record(z.string(), z.json()).parse(given),
    required: required.filter(kept),
    additionalProperties: false,
  };
}

const refusal = (why: string, given: Json): Reply<never> => ({
  kind: 'malformed',
  why,
  text: JSON.stringify(given),
});

/** A call as a model wrote it: the arguments are JSON, if it kept to the protocol. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
}

/** A call in one line, for records and people. */
export const describeCall = ({ name, arguments: given }: WrittenCall): string => `${name}(${given})`;

const argumentsSchema = z.record(z.string(), z.json());

/** The call that a model wrote, or why it cannot be read. */
export function readCall(
  { name, arguments: written }: WrittenCall,
  { tools, answersUnknown = false }: Pick<OfferedTools<never>, 'tools' | 'answersUnknown'>,
): { readonly kind: 'call'; readonly call: ToolCall } | { readonly kind: 'malformed'; readonly why: string } {
  const isAnswered = answersUnknown && validName.test(name);
  if (!isAnswered && tools.every((tool) => tool.name !== name))
    return {
      kind: 'malformed',
      why: `There is no tool ${JSON.stringify(name)}. The tools are ${tools.map((tool) => tool.name).join(', ')}.`,
    };
  let value: unknown;
  try {
    value = written.trim() === '' ? {} : JSON.parse(written);
  } catch {
    value = undefined;
  }
  const parsed = argumentsSchema.safeParse(value);
  return parsed.success
    ? { kind: 'call', call: { name, arguments: parsed.data } }
    : { kind: 'malformed', why: `The arguments of ${name} are not a JSON object.` };
}

/** The calls of a reply, or why the first wrong one cannot be read. */
export function readCalls(
  written: readonly WrittenCall[],
  offered: Pick<OfferedTools<never>, 'tools' | 'answersUnknown'>,
):
  | { readonly kind: 'calls'; readonly calls: readonly ToolCall[] }
  | { readonly kind: 'malformed'; readonly why: string } {
  const calls: ToolCall[] = [];
  for (const each of written) {
    const read = readCall(each, offered);
    if (read.kind === 'malformed') return read;
    calls.push(read.call);
  }
  return { kind: 'calls', calls };
}
