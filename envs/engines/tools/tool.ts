import { z } from 'zod';
import { UsageError } from '../../core/errors.ts';
import { didYouMean, nearest } from '../../core/near-miss.ts';
import type { ToolDescription } from '../../core/textual.ts';
import { argumentsOf, fieldKinds, type ArgumentSpec } from './argument.ts';
import type { TableSchemas } from './tables.ts';
import type { Transaction, World } from './world.ts';

/** Why a tool refused a call. The first four are those of the built-in worlds. */
export type RefusalCode = 'not_found' | 'not_allowed' | 'bad_argument' | 'unavailable' | (string & {});

/** A call that a tool refused: the model's error, which it sees as a result. All changes of the call are taken back. */
export class Refusal {
  readonly code: RefusalCode;
  readonly message: string;

  constructor(code: RefusalCode, message: string) {
    this.code = code;
    this.message = message;
  }
}

/** Refuses a call: return it from a tool's `run`. */
export const refuse = (code: RefusalCode, message: string): Refusal => new Refusal(code, message);

/** A result that is shown in words of its own, such as one of a foreign server. Return it from a tool's `run`. */
export class TextResult {
  readonly text: string;
  /** The result as JSON, if it is any. Listed calls take arguments from it. */
  readonly value: unknown;

  constructor(text: string, value?: unknown) {
    this.text = text;
    this.value = value;
  }
}

/** What a tool gets beside its arguments and the world. */
export interface ToolContext {
  /** Aborts when the caller aborts or the deadline of the call passes. Every wait must heed it. */
  readonly signal: AbortSignal;
}

/** A tool as its author writes it. */
export interface ToolParts<
  Schemas extends TableSchemas,
  Input extends z.ZodObject,
  Output extends z.ZodType,
> {
  /** Letters, digits and underscores. */
  readonly name: string;
  readonly description: string;
  /** A strict object. Describe each argument with `.describe`. */
  readonly input: Input;
  /** The schema of the result, which is JSON. */
  readonly output: Output;
  /**
   * Does the call. The model's errors are returned with {@link refuse}. A tool that throws, or whose result
   * does not match `output`, is a fault of the world.
   */
  run(
    args: z.output<Input>,
    world: World<Schemas>,
    context: ToolContext,
  ): z.input<Output> | Refusal | Promise<z.input<Output> | Refusal>;
  /** Writes a result. Default: as JSON. */
  print?(result: z.output<Output>): string;
}

/** What was wrong with the arguments of a call, by the error classes of TL-Training. */
export type ArgumentError = 'missing-argument' | 'unknown-argument' | 'wrong-argument';

/** A tool whose types are erased. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** The JSON Schema of the arguments, where it says more than `input`, such as one of a foreign server. */
  readonly parameters?: ToolDescription['parameters'];
}

/** A tool of {@link defineTool}, as the kit uses it. */
export class RunnableTool implements Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  readonly parameters?: ToolDescription['parameters'];
  readonly specs: readonly ArgumentSpec[];
  /** The kinds of fields of its results. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Does a call whose arguments are valid; else says what is wrong with them. */
  readonly call: (given: unknown, world: Transaction, context: ToolContext) => Called;
  /** Writes a result that matches `output`; undefined: as JSON. */
  readonly print: ((result: unknown) => string) | undefined;

  constructor(
    { name, description, input, output, parameters }: Tool,
    call: RunnableTool['call'],
    print?: (result: unknown) => string,
  ) {
    this.name = name;
    this.description = description;
    this.input = input;
    this.output = output;
    if (parameters !== undefined) this.parameters = parameters;
    this.specs = argumentsOf(input);
    this.kinds = fieldKinds(output);
    this.call = call;
    this.print = print;
  }
}

export type Called =
  | { readonly kind: 'invalid'; readonly error: ArgumentError; readonly message: string }
  | { readonly kind: 'ran'; readonly result: unknown };

const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * Defines a tool over the tables of a world.
 *
 * @param tables the schemas of the tables, which type `world`
 * @throws UsageError for a name that models cannot call, and for an input that is no strict object
 */
export function defineTool<
  Schemas extends TableSchemas,
  Input extends z.ZodObject,
  const Output extends z.ZodType,
>(_tables: Schemas, parts: ToolParts<Schemas, Input, Output>): Tool {
  const { name, description, input, output } = parts;
  if (!namePattern.test(name))
    throw new UsageError({
      where: `tool ${JSON.stringify(name)}`,
      what: 'this is no name that models can call.',
      fix: 'Use at most 64 letters, digits and underscores, and no digit first.',
    });
  if (!(input instanceof z.ZodObject) || !(input.def.catchall instanceof z.ZodNever))
    throw new UsageError({
      where: `tool ${name}, input`,
      what: 'it is no strict object.',
      fix: 'Use z.strictObject({ … }).',
    });
  const call: RunnableTool['call'] = (given, world, context) => {
    const read = input.safeParse(given);
    return read.success
      ? { kind: 'ran', result: parts.run(read.data, world.view<Schemas>(), context) }
      : { kind: 'invalid', ...describeArguments(read.error, given, Object.keys(input.shape)) };
  };
  const print =
    parts.print === undefined
      ? undefined
      : (result: unknown): string => parts.print?.(result as z.output<Output>) ?? ''; // it was validated
  return new RunnableTool({ name, description, input, output }, call, print);
}

/** The first thing that is wrong with the arguments, in the order of the error classes. */
export function describeArguments(
  { issues }: z.ZodError,
  given: unknown,
  names: readonly string[],
): { readonly error: ArgumentError; readonly message: string } {
  const has = (name: PropertyKey | undefined): boolean =>
    typeof given === 'object' && given !== null && name !== undefined && Object.hasOwn(given, name);
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys' || issue.path.length > 0) continue;
    const [name = ''] = issue.keys;
    const hint = didYouMean(nearest(name, names));
    return {
      error: 'unknown-argument',
      message: `There is no argument ${JSON.stringify(name.slice(0, 80))}. ${hint}The arguments are: ${names.join(', ') || 'none'}.`,
    };
  }
  const missing = issues.find(({ path }) => path.length === 1 && !has(path[0]));
  if (missing !== undefined)
    return { error: 'missing-argument', message: `The argument ${String(missing.path[0])} is missing.` };
  const [issue] = issues;
  const place = issue?.path.join('.') ?? '';
  return {
    error: 'wrong-argument',
    message: `${place === '' ? 'The arguments' : `The argument ${place}`} cannot be used: ${issue?.message ?? 'invalid'}.`,
  };
}

/** The tool as its description for models that call tools natively. */
export function describeForModel({
  name,
  description,
  input,
  parameters: given,
}: Pick<Tool, 'name' | 'description' | 'input' | 'parameters'>): ToolDescription {
  if (given !== undefined) return { name, description, parameters: given };
  const { $schema: _schema, ...parameters } = z.toJSONSchema(input, { io: 'input' });
  return { name, description, parameters: parameters as ToolDescription['parameters'] }; // JSON Schema is JSON
}

/** The tool in the form of OpenAI's `tools`. */
export const functionTool = (tool: Pick<Tool, 'name' | 'description' | 'input'>): FunctionTool => ({
  type: 'function',
  function: describeForModel(tool),
});

/** A tool in the form of OpenAI's `tools`. */
export interface FunctionTool {
  readonly type: 'function';
  readonly function: ToolDescription;
}

/** One line: `- refund: pays an order back; takes order (string, its number), fast (boolean, optional)`. */
export function describeTool(tool: Pick<Tool, 'name' | 'description' | 'input' | 'parameters'>): string {
  const takes = tool.parameters === undefined ? takenBy(tool.input) : JSON.stringify(tool.parameters);
  return `- ${tool.name}: ${tool.description}; takes ${takes}`;
}

/** By the schema: every instruction lists the same tools. */
const taken = new WeakMap<z.ZodObject, string>();

function takenBy(input: z.ZodObject): string {
  const text = taken.get(input) ?? listArguments(input);
  taken.set(input, text);
  return text;
}

function listArguments(input: z.ZodObject): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' });
  const takes = Object.entries(properties).map(([name, given]) => {
    if (typeof given === 'boolean') return name;
    const { type, enum: options, description } = given;
    const parts = [
      options === undefined
        ? String(type ?? 'value')
        : options.map((one) => JSON.stringify(one)).join(' or '),
      ...(required.includes(name) ? [] : ['optional']),
      ...(description === undefined ? [] : [description]),
    ];
    return `${name} (${parts.join(', ')})`;
  });
  return takes.length === 0 ? 'nothing' : takes.join(', ');
}
