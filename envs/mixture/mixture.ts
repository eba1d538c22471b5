import type { RulesAudit } from '../core/audit.ts';
import { joinAudits } from './join-audits.ts';
import { z } from 'zod';
import type { ResetContext } from '../core/context.ts';
import type { AnyEnvDefinition, Audit, EnvDefinition, EnvHost, EnvId, Experts } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { EnvRecipes, KeyCondition, Recipe } from '../core/presets.ts';
import { createRng } from '../core/rng.ts';
import { mixtureScheme } from '../core/mixture-name.ts';
import type { TaskRef } from '../core/task.ts';

import { openEnv } from '../open.ts';
import {
  MixtureEnv,
  mixedSnapshot,
  ownSnapshot,
  type MixtureAction,
  type MixtureObservation,
} from './mixture-env.ts';
import { drawMixturePanels } from './mixture-panels.ts';
import { mixtureText } from './mixture-text.ts';

/** An env of a mixture with its weight. */
export interface WeightedEnv {
  readonly definition: AnyEnvDefinition;
  /** Its share of the tasks is this weight over the sum of all weights. */
  readonly weight: number;
}

export type MixtureDefinition = EnvDefinition<EnvId, z.ZodType, MixtureObservation, MixtureAction>;

type MixtureHost = EnvHost<MixtureObservation, MixtureAction>;

/**
 * Makes one env of several: its panels draw their tasks from the panels of the envs by weight.
 *
 * Each env keeps its own words, actions, turn limit, rewards and keys, and no two envs have equal keys. The family of a task is the id of its
 * env, so that results are reported by env. Its category is the id and the env's own family. The config has `seed`, which draws the tasks, and
 * the config of each env under its id. The id names the envs in order with their weights, such as `mix:game-maze-v1=1,household-v1=2`.
 *
 * @throws UsageError for fewer than two envs, an env that comes twice, and a weight that is not above 0
 */
export function mixEnvs(given: readonly WeightedEnv[]): MixtureDefinition {
  const members = given.toSorted((one, other) => (one.definition.id < other.definition.id ? -1 : 1));
  const [first, ...others] = assertMixture(members);
  const definitions = [first, ...others];
  const id = idOf(members);
  const configs: Record<string, z.ZodType> = {};
  for (const { id: own, config } of definitions)
    configs[own] = config.prefault({}).describe(`config of ${own}`);
  const config = z.strictObject({
    seed: z
      .int()
      .min(0)
      .default(0)
      .describe('draws the tasks of the panels; with another seed the mixture has other tasks'),
    ...configs,
  });
  const find = new Map(definitions.map((definition) => [definition.id as string, definition]));
  return {
    id,
    summary: `a mixture of ${members.map(({ definition, weight }) => `${definition.id} (weight ${weight})`).join(', ')}`,
    config,
    observation: z.discriminatedUnion('env', [
      z.strictObject({ env: z.literal(first.id), observation: first.observation }),
      ...others.map((one) => z.strictObject({ env: z.literal(one.id), observation: one.observation })),
    ]),
    action: z.discriminatedUnion('env', [
      z.strictObject({ env: z.literal(first.id), action: first.action }),
      ...others.map((one) => z.strictObject({ env: z.literal(one.id), action: one.action })),
    ]),
    deterministic: definitions.every(({ deterministic }) => deterministic),
    text: mixtureText(find),
    ...recipesOf(definitions),
    ...uncheckedOf(definitions),
    open: (settings, context) => openMixture(members, settings as MixtureConfig, context),
  };
}

type MixtureConfig = { readonly seed: number } & Readonly<Record<string, unknown>>;

const idOf = (members: readonly WeightedEnv[]): EnvId =>
  `mix:${members.map(({ definition, weight }) => `${definition.id}=${weight}`).join(',')}`;

/** The definitions of at least two envs. */
function assertMixture(members: readonly WeightedEnv[]): readonly [AnyEnvDefinition, ...AnyEnvDefinition[]] {
  const refuse = (what: string, fix: string): never => {
    throw new UsageError({ where: 'mixture', what, fix });
  };
  const [first, ...others] = members.map(({ definition }) => definition);
  if (first === undefined || others.length === 0)
    return refuse(`it has ${members.length} environments.`, 'Give at least two.');
  for (const [at, { definition, weight }] of members.entries()) {
    if (definition.id === members[at - 1]?.definition.id)
      refuse(`${definition.id} is named twice.`, 'Name each environment once.');
    if (definition.id.startsWith(mixtureScheme))
      refuse('a mixture cannot contain a mixture.', 'Name its environments one by one.');
    if (!Number.isFinite(weight) || weight <= 0)
      refuse(`the weight of ${definition.id} is ${weight}.`, 'Give a number above 0.');
  }
  return [first, ...others];
}

async function openMixture(
  members: readonly WeightedEnv[],
  settings: MixtureConfig,
  context: ResetContext,
): Promise<MixtureHost> {
  const hosts: EnvHost<unknown, unknown>[] = [];
  const close = async (): Promise<void> => {
    const ends = await Promise.allSettled(hosts.map((host) => host.close()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  try {
    for (const { definition } of members)
      hosts.push(await openEnv(definition, settings[definition.id], context));
    return hostOf(members, hosts, settings, close);
  } catch (thrown) {
    await close().catch(() => undefined); // the first error is the cause
    throw thrown;
  }
}

function hostOf(
  members: readonly WeightedEnv[],
  hosts: readonly EnvHost<unknown, unknown>[],
  settings: MixtureConfig,
  close: () => Promise<void>,
): MixtureHost {
  const drawn = drawMixturePanels(
    members.map(({ definition, weight }, at) => ({
      id: definition.id,
      weight,
      panels: hosts[at]?.panels ?? [],
      usual: definition.bench?.panels?.[0],
    })),
    createRng(settings.seed).fork('mixture'),
  );
  const find = (task: TaskRef) => {
    const place = drawn.find(task);
    const id = members[place.member]?.definition.id ?? '';
    return { id, task: place.task, host: hosts[place.member] as EnvHost<unknown, unknown> };
  };
  const byId = new Map(members.map(({ definition }, at) => [definition.id as string, hosts[at]]));
  const limits = hosts.flatMap(({ maxConcurrency }) => maxConcurrency ?? []);
  const ids = members.map(({ definition }) => definition.id);
  return {
    panels: drawn.panels,
    unavailablePanels: drawn.unavailablePanels,
    identity: {
      seed: settings.seed,
      ...Object.fromEntries(ids.map((id, at) => [id, hosts[at]?.identity ?? (settings[id] as Json)])),
    },
    ...(limits.length === 0 ? {} : { maxConcurrency: Math.min(...limits) }),
    describeTask: (task) => {
      const { id, task: own, host } = find(task);
      const { family, category = family, instruction, content } = host.describeTask(own);
      return {
        family: id,
        category: `${id} ${category}`,
        ...(instruction === undefined ? {} : { instruction }),
        content: { env: id, content },
      };
    },
    create: async () => {
      const envs = new Map<string, Awaited<ReturnType<EnvHost<unknown, unknown>['create']>>>();
      try {
        for (const [at, id] of ids.entries())
          envs.set(id, await (hosts[at] as EnvHost<unknown, unknown>).create());
      } catch (thrown) {
        await Promise.allSettled([...envs.values()].map((env) => env.close()));
        throw thrown;
      }
      return new MixtureEnv(envs, find);
    },
    close,
    ...expertsOf(hosts, ids, find),
    ...auditOf(byId, find),
  };
}

type Find = (task: TaskRef) => {
  readonly id: string;
  readonly task: TaskRef;
  readonly host: EnvHost<unknown, unknown>;
};

/** An expert plays the mixture where every env has it. */
function expertsOf(
  hosts: readonly EnvHost<unknown, unknown>[],
  ids: readonly string[],
  find: Find,
): Pick<MixtureHost, 'experts'> {
  const hasAll = (name: keyof Experts<unknown, unknown>): boolean =>
    hosts.every(({ experts }) => experts?.[name] !== undefined);
  const planner: Experts<MixtureObservation, MixtureAction>['planner'] = (task) => {
    const { id: env, task: own, host } = find(task);
    return (host.experts?.planner?.(own) ?? []).map((action) => ({ env, action }));
  };
  const searcher: Experts<MixtureObservation, MixtureAction>['searcher'] = (rng) => {
    let own: ReturnType<NonNullable<Experts<unknown, unknown>['searcher']>> | undefined;
    return {
      act: (turn) => {
        const { env, observation } = turn.observation;
        own ??= hosts[ids.indexOf(env)]?.experts?.searcher?.(rng);
        const admissible = turn.admissible?.map(({ action }) => action);
        return { env, action: own?.act({ ...turn, observation, admissible }) };
      },
    };
  };
  const attemptOf: Experts<MixtureObservation, MixtureAction>['attemptOf'] = ({ env, observation }) =>
    hosts[ids.indexOf(env)]?.experts?.attemptOf?.(observation) ?? 1;
  const experts = {
    ...(hasAll('planner') ? { planner, attemptOf } : {}),
    ...(hasAll('searcher') ? { searcher } : {}),
  };
  return Object.keys(experts).length === 0 ? {} : { experts };
}

function auditOf(
  byId: ReadonlyMap<string, EnvHost<unknown, unknown> | undefined>,
  find: Find,
): Pick<MixtureHost, 'audit'> {
  const audits = [...byId.values()].map((host) => host?.audit);
  const swapHidden: Audit<MixtureAction>['swapHidden'] = (saved, rng) => {
    const { env, snapshot } = ownSnapshot(saved);
    const swapped = byId.get(env)?.audit?.swapHidden?.(snapshot, rng);
    return swapped === undefined
      ? undefined
      : {
          snapshot: mixedSnapshot(env, swapped.snapshot),
          reveals: ({ action }) => swapped.reveals(action),
        };
  };
  const audit: Audit<MixtureAction> = {
    ...(audits.some((one) => one?.swapHidden !== undefined) ? { swapHidden } : {}),
    ...(audits.some((one) => one?.secrets !== undefined)
      ? {
          secrets: (task: TaskRef) => {
            const { task: own, host } = find(task);
            return host.audit?.secrets?.(own) ?? [];
          },
        }
      : {}),
    ...(audits.some((one) => one?.rules !== undefined)
      ? {
          rules: (tasks: number) =>
            joinAudits(
              [...byId].flatMap(([id, host]): [string, RulesAudit][] => {
                const own = host?.audit?.rules?.(tasks);
                return own === undefined ? [] : [[id, own]];
              }),
            ),
        }
      : {}),
  };
  return Object.keys(audit).length === 0 ? {} : { audit };
}

/** Laws that an env does not check are not checked for its tasks. */
function uncheckedOf(definitions: readonly AnyEnvDefinition[]): Pick<AnyEnvDefinition, 'unchecked'> {
  const reasons: Record<string, string> = {};
  for (const { id, unchecked = {} } of definitions)
    for (const [law, why] of Object.entries(unchecked)) {
      const before = reasons[law];
      reasons[law] = `${before === undefined ? '' : `${before}; `}${id}: ${why}`;
    }
  return Object.keys(reasons).length === 0 ? {} : { unchecked: reasons };
}

/** What an env refuses to train, the mixture refuses too. Settings of envs differ, so the mixture has the trainer's defaults. */
function recipesOf(definitions: readonly AnyEnvDefinition[]): Pick<AnyEnvDefinition, 'recipes'> {
  const refusalsOf = (kind: keyof EnvRecipes): readonly Recipe[] =>
    definitions.flatMap(({ id, recipes }) => {
      const own = recipes?.[kind] ?? [];
      const end = own.findIndex((recipe) => !('refusal' in recipe));
      return own.slice(0, end < 0 ? own.length : end).flatMap((recipe): readonly Recipe[] =>
        'refusal' in recipe
          ? [
              {
                ...(recipe.when === undefined
                  ? {}
                  : { when: recipe.when.map((one) => conditionIn(id, one)) }),
                refusal: { what: `of ${id}: ${recipe.refusal.what}`, fix: recipe.refusal.fix },
              },
            ]
          : [],
      );
    });
  const choice = refusalsOf('choice');
  const token = refusalsOf('token');
  if (choice.length + token.length === 0) return {};
  return {
    recipes: {
      ...(choice.length === 0 ? {} : { choice }),
      ...(token.length === 0 ? {} : { token }),
    },
  };
}

const conditionIn = (id: string, condition: KeyCondition): KeyCondition => ({
  ...condition,
  key: `${id}.${condition.key}`,
});
