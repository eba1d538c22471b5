import { canonicalJson, type Json } from '../core/json.ts';
import { messageOf, type UsageError } from '../core/errors.ts';
import type { ToolCall } from '../engines/tools/action.ts';
import { freezeDeep, type AnyRow, type StartTable, type TableSchemas } from '../engines/tools/tables.ts';
import { Refusal, RunnableTool } from '../engines/tools/tool.ts';
import { Transaction, WorldState } from '../engines/tools/world.ts';
import { damaged } from './data-folder.ts';
import { merged } from './database.ts';
import type { Domain, DomainSide, Side } from './domain.ts';
import { wordFailure } from './python/call-errors.ts';
import type { Message, Tau2Task } from './task-file.ts';

/** What all tasks of a domain share. */
export interface DomainStart {
  readonly domain: Domain;
  readonly schemas: TableSchemas;
  readonly tables: Readonly<Record<string, StartTable>>;
}

/** A call of a message before the task, with its result as recorded. */
interface RecordedCall {
  readonly by: Side;
  readonly call: ToolCall;
  readonly result: string;
}

const sideOf = (domain: Domain, side: Side): DomainSide | undefined =>
  side === 'assistant' ? domain.agent : domain.user;

/**
 * The rows of a task that differ from the files: its data are merged, then its functions are called, and then the calls
 * of its messages that change something are repeated.
 *
 * @param where the file and the task, for errors
 * @throws UsageError where one of them fails, or a result is not the recorded one
 */
export function factsOf(
  where: string,
  { initial_state: state }: Tau2Task,
  { domain, schemas, tables }: DomainStart,
): Readonly<Record<string, readonly AnyRow[]>> {
  const world = new WorldState({ schemas, start: tables, facts: new Map() });
  const data = state?.initialization_data;
  for (const update of [data?.agent_data, data?.user_data]) {
    if (update !== null && update !== undefined) mergeInto(world, update, { where, schemas });
  }
  for (const [at, call] of (state?.initialization_actions ?? []).entries()) {
    const result = runFunction(domain, call, world);
    if (result instanceof Refusal)
      throw damaged(
        `${where}, initialization_actions ${at}, ${call.func_name}`,
        `it fails: ${result.message}`,
      );
  }
  for (const { by, call, result } of recordedCalls(where, state?.message_history ?? [])) {
    if (sideOf(domain, by)?.changing.has(call.name) !== true) continue;
    const now = callText(domain, by, call, world);
    if (sameContent(now, result)) continue;
    throw damaged(
      `${where}, message_history, ${call.name}`,
      `the call returns ${now.slice(0, 200)}, and the messages have ${result.slice(0, 200)}`,
    );
  }
  return Object.fromEntries(
    Object.entries(world.changes().put).map(([table, rows]) => [table, Object.values(rows)]),
  );
}

function mergeInto(
  world: WorldState,
  update: Readonly<Record<string, Readonly<Record<string, Json>>>>,
  { where, schemas }: { readonly where: string; readonly schemas: TableSchemas },
): void {
  for (const [table, rows] of Object.entries(update)) {
    const place = `${where}, initialization_data, ${table}`;
    if (!Object.hasOwn(schemas, table)) throw damaged(place, 'the domain has no such table');
    for (const [id, part] of Object.entries(rows)) {
      const before = world.peek(table, id);
      const row = merged(before ?? { id, place: world.keys(table).length }, part);
      try {
        world.set(table, id, freezeDeep(world.parse(table, row)));
      } catch (thrown) {
        throw damaged(`${place}, ${id}`, messageOf(thrown));
      }
    }
  }
}

/** Calls a function or a tool. What a failed one did is taken back. */
export function runFunction(
  domain: Domain,
  of: { readonly env_type: Side; readonly func_name: string; readonly arguments: ToolCall['arguments'] },
  world: WorldState,
): unknown {
  const { env_type, func_name, arguments: given } = of;
  const side = sideOf(domain, env_type);
  const own =
    side !== undefined && Object.hasOwn(side.functions, func_name) ? side.functions[func_name] : undefined;
  const transaction = new Transaction(world);
  const result =
    own === undefined
      ? called(side, { name: func_name, arguments: given }, transaction)
      : own.input.safeParse(given).success
        ? own.run(given, transaction.view<TableSchemas>())
        : new Refusal('error', 'its arguments do not fit the function');
  if (result instanceof Refusal) transaction.rollBack();
  else transaction.commit();
  return result;
}

function called(side: DomainSide | undefined, call: ToolCall, transaction: Transaction): unknown {
  const tool = side?.tools.find(({ name }) => name === call.name);
  if (!(tool instanceof RunnableTool)) return new Refusal('error', 'there is no such function');
  const context = { signal: new AbortController().signal };
  const result = tool.call(call.arguments, transaction, context);
  return result.kind === 'ran' ? result.result : new Refusal('error', result.message);
}

/** The text that a call returns, as the original writes it. */
function callText(domain: Domain, by: Side, call: ToolCall, world: WorldState): string {
  const side = sideOf(domain, by);
  const tool = side?.tools.find(({ name }) => name === call.name);
  const result = runFunction(
    domain,
    { env_type: by, func_name: call.name, arguments: call.arguments },
    world,
  );
  if (result instanceof Refusal) {
    const failure = { call, tool, error: 'refused', code: result.code, message: result.message } as const;
    return wordFailure(side?.className ?? '', failure);
  }
  return tool instanceof RunnableTool && tool.print !== undefined
    ? tool.print(result)
    : JSON.stringify(result);
}

function sameContent(one: string, other: string): boolean {
  const read = (text: string): string => {
    try {
      return canonicalJson(JSON.parse(text));
    } catch {
      return text;
    }
  };
  return read(one) === read(other);
}

/** @throws UsageError where a call has no result */
function recordedCalls(where: string, messages: readonly Message[]): readonly RecordedCall[] {
  const calls: RecordedCall[] = [];
  let expected: { readonly id: string; readonly by: Side; readonly call: ToolCall }[] = [];
  const refusal = (at: number, what: string): UsageError => damaged(`${where}, message_history ${at}`, what);
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      const next = expected.shift();
      if (next === undefined) throw refusal(at, 'a result follows no call');
      if (next.id !== message.id)
        throw refusal(at, `the result of ${message.id} stands where ${next.id} is expected`);
      calls.push({ by: next.by, call: next.call, result: message.content ?? '' });
      continue;
    }
    if (expected.length > 0) throw refusal(at, `the call ${expected[0]?.id} has no result`);
    const { role: by } = message;
    expected = (message.tool_calls ?? []).map(({ id, name, arguments: given }) => ({
      id,
      by,
      call: { name, arguments: given },
    }));
  }
  if (expected.length > 0) throw refusal(messages.length, `the call ${expected[0]?.id} has no result`);
  return calls;
}
