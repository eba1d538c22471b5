import type { Json } from '../../core/json.ts';
import { callAction, type ToolAction } from './action.ts';
import type { ArgumentSpec } from './argument.ts';
import { fieldWords, mentionsIn, type SeenValues } from './seen-values.ts';
import type { Tool } from './tool.ts';
import { instructionFor, questionFor } from './user.ts';

/** Calls of one tool that are listed, and values of one argument. */
const mostCallsOfTool = 48;
const mostValuesOfArgument = 24;
/** Values that are offered for telling. */
const mostTold = 24;

/** What a list of actions is made from: nothing but what was shown. */
export interface Offers {
  readonly tools: readonly Tool[];
  readonly userTools: readonly Tool[];
  readonly seen: SeenValues;
  /** What the user has said so far, the current request last. */
  readonly heard: readonly string[];
  readonly slots: readonly string[];
  readonly rules: readonly string[];
}

/**
 * The actions worth choosing from: calls whose arguments come from what was shown, questions for slots, values
 * that the user asks about, and the ends. Other calls can be made too.
 */
export function listActions(offers: Offers): readonly ToolAction[] {
  const { tools, userTools, seen, heard, slots, rules } = offers;
  return [
    ...tools.flatMap((tool) => callsOf(tool, seen, heard)),
    ...userTools.map((tool): ToolAction => ({ kind: 'say', text: instructionFor(tool.name) })),
    ...slots.map((slot): ToolAction => ({ kind: 'say', text: questionFor(slot) })),
    ...tellingsOf(seen, heard),
    { kind: 'done' },
    ...rules.map((rule): ToolAction => ({ kind: 'refuse', rule })),
    { kind: 'transfer' },
  ];
}

function callsOf(tool: Tool, seen: SeenValues, heard: readonly string[]): readonly ToolAction[] {
  const required = tool.specs.filter(({ isRequired }) => isRequired);
  let rows: readonly Readonly<Record<string, Json>>[] = [{}];
  for (const spec of required) {
    const values = valuesFor(spec, seen, heard);
    rows = rows
      .flatMap((row) => values.map((value) => ({ ...row, [spec.name]: value })))
      .slice(0, mostCallsOfTool);
  }
  const optional = tool.specs.filter(({ isRequired }) => !isRequired);
  const more = optional.flatMap((spec) =>
    valuesFor(spec, seen, heard).flatMap((value) => rows.map((row) => ({ ...row, [spec.name]: value }))),
  );
  return [...rows, ...more].slice(0, mostCallsOfTool).map((given) => callAction(tool.name, given));
}

/** The values that an argument can take: its options, what results have shown of its kind, and what the user mentions. */
function valuesFor(spec: ArgumentSpec, seen: SeenValues, heard: readonly string[]): readonly Json[] {
  if (spec.options !== undefined) return spec.options;
  if (spec.type === 'other') return [];
  const shown = seen.of(spec.kind).filter((value) => accepts(spec, value));
  const mentioned = heard.flatMap((text) => mentionedFor(spec, text));
  return [...new Set<Json>([...mentioned, ...shown])].slice(0, mostValuesOfArgument);
}

function mentionedFor(spec: ArgumentSpec, text: string): readonly Json[] {
  const { quoted, numbers, words } = mentionsIn(text);
  const found: readonly Json[] =
    spec.type === 'number' ? numbers : spec.isNarrow ? [...quoted, ...words] : quoted;
  return found.filter((value) => accepts(spec, value));
}

const accepted = new WeakMap<ArgumentSpec, Map<Json, boolean>>();

/** Whether the schema accepts the value. Each value is tried once. */
function accepts(spec: ArgumentSpec, value: Json): boolean {
  let known = accepted.get(spec);
  if (known === undefined || known.size > 20_000) {
    known = new Map();
    accepted.set(spec, known);
  }
  let is = known.get(value);
  if (is === undefined) {
    is = spec.schema.safeParse(value).success;
    known.set(value, is);
  }
  return is;
}

/** Values of fields whose name is in the current request, such as `say total: 41.5`. */
function tellingsOf(seen: SeenValues, heard: readonly string[]): readonly ToolAction[] {
  const asked = new Set((heard.at(-1) ?? '').toLowerCase().match(/\p{L}+/gu) ?? []);
  return seen
    .names()
    .filter((name) => name !== '' && !name.includes('.') && fieldWords(name).every((word) => asked.has(word)))
    .flatMap((name) =>
      seen
        .of(name)
        .map((value): ToolAction => ({ kind: 'say', text: `${name.replaceAll('_', ' ')}: ${value}` })),
    )
    .slice(0, mostTold);
}
