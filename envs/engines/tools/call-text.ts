import type { Json } from '../../core/json.ts';
import { isRecord } from '../../core/result-shape.ts';
import type { Reply } from '../../core/textual.ts';
import { longestMessage, mostCalls, toolActionSchema, type ToolAction, type ToolCall } from './action.ts';

/** How to write an action, for a malformed reply. */
const help =
  'Write {"name": "TOOL", "arguments": {…}}, a list of such calls, or TOOL argument=value; argument=value.';

/** The action in words: `refund order=ab_12; fast=true`, `say TEXT`, `done`. Several calls are a JSON list. */
export function printAction(action: ToolAction): string {
  switch (action.kind) {
    case 'calls': {
      const [call, ...others] = action.calls;
      return call !== undefined && others.length === 0 ? printCall(call) : JSON.stringify(action.calls);
    }
    case 'say':
      return isPlainLine(action.text)
        ? `say ${action.text}`
        : JSON.stringify({ name: 'say', arguments: { text: action.text } });
    case 'refuse':
      return printCall({ name: 'refuse', arguments: { rule: action.rule } });
    case 'done':
    case 'transfer':
      return action.kind;
    default:
      return action satisfies never;
  }
}

const isPlainLine = (text: string): boolean => text === text.trim() && !/[\r\n]/.test(text);
const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Names of tools may have dots and hyphens inside, such as `files.read-file`. */
const toolPattern = /^[A-Za-z_](?:[\w.-]*\w)?$/;
/** Words that a call without arguments could be mistaken for. */
const reserved = new Set(['say', 'done', 'transfer', 'refuse']);

function printCall(call: ToolCall): string {
  const names = Object.keys(call.arguments);
  if (!toolPattern.test(call.name) || !names.every((name) => namePattern.test(name)))
    return JSON.stringify(call);
  if (reserved.has(call.name) && call.name !== 'refuse') return JSON.stringify(call);
  const given = names.map((name) => `${name}=${printValue(call.arguments[name] as Json)}`);
  return given.length === 0 ? call.name : `${call.name} ${given.join('; ')}`;
}

/** A string stands without quotes where it can be read back as one. */
function printValue(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isBare = value !== '' && isPlainLine(value) && !/[";[\]{}]/.test(value) && !bareJson.test(value);
  return isBare ? value : JSON.stringify(value);
}

/** Texts that are JSON values without brackets and quotes. To try `JSON.parse` costs more than the rest of a step. */
const bareJson = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Reads an action from the reply of a player: JSON in the forms of the common servers and templates, or words. */
export function parseAction(text: string): Reply<ToolAction> {
  const malformed = (why: string): Reply<ToolAction> => ({ kind: 'malformed', why: `${why} ${help}`, text });
  const said = withoutTags(text);
  if (said === '') return malformed('Nothing was said.');
  if (/^[[{]/.test(said)) {
    const read = readJson(said);
    return typeof read === 'string' ? malformed(read) : checked(read, malformed);
  }
  const [, saying] = /^say[ :]\s*(\S[\s\S]*)$/i.exec(said) ?? [];
  if (saying !== undefined) return checked({ kind: 'say', text: saying }, malformed);
  if (/[\r\n]/.test(said)) return malformed('That is several lines and no JSON.');
  const call = readWords(said);
  return typeof call === 'string' ? malformed(call) : checked(actionOf([call]), malformed);
}

type Malformed = (why: string) => Reply<ToolAction>;

/** The text without a Markdown fence, and without the tags that Qwen's and Hermes' templates ask for. */
function withoutTags(text: string): string {
  const said = text.trim();
  const tagged = [...said.matchAll(/<tool_call>([\s\S]*?)<\/tool_call>/g)].map(([, call = '']) =>
    call.trim(),
  );
  if (tagged.length === 1) return tagged[0] ?? '';
  if (tagged.length > 1) return `[${tagged.join(',')}]`;
  if (!said.startsWith('```') || !said.endsWith('```') || said.length < 6) return said;
  return said
    .slice(3, -3)
    .replace(/^(?:json|tool_code)\s/i, '')
    .trim();
}

/** Levels of nesting in arguments, which validation walks through recursively. */
const deepest = 40;

function readJson(said: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(said);
  } catch {
    return 'That is no JSON.';
  }
  if (isDeeper(value, deepest)) return `That has over ${deepest} levels.`;
  if (Array.isArray(value)) {
    const calls = value.map(callOf);
    return calls.length === 0 || calls.includes(undefined)
      ? 'A list must hold calls with a name and arguments.'
      : actionOf(calls as ToolCall[]);
  }
  if (!isRecord(value)) return 'That is no call.';
  const listed = value['tool_calls'] ?? (value['kind'] === undefined ? value['calls'] : undefined);
  if (Array.isArray(listed)) return readJson(JSON.stringify(listed));
  if (value['kind'] !== undefined && value['name'] === undefined) return value;
  const call = callOf(value);
  return call === undefined ? 'A call has a name and arguments, which are an object.' : actionOf([call]);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/** A call as servers write it: with arguments as an object or as JSON text, in itself or under `function`. */
function callOf(value: unknown): ToolCall | undefined {
  if (!isRecord(value)) return undefined;
  const inner = isRecord(value['function']) ? value['function'] : value;
  const { name, arguments: given = inner['parameters'] ?? {} } = inner as {
    readonly name?: unknown;
    readonly arguments?: unknown;
  };
  const read = typeof given === 'string' ? parsed(given === '' ? '{}' : given) : given;
  if (typeof name !== 'string' || name === '' || !isRecord(read) || Array.isArray(read)) return undefined;
  return { name, arguments: read as ToolCall['arguments'] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The words that are no tools may stand as calls too. */
function actionOf(calls: readonly ToolCall[]): unknown {
  const [call] = calls;
  if (calls.length !== 1 || call === undefined) return { kind: 'calls', calls };
  switch (call.name) {
    case 'say':
      return { kind: 'say', ...call.arguments };
    case 'refuse':
      return { kind: 'refuse', ...call.arguments };
    case 'done':
    case 'transfer':
      return { kind: call.name, ...call.arguments };
    default:
      return { kind: 'calls', calls };
  }
}

/** `refund order=ab_12; fast=true`. */
function readWords(said: string): ToolCall | string {
  const [, name = '', rest = ''] = /^([A-Za-z_](?:[\w.-]*\w)?)(?:\s+([\s\S]+))?$/.exec(said) ?? [];
  if (name === '') return 'No action was recognised.';
  const given: Record<string, Json> = {};
  for (const part of splitArguments(rest)) {
    const at = part.indexOf('=');
    const key = part.slice(0, at).trim();
    if (at < 1 || !namePattern.test(key)) return 'No action was recognised.';
    const value = part.slice(at + 1).trim();
    Object.defineProperty(given, key, { value: valueOf(value), enumerable: true, configurable: true });
  }
  return { name, arguments: given };
}

function valueOf(text: string): Json {
  if (!bareJson.test(text) && !/^["[{]/.test(text)) return text;
  const value = parsed(text) as Json | undefined;
  return value === undefined || isDeeper(value, deepest) ? text : value;
}

/** Splits at semicolons outside of quotes and brackets. */
function splitArguments(text: string): readonly string[] {
  const parts: string[] = [];
  let [from, depth, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted && sign === '\\') at += 1;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === '[' || sign === '{')) depth += 1;
    else if (!quoted && (sign === ']' || sign === '}')) depth -= 1;
    else if (sign === ';' && !quoted && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  const last = text.slice(from);
  return last.trim() === '' ? parts : [...parts, last];
}

function checked(value: unknown, malformed: Malformed): Reply<ToolAction> {
  const read = toolActionSchema.safeParse(value);
  if (read.success) return { kind: 'action', action: read.data };
  const [issue] = read.error.issues;
  if (issue?.code === 'too_big')
    return malformed(
      `At most ${mostCalls} calls, and ${longestMessage} characters of a message, can be sent.`,
    );
  const place = issue?.path.join('.') ?? '';
  return malformed(`${place === '' ? '' : `${place}: `}${issue?.message ?? 'That is no action'}.`);
}
