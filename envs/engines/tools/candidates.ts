import type { Json } from '../../core/json.ts';
import { callAction, type End, type ToolAction } from './action.ts';
import type { ArgumentSpec } from './argument.ts';
import { fieldWords, mentionsIn, type SeenValues } from './seen-values.ts';
import type { RunnableTool } from './tool.ts';
import { instructionFor, questionFor } from './user.ts';

/** Calls of one tool that are listed, and values of one argument. */
const mostCallsOfTool = 48;
const mostValuesOfArgument = 24;
/** Values that are offered for telling. */
const mostTold = 24;

/** What a list of actions is made from: nothing but what was shown. */
export interface Offers {
  readonly tools: readonly RunnableTool[];
  readonly userTools: readonly RunnableTool[];
  readonly seen: SeenValues;
  /** What the user has said so far, the current request last. */
  readonly heard: readonly string[];
  readonly slots: readonly string[];
  readonly rules: readonly string[];
  readonly ends: readonly End[];
}

/** What the calls of a tool were made from, and the calls. */
interface Listed {
  readonly heard: string;
  readonly versions: readonly number[];
  readonly calls: readonly ToolAction[];
}

/** The lists of one episode. Calls of a tool are made again only where its arguments have new values. */
export class ActionListing {
  readonly #calls = new Map<RunnableTool, Listed>();

  /**
   * The actions worth choosing from: calls whose arguments come from what was shown, questions for slots, values
   * that the user asks about, and the ends. Other calls can be made too.
   */
  list(offers: Offers): readonly ToolAction[] {
    const { tools, userTools, seen, heard, slots, rules, ends } = offers;
    const said = heard.join('\n');
    const actions: ToolAction[] = [];
    for (const tool of tools) actions.push(...this.#callsOf(tool, seen, heard, said));
    for (const { name } of userTools) actions.push({ kind: 'say', text: instructionFor(name) });
    for (const slot of slots) actions.push({ kind: 'say', text: questionFor(slot) });
    actions.push(...tellingsOf(seen, heard));
    if (ends.includes('done')) actions.push({ kind: 'done' });
    if (ends.includes('refuse')) for (const rule of rules) actions.push({ kind: 'refuse', rule });
    if (ends.includes('transfer')) actions.push({ kind: 'transfer' });
    return Object.freeze(actions); // turns share it
  }

  #callsOf(
    tool: RunnableTool,
    seen: SeenValues,
    heard: readonly string[],
    said: string,
  ): readonly ToolAction[] {
    const versions = tool.specs.map(({ kind }) => seen.version(kind));
    const known = this.#calls.get(tool);
    if (
      known !== undefined &&
      known.heard === said &&
      known.versions.every((one, at) => one === versions[at])
    )
      return known.calls;
    const calls = callsOf(tool, seen, heard);
    this.#calls.set(tool, { heard: said, versions, calls });
    return calls;
  }
}

function callsOf(tool: RunnableTool, seen: SeenValues, heard: readonly string[]): readonly ToolAction[] {
  let rows: Readonly<Record<string, Json>>[] = [{}];
  const optional: ArgumentSpec[] = [];
  for (const spec of tool.specs) {
    if (!spec.isRequired) {
      optional.push(spec);
      continue;
    }
    const values = valuesFor(spec, seen, heard);
    const longer: Readonly<Record<string, Json>>[] = [];
    for (const row of rows) {
      if (longer.length >= mostCallsOfTool) break;
      for (const value of values) longer.push({ ...row, [spec.name]: value });
    }
    rows = longer.slice(0, mostCallsOfTool);
    if (rows.length === 0) return [];
  }
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
