import type { Json } from '../core/json.ts';
import { callAction, type ToolAction } from '../engines/tools/action.ts';
import type { ToolObservation } from '../engines/tools/observation.ts';
import { instructionFor, questionFor } from '../engines/tools/user.ts';

/** What a solver of a request knows: the values of the message, and which tools there are. */
export interface Asked {
  readonly values: Readonly<Record<string, string>>;
  readonly tools: ReadonlySet<string>;
  /** Puts equally good items in an order of chance. */
  order(items: readonly string[]): readonly string[];
}

/** How a request ends. */
export type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'refuse'; readonly rule: string }
  | { readonly kind: 'transfer' };

/** Yields actions and gets what is seen after each. It returns how the request ends. */
export type Procedure = Generator<ToolAction, Ending, ToolObservation>;
type Part<Result> = Generator<ToolAction, Result, ToolObservation>;

export const done: Ending = { kind: 'done' };
export const forbidden = (rule: string): Ending => ({ kind: 'refuse', rule });

/** Thrown where the tool that a request needs is missing. */
export class MissingTool extends Error {
  override readonly name = 'MissingTool';
}

/** The fields of a result. */
export type Fields = Readonly<Record<string, Json>>;

/** Calls a tool, again while it is unavailable. Undefined where it refuses. */
export function* call(name: string, given: Readonly<Record<string, Json>> = {}): Part<Fields | undefined> {
  for (;;) {
    const { results } = yield callAction(name, given);
    const [result] = results;
    if (result?.error === 'unavailable') continue;
    return result === undefined || result.error !== undefined
      ? undefined
      : (JSON.parse(result.text) as Fields);
  }
}

/** Calls the tool that does what is asked. */
export function* act(asked: Asked, name: string, given: Readonly<Record<string, Json>> = {}): Part<Fields> {
  if (!asked.tools.has(name)) throw new MissingTool();
  return (yield* call(name, given)) ?? {};
}

/** Asks the user. Returns the value in the answer: what stands in quotes. */
export function* ask(label: string): Part<string> {
  const { user = '' } = yield { kind: 'say', text: questionFor(label) };
  return /"([^"]*)"/.exec(user)?.[1] ?? '';
}

/** Lets the user use a tool of their own. Returns what the user says. */
export function* letUser(tool: string): Part<string> {
  const { user = '' } = yield { kind: 'say', text: instructionFor(tool) };
  return user;
}

/** Tells the user the value of a field. */
export function* tell(field: string, value: Json | undefined): Part<void> {
  yield { kind: 'say', text: `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}` };
}

/** Tries a value of the message on a tool, asks for it where it is missing, and asks again where nothing is found. */
export function* lookUp(
  asked: Asked,
  slot: { readonly name: string; readonly label: string },
  look: { readonly tool: string; readonly argument: string },
): Part<{ readonly value: string; readonly found: Fields }> {
  let value = asked.values[slot.name];
  for (let tries = 0; tries < 3; tries += 1) {
    value ??= yield* ask(slot.label);
    const found = yield* call(look.tool, { [look.argument]: value });
    if (found !== undefined) return { value, found };
    value = undefined;
  }
  return { value: value ?? '', found: {} };
}

/** The texts of a list in a result. */
export const listIn = (fields: Fields | undefined, name: string): readonly string[] => {
  const list = fields?.[name];
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
};

/** Looks at the items of a list, in an order of chance, until one fits. */
export function* findAmong(
  asked: Asked,
  ids: readonly string[],
  look: { readonly tool: string; readonly argument: string },
  fits: (found: Fields) => boolean,
): Part<{ readonly id: string; readonly found: Fields } | undefined> {
  for (const id of asked.order(ids)) {
    const found = yield* call(look.tool, { [look.argument]: id });
    if (found !== undefined && fits(found)) return { id, found };
  }
  return undefined;
}
