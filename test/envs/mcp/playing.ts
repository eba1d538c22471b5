import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { McpServer } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { createContext, type Context } from '../../../envs/core/context.ts';
import type { Env, EnvHost } from '../../../envs/core/env.ts';
import type { StepResult } from '../../../envs/core/step.ts';
import type { ToolAction, ToolCall } from '../../../envs/engines/tools/action.ts';
import type { ToolObservation } from '../../../envs/engines/tools/observation.ts';
import type { mcpConfig } from '../../../envs/mcp/config.ts';
import { mcpEnv } from '../../../envs/mcp/definition.ts';
import { openMcp } from '../../../envs/mcp/host.ts';
import type { Connector } from '../../../envs/mcp/server-set.ts';
import { openEnv } from '../../../envs/open.ts';

export const fixture = (name: string): string => path.join(import.meta.dirname, '../../fixtures/mcp', name);

export const newContext = (signal?: AbortSignal): Context =>
  createContext({
    seed: 0,
    now: () => performance.now(),
    system: process.env,
    ...(signal === undefined ? {} : { signal }),
  });

/** The task of most tests: one note is to be added. */
export const addNote = {
  says: 'Add a note "milk" with the text "two litres".',
  gold: [{ name: 'notes.add', arguments: { title: 'milk', text: 'two litres' } }],
  checks: [{ call: { name: 'notes.list', arguments: {} }, equals: { titles: ['milk'] } }],
};

export async function writeTasks(file: string, content: object): Promise<string> {
  await writeFile(file, JSON.stringify(content));
  return file;
}

/** Ways to servers in this process, made again for each start. */
export const inMemory =
  (servers: Readonly<Record<string, () => McpServer>>): Connector =>
  (name) =>
  () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = servers[name]?.();
    const serving = server?.connect(theirs);
    return {
      transport: ours,
      kill: async () => {
        await serving;
        await server?.close();
      },
    };
  };

/** The environment with servers of this process. */
export const mcpInMemory = (servers: Readonly<Record<string, () => McpServer>>): typeof mcpEnv => ({
  ...mcpEnv,
  open: (config, context) => openMcp(config, context, () => inMemory(servers)),
});

/** An opened env on its first task. */
export interface Playing extends AsyncDisposable {
  readonly host: EnvHost<ToolObservation, ToolAction>;
  readonly env: Env<ToolObservation, ToolAction>;
  readonly instruction: string;
  step(action: ToolAction): Promise<StepResult<ToolObservation, ToolAction>>;
  call(name: string, given?: ToolCall['arguments']): Promise<StepResult<ToolObservation, ToolAction>>;
}

export async function play(
  config: z.input<typeof mcpConfig>,
  definition: typeof mcpEnv = mcpEnv,
  context = newContext(),
): Promise<Playing> {
  const host = await openEnv(definition, config, context);
  const env = await host.create();
  const close = async (): Promise<void> => {
    await env.close();
    await host.close();
  };
  try {
    const { instruction } = await env.reset({ panel: 'train', index: 0 }, context);
    return {
      host,
      env,
      instruction,
      step: (action) => env.step(action, context),
      call: (name, given = {}) => env.step({ kind: 'calls', calls: [{ name, arguments: given }] }, context),
      [Symbol.asyncDispose]: close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
