import { z } from 'zod';
import type { Context, ResetContext } from '../../../envs/core/context.ts';
import {
  defineEnv,
  type Audit,
  type Env,
  type EnvHost,
  type Experts,
  type Snapshot,
  type Snapshots,
} from '../../../envs/core/env.ts';
import { createRng, type Rng } from '../../../envs/core/rng.ts';
import { reward, type Opening, type StepResult, type Turn } from '../../../envs/core/step.ts';
import type { Reply } from '../../../envs/core/textual.ts';
import type { PanelInfo, TaskInfo, TaskRef } from '../../../envs/core/task.ts';

/** A row of closed boxes, one of which hides a coin. Shaking the lamp lights it or not, at random. */
export interface World {
  readonly coin: number;
  readonly open: readonly boolean[];
  readonly lamp: boolean;
}

export type Action =
  | { readonly do: 'open'; readonly box: number }
  | { readonly do: 'shake' }
  | { readonly do: 'take' };

export interface Sight {
  readonly boxes: readonly ('closed' | 'empty' | 'coin')[];
  readonly lamp: 'dark' | 'lit';
}

const worldSchema = z.strictObject({ coin: z.int(), open: z.array(z.boolean()), lamp: z.boolean() });

export const vaultPanels: readonly PanelInfo[] = [
  { name: 'train', size: 40, purpose: 'train', summary: 'rows of 3 or 4 boxes' },
  { name: 'unseen', size: 10, purpose: 'held-out', summary: 'rows of 5 boxes' },
];

/** The env that all checks are tested with: hidden facts, luck, snapshots, experts, an audit, and no flaw. */
export const vault = defineEnv({
  id: 'vault-v1',
  summary: 'Find the coin in a row of boxes',
  config: z.strictObject({ bonus: z.number().default(0) }),
  observation: z.strictObject({
    boxes: z.array(z.enum(['closed', 'empty', 'coin'])),
    lamp: z.enum(['dark', 'lit']),
  }),
  action: z.discriminatedUnion('do', [
    z.strictObject({ do: z.literal('open'), box: z.int().nonnegative() }),
    z.strictObject({ do: z.literal('shake') }),
    z.strictObject({ do: z.literal('take') }),
  ]),
  deterministic: false,
  turnLimit: () => 12,
  text: {
    observation: ({ boxes, lamp }) => `boxes: ${boxes.join(', ')}; the lamp is ${lamp}`,
    action: (action) => (action.do === 'open' ? `open ${action.box}` : action.do),
    parse: (text): Reply<Action> => {
      const box = /^open (\d{1,2})$/.exec(text)?.[1];
      if (box !== undefined) return { kind: 'action', action: { do: 'open', box: Number(box) } };
      if (text === 'shake' || text === 'take') return { kind: 'action', action: { do: text } };
      return { kind: 'malformed', why: 'say open N, shake or take', text };
    },
  },
  open: async () => openVault(),
});

/** The task's hidden facts. */
export function startOf(task: TaskRef): World {
  const size = task.panel === 'unseen' ? 5 : 3 + (task.index % 2);
  return {
    coin: createRng(7).fork(task.panel).fork(task.index).int(size),
    open: Array.from({ length: size }, () => false),
    lamp: false,
  };
}

/** What no agent may see. */
export const sealOf = (task: TaskRef): string => `seal-${task.panel}-${task.index}-of-wax`;

export const instruction = 'Take the coin out of its box.';

export function describeVault(task: TaskRef): TaskInfo {
  const world = startOf(task);
  return {
    family: `boxes-${world.open.length}`,
    instruction,
    content: { boxes: world.open.length, coin: world.coin, seal: sealOf(task) },
  };
}

const experts: Experts<Sight, Action> = {
  planner: (task) => [{ do: 'open', box: startOf(task).coin }, { do: 'take' }],
  searcher: (rng) => ({
    act: ({ observation }) => {
      if (observation.boxes.includes('coin')) return { do: 'take' };
      const closed = observation.boxes.flatMap((box, index) => (box === 'closed' ? [index] : []));
      return { do: 'open', box: rng.pick(closed) };
    },
  }),
};

export const vaultAudit: Audit<Action> = {
  swapHidden: (snapshot: Snapshot, rng: Rng) => {
    const world = worldSchema.parse(snapshot.world);
    const closed = world.open.flatMap((open, box) => (open ? [] : [box]));
    if (world.open[world.coin] === true || closed.length < 2) return undefined;
    const coin = rng.pick(closed.filter((box) => box !== world.coin));
    return {
      snapshot: { ...snapshot, world: { ...world, coin } },
      reveals: (action) => action.do === 'open' && (action.box === coin || action.box === world.coin),
    };
  },
  secrets: (task) => [sealOf(task)],
  rules: () => ({ advance: () => false, result: () => ({ findings: [], tried: { seals: 1 } }) }),
};

export function openVault(): EnvHost<Sight, Action> {
  return {
    panels: vaultPanels,
    describeTask: describeVault,
    create: async () => new Vault(),
    close: async () => undefined,
    experts,
    audit: vaultAudit,
  };
}

export const actionsIn = (world: World): readonly Action[] => [
  ...world.open.flatMap((open, box): Action[] => (open ? [] : [{ do: 'open', box }])),
  { do: 'shake' },
  ...(world.open[world.coin] === true ? [{ do: 'take' } as const] : []),
];

const isSame = (a: Action, b: Action): boolean =>
  a.do === b.do && (a.do !== 'open' || b.do !== 'open' || a.box === b.box);

export function turnOf(world: World): Turn<Sight, Action> {
  const boxes = world.open.map((open, box) => (open ? (box === world.coin ? 'coin' : 'empty') : 'closed'));
  const observation: Sight = { boxes, lamp: world.lamp ? 'lit' : 'dark' };
  return {
    observation,
    stateKey: JSON.stringify(world),
    anchorKey: JSON.stringify(observation),
    admissible: actionsIn(world),
    stepsLeft: undefined,
    seat: 0,
  };
}

export class Vault implements Env<Sight, Action> {
  world: World = { coin: 0, open: [], lamp: false };
  readonly snapshots: Snapshots<Sight, Action> = {
    take: () => ({
      world: { coin: this.world.coin, open: [...this.world.open], lamp: this.world.lamp },
      episode: {},
      steps: 0,
    }),
    restore: (snapshot) => {
      this.world = worldSchema.parse(snapshot.world);
      return turnOf(this.world);
    },
  };

  async reset(task: TaskRef, _context: ResetContext): Promise<Opening<Sight, Action>> {
    await Promise.resolve();
    this.world = startOf(task);
    return { ...turnOf(this.world), instruction };
  }

  async step(action: Action, context: Context): Promise<StepResult<Sight, Action>> {
    await Promise.resolve();
    const inadmissible = !actionsIn(this.world).some((listed) => isSame(listed, action));
    if (!inadmissible) this.world = after(this.world, action, context);
    const turn = turnOf(this.world);
    if (inadmissible || action.do !== 'take')
      return { kind: 'ongoing', ...turn, reward: reward({ time: -0.125 }), inadmissible };
    const { observation, stateKey } = turn;
    return {
      kind: 'terminated',
      outcome: 'solved',
      observation,
      stateKey,
      reward: reward({ coin: 1, time: -0.125 }),
      inadmissible,
    };
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }
}

function after(world: World, action: Action, context: Context): World {
  switch (action.do) {
    case 'open':
      return { ...world, open: world.open.with(action.box, true) };
    case 'shake':
      return { ...world, lamp: context.rng.uniform() < 0.5 };
    case 'take':
      return world;
    default:
      return action satisfies never;
  }
}
