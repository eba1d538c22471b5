import { expect } from 'vitest';
import type { Prompt } from '../../../agents/prompt/prompt.ts';
import { readReply } from '../../../agents/prompt/read-reply.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { EnvHost } from '../../../envs/core/env.ts';
import type { TaskRef } from '../../../envs/core/task.ts';

type Example = Prompt['examples'][number];

/** The task of the env that an example was recorded of. */
export function taskOf({ source }: Example, env: string): TaskRef {
  const [, world, panel = '', index = ''] = /^(\S+) (\w+)\/(\d+)$/.exec(source ?? '') ?? [];
  expect(world).toBe(env);
  return { panel, index: Number(index) };
}

/** Says the replies of an example, which must be admissible, answered as the example says and solve the task. */
export async function expectSameTranscript(
  host: EnvHost<string, string>,
  task: TaskRef,
  { example, grammar }: { readonly example: Example; readonly grammar: Prompt['grammar'] },
): Promise<void> {
  const context = createContext({ seed: 0, now: () => 0 });
  const env = await host.create();
  const opening = await env.reset(task, context);
  expect(opening.instruction).toBe(example.instruction);
  let seen = opening.observation;
  let last = 'none';
  for (const { observation, reply } of example.turns) {
    expect(seen).toBe(observation);
    const read = readReply(reply, { grammar, cut: false });
    const result = await env.step(read.kind === 'command' ? read.command : '', context);
    expect(result.inadmissible, reply).toBe(false);
    seen = result.observation;
    last = result.kind === 'terminated' ? result.outcome : result.kind;
  }
  expect(last).toBe('solved');
  await env.close();
}
