import { z } from 'zod';
import { createContext } from '../../../../envs/core/context.ts';
import type { Env, EnvHost } from '../../../../envs/core/env.ts';
import type { Ongoing, StepResult } from '../../../../envs/core/step.ts';
import { callAction, type ToolAction } from '../../../../envs/engines/tools/action.ts';
import { from } from '../../../../envs/engines/tools/argument.ts';
import { defineToolEnv, type ToolWorld } from '../../../../envs/engines/tools/define-tool-env.ts';
import type { ToolObservation } from '../../../../envs/engines/tools/observation.ts';
import type { ToolTask } from '../../../../envs/engines/tools/task.ts';
import { defineTool, refuse } from '../../../../envs/engines/tools/tool.ts';
import { openEnv } from '../../../../envs/open.ts';

export const context = createContext({ seed: 1, now: () => performance.now() });

export const tables = {
  lamps: z.strictObject({
    id: z.string(),
    room: z.string(),
    state: z.enum(['on', 'off']),
    watts: z.int().min(0),
  }),
  fuses: z.strictObject({ id: z.string(), state: z.enum(['in', 'out']) }),
};
export type Tables = typeof tables;

export const lampId = from(
  'lamps.id',
  z
    .string()
    .regex(/^lamp_[a-z]+$/)
    .describe('id of a lamp'),
);
const noLamp = (id: string) => refuse('not_found', `There is no lamp ${id}.`);

export const tools = [
  defineTool(tables, {
    name: 'list_lamps',
    description: 'lists the lamps of a room',
    input: z.strictObject({ room: z.string().describe('its name') }),
    output: z.strictObject({ lamps: z.array(lampId) }),
    run: ({ room }, world) => ({ lamps: world.where('lamps', 'room', room).map(({ id }) => id) }),
  }),
  defineTool(tables, {
    name: 'get_lamp',
    description: 'shows a lamp',
    input: z.strictObject({ lamp: lampId }),
    output: z.strictObject({ lamp: lampId, state: z.enum(['on', 'off']), watts: z.int() }),
    run: ({ lamp }, world) => {
      const row = world.get('lamps', lamp);
      return row === undefined ? noLamp(lamp) : { lamp, state: row.state, watts: row.watts };
    },
  }),
  defineTool(tables, {
    name: 'switch_lamp',
    description: 'switches a lamp',
    input: z.strictObject({ lamp: lampId, to: z.enum(['on', 'off']), slow: z.boolean().optional() }),
    output: z.strictObject({ lamp: lampId, state: z.enum(['on', 'off']) }),
    run: ({ lamp, to }, world) => {
      if (world.get('lamps', lamp) === undefined) return noLamp(lamp);
      world.update('lamps', lamp, { state: to });
      if (world.get('fuses', 'main')?.state === 'out') return refuse('not_allowed', 'There is no power.');
      return { lamp, state: to };
    },
  }),
];

export const fuseTool = defineTool(tables, {
  name: 'put_fuse_in',
  description: 'puts the fuse in',
  input: z.strictObject({}),
  output: z.strictObject({ state: z.literal('in') }),
  run: (_, world) => {
    world.update('fuses', 'main', { state: 'in' });
    return { state: 'in' } as const;
  },
});

export const lamps: ToolTask<Tables>['start']['lamps'] = [
  { id: 'lamp_a', room: 'hall', state: 'off', watts: 40 },
  { id: 'lamp_b', room: 'hall', state: 'on', watts: 60 },
  { id: 'lamp_c', room: 'attic', state: 'off', watts: 75 },
];
const powered: ToolTask<Tables>['start']['fuses'] = [{ id: 'main', state: 'in' }];

export const switchOn: ToolTask<Tables> = {
  start: { lamps, fuses: powered },
  requests: [
    {
      says: 'Switch lamp_a on, please.',
      gold: [
        { name: 'get_lamp', arguments: { lamp: 'lamp_a' } },
        { name: 'switch_lamp', arguments: { lamp: 'lamp_a', to: 'on' } },
      ],
      read: ['lamps/lamp_a'],
    },
  ],
};

/** An opened env with one task, in its first turn. */
export async function play(
  task: ToolTask<Tables>,
  settings: object = {},
  world: Partial<ToolWorld<Tables>> = {},
): Promise<Playing> {
  const definition = defineToolEnv({
    id: 'test/lamps-v1',
    summary: 'lamps',
    world: { tables, tools, panels: { train: 4, dev: 1 }, task: () => task, ...world },
  });
  const host = await openEnv(definition, settings, context);
  const env = await host.create();
  const turn = await env.reset({ panel: 'train', index: 0 }, context);
  return {
    host,
    env,
    turn,
    text: definition.text,
    step: (action) => env.step(action, context),
    call: async (name, given) => {
      const result = await env.step(callAction(name, given), context);
      if (result.kind !== 'ongoing') throw new Error('the episode is over');
      return result;
    },
    [Symbol.asyncDispose]: async () => {
      await env.close();
      await host.close();
    },
  };
}

export interface Playing extends AsyncDisposable {
  readonly host: EnvHost<ToolObservation, ToolAction>;
  readonly env: Env<ToolObservation, ToolAction>;
  readonly turn: Awaited<ReturnType<Env<ToolObservation, ToolAction>['reset']>>;
  readonly text: ReturnType<typeof defineToolEnv>['text'];
  readonly step: (action: ToolAction) => Promise<StepResult<ToolObservation, ToolAction>>;
  readonly call: (
    name: string,
    given?: Parameters<typeof callAction>[1],
  ) => Promise<Ongoing<ToolObservation, ToolAction>>;
}
