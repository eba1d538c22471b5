import { z } from 'zod';
import type { Context } from './context.ts';
import { defineEnv, type Audit, type Env, type EnvDefinition, type EnvHost, type EnvId, type Experts, type Snapshots } from './env.ts';
import { RunError } from './errors.ts';
import { canonicalJson, type Json } from './json.ts';
import { reward, type Opening, type StepResult, type Turn } from './step.ts';
import { assertTask, type PanelInfo, type TaskInfo, type TaskRef } from './task.ts';

/** A world of words for one player: its state is one JSON value, what is seen and done are texts. Without configuration. */
export interface TextWorld<Id extends EnvId, State extends Json> {
  readonly id: Id;
  readonly summary: string;
  /** Steps after which an episode has failed. */
  readonly turnLimit: number;
  /** How many tasks each panel has, by name; all but `train` and `dev` are held out. */
  readonly panels: Readonly<Record<string, number>>;
  /** Where a step draws from `context.rng`: `false`. */
  readonly deterministic?: boolean;
  /** What a task asks for, and the state that it begins in. Results are told by family; left out, all tasks are of one. */
  task(ref: TaskRef): { readonly instruction: string; readonly start: State; readonly family?: string };
  /** What the player reads. */
  observe(state: State): string;
  /** The actions that would do something here; any other changes nothing and counts as the player's error. Never empty. */
  actions(state: State): readonly string[];
  /** Does one of `actions`. The state is frozen: give back another. Rewards have names; an outcome ends the episode. */
  step(state: State, action: string, context: Context): TextStep<State>;
  /**
   * What the player can know of a state, where it is less than all of it: equal knowledge of a task is one decision. What has been seen
   * so far must then be part of the state.
   */
  known?(state: State): Json;
  readonly experts?: Experts<string, string>;
  readonly audit?: Audit<string>;
}

export interface TextStep<State extends Json> {
  readonly state: State;
  readonly reward?: Readonly<Record<string, number>>;
  readonly outcome?: 'solved' | 'failed';
}

const noConfig = z.strictObject({});

/**
 * An env of a world that is little more than its rules: keys, snapshots, panels and the reading of actions follow from them. What needs
 * settings, an observation that is more than words, several players or something to open takes {@link defineEnv}.
 */
export function defineTextEnv<const Id extends EnvId, State extends Json>(
  world: TextWorld<Id, State>,
): EnvDefinition<Id, typeof noConfig, string, string> {
  return defineEnv({
    id: world.id,
    summary: world.summary,
    config: noConfig,
    observation: z.string(),
    action: z.string(),
    deterministic: world.deterministic ?? true,
    turnLimit: () => world.turnLimit,
    text: { observation: (text) => text, action: (text) => text, parse: (text) => ({ kind: 'action', action: text.trim() }) },
    open: () => Promise.resolve(new TextHost(world)),
  });
}

class TextHost<State extends Json> implements EnvHost<string, string> {
  readonly panels: readonly PanelInfo[];
  readonly experts: Experts<string, string>;
  readonly audit: Audit<string>;
  readonly #world: TextWorld<EnvId, State>;

  constructor(world: TextWorld<EnvId, State>) {
    this.#world = world;
    this.panels = Object.entries(world.panels).map(([name, size]) => panelOf(world.id, name, size));
    this.experts = world.experts ?? {};
    this.audit = world.audit ?? {};
  }

  describeTask(ref: TaskRef): TaskInfo {
    const { instruction, start, family = familyOf(this.#world.id) } = this.#task(ref);
    return { family, instruction, content: { instruction, start } };
  }

  create(): Promise<Env<string, string>> {
    return Promise.resolve(new TextEnv(this.#world, (ref) => this.#task(ref)));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #task(ref: TaskRef): ReturnType<TextWorld<EnvId, State>['task']> {
    assertTask(this, this.#world.id, ref);
    return this.#world.task(ref);
  }
}

class TextEnv<State extends Json> implements Env<string, string> {
  readonly #world: TextWorld<EnvId, State>;
  readonly #task: TextWorld<EnvId, State>['task'];
  #state: State | undefined;
  readonly snapshots: Snapshots<string, string> = {
    take: () => ({ world: this.#now(), episode: {}, steps: 0 }),
    restore: ({ world }) => {
      this.#state = freeze(structuredClone(world)) as State; // as `take` gave it
      return this.#turn();
    },
  };

  constructor(world: TextWorld<EnvId, State>, task: TextWorld<EnvId, State>['task']) {
    this.#world = world;
    this.#task = task;
  }

  async reset(ref: TaskRef): Promise<Opening<string, string>> {
    const { instruction, start } = this.#task(ref);
    this.#state = freeze(start);
    return { ...this.#turn(), instruction };
  }

  async step(action: string, context: Context): Promise<StepResult<string, string>> {
    const before = this.#now();
    const inadmissible = !this.#world.actions(before).includes(action);
    const done: TextStep<State> = inadmissible ? { state: before } : this.#world.step(before, action, context);
    this.#state = freeze(done.state);
    const result = { reward: reward({ ...done.reward }), inadmissible };
    if (done.outcome === undefined) return { kind: 'ongoing', ...this.#turn(), ...result };
    return {
      kind: 'terminated',
      outcome: done.outcome,
      observation: this.#world.observe(done.state),
      stateKey: canonicalJson(done.state),
      ...result,
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #turn(): Turn<string, string> {
    const state = this.#now();
    const stateKey = canonicalJson(state);
    return {
      observation: this.#world.observe(state),
      stateKey,
      anchorKey: this.#world.known === undefined ? stateKey : canonicalJson(this.#world.known(state)),
      admissible: [...this.#world.actions(state)],
      stepsLeft: undefined,
      seat: 0,
    };
  }

  #now(): State {
    if (this.#state !== undefined) return this.#state;
    throw new RunError({ where: this.#world.id, what: 'no episode has begun.', mend: 'Call reset first.' });
  }
}

function panelOf(id: EnvId, name: string, size: number): PanelInfo {
  return { name, size, purpose: name === 'train' || name === 'dev' ? name : 'held-out', summary: `${size} tasks of ${id}` };
}

/** `my-lab/sort-v1` has the family `sort`. */
const familyOf = (id: EnvId): string => id.replace(/^.*\//, '').replace(/-v\d+$/, '');

/** So that a step which changes its state in place fails at once, and not the snapshots and groups that share it. */
function freeze<Value extends Json>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value) as Json[]) freeze(part);
    Object.freeze(value);
  }
  return value;
}
