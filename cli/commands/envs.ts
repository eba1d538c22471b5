import { z } from 'zod';
import { describeConfigKeys, type ConfigKey } from '../../envs/core/config-keys.ts';
import { plural } from '../../trainers/results/number-words.ts';
import { closeInTime } from '../../envs/core/closing.ts';
import type { Context } from '../../envs/core/context.ts';
import type { AnyEnvDefinition, EnvHost } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Logger } from '../../envs/core/log.ts';
import type { PanelInfo } from '../../envs/core/task.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { layOutKeys } from '../options/config-keys.ts';
import { defineCommand } from '../program/define-command.ts';
import {
  envArgument,
  envFlags,
  envOptions,
  findEnv,
  loadRegistry,
  withEnvHost,
} from '../options/named-env.ts';
import { entryOf, filterEnvs, type CatalogueEntry, type CatalogueFilter } from '../../lab/catalogue/entry.ts';
import type { CatalogueRecord } from '../../lab/catalogue/record.ts';
import { catalogueLines } from '../catalogue/catalogue-lines.ts';
import { readCatalogue } from '../catalogue/catalogue-file.ts';
import { createOpeningLog, tallyLine, type Tally } from '../watch/opening-log.ts';
import { contextOf } from '../program/session-context.ts';

/** Families are counted over at most this many tasks of a panel, because reading a task creates its world. */
const familySample = 200;

export const envsCommand = defineCommand({
  arguments: [{ ...envArgument, required: false }],
  flags: [
    ...envFlags,
    { flags: '--family <name>', says: 'list only this family, such as puzzle' },
    {
      flags: '--tag <name>',
      says: 'list only environments with this tag, such as grid (repeatable: all of them)',
      repeatable: true,
    },
    {
      flags: '--needs <name>',
      says: 'list only environments that need a browser, a sandbox or data, or none',
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    { line: 'npx cairn-gym envs', says: 'every environment with its panels and what was measured' },
    {
      line: 'npx cairn-gym envs --family puzzle --tag grid --needs none --json',
      says: 'the puzzles on grids that need nothing else, as JSON',
    },
    { line: 'npx cairn-gym envs household', says: 'config keys with their defaults, panels, experts' },
    {
      line: 'npx cairn-gym envs --env-module ./my-env.ts --json',
      says: 'your own with the built-in ones, as JSON',
    },
  ],
  options: z.strictObject({
    ...envOptions,
    env: z.string().optional(),
    family: z.string().optional(),
    tag: z.array(z.string()).default([]),
    needs: z.string().optional(),
  }),
  run: ({ family, tag: tags, needs, ...options }, session) => {
    if (options.env === undefined) return listEnvs(options.envModule, { family, tags, needs }, session);
    if (family === undefined && tags.length === 0 && needs === undefined)
      return describeEnv({ ...options, env: options.env }, session);
    throw new UsageError({
      where: 'cairn-gym envs',
      what: `an environment is named, ${options.env}, and filters are given.`,
      fix: 'Remove the filters (--family, --tag, --needs), or the name.',
    });
  },
});

interface EnvSummary {
  readonly id: string;
  readonly summary: string;
  /** Why it cannot be opened as it is, such as missing files. It then has no panels. */
  readonly needs?: string;
  readonly panels: readonly PanelInfo[];
  readonly catalogue: CatalogueEntry;
  /** What `npm run catalogue` measured; absent for envs of modules. */
  readonly measured?: CatalogueRecord['result'];
}

async function listEnvs(
  envModule: readonly string[],
  filter: CatalogueFilter,
  session: CommandContext,
): Promise<Outcome> {
  const registry = await loadRegistry(envModule, session.signal);
  const definitions = filterEnvs(registry.definitions, filter);
  const recorded = await readCatalogue();
  const envs: EnvSummary[] = [];
  for (const definition of definitions) {
    const config = definition.config.parse({});
    const { id, summary } = definition;
    const opened = await openOrSay(
      { definition, config },
      openingContext(session, () => undefined),
      ({ panels }) => Promise.resolve({ panels }),
    ); // no task is created: some take long
    const measured = recorded[id]?.result;
    envs.push({
      id,
      summary,
      panels: [],
      ...opened,
      catalogue: entryOf(definition),
      ...(measured === undefined ? {} : { measured }),
    });
  }
  const lines = envs.flatMap((env) => [
    env.id,
    `  ${env.summary}`,
    env.needs === undefined
      ? `  panels    ${env.panels.map((panel) => `${panel.name} ${panel.size}`).join(', ')}`
      : `  needs     ${env.needs}`,
    ...catalogueLines(env.catalogue, env.measured),
    '',
  ]);
  return {
    document: { envs },
    lines: [
      ...lines,
      ...(envs.length === 0 ? ['No environment has all of this.', ''] : []),
      'Describe one with npx cairn-gym envs ID; play it with npx cairn-gym play ID.',
    ],
  };
}

/** @param hear receives the tallies; progress is reported to the user */
function openingContext(session: CommandContext, hear: (tally: Tally) => void): Context {
  const said = createOpeningLog(session.progress, session.now);
  const log: Logger = {
    event: (path, event) => {
      if (event.type === 'opening-tally') hear({ part: event.part, name: event.name, count: event.count });
      else said.event(path, event);
    },
  };
  return contextOf(session, { log, path: 'envs' });
}

interface FamilyCount {
  readonly families: Readonly<Record<string, number>>;
  /** Tasks that were counted. */
  readonly counted: number;
}

function countFamilies(host: EnvHost<unknown, unknown>, panel: PanelInfo): FamilyCount {
  const counted = Math.min(panel.size, familySample);
  const families: Record<string, number> = {};
  for (let index = 0; index < counted; index += 1) {
    const { family } = host.describeTask({ panel: panel.name, index });
    families[family] = (families[family] ?? 0) + 1;
  }
  return { families, counted };
}

/** Reads from the opened env; if it cannot be opened as it is, returns what it needs. */
async function openOrSay<T>(
  of: NamedEnv,
  context: Context,
  read: (host: EnvHost<unknown, unknown>) => Promise<T>,
): Promise<T | { readonly needs: string }> {
  try {
    return await withEnvHost(of, context, read);
  } catch (thrown) {
    if (UsageError.is(thrown)) return { needs: `${thrown.parts.what} ${thrown.parts.fix}` };
    throw thrown;
  }
}

interface NamedEnv {
  readonly definition: AnyEnvDefinition;
  readonly config: unknown;
}

async function describeEnv(
  options: z.output<z.ZodObject<typeof envOptions>> & { readonly env: string },
  session: CommandContext,
): Promise<Outcome> {
  const found = await findEnv(options, session.signal).catch(async (thrown: unknown) => {
    throw (UsageError.is(thrown) ? await namedFamily(options, session) : undefined) ?? thrown;
  });
  const { definition, config } = found;
  const tallies: Tally[] = [];
  const context = openingContext(session, (tally) => {
    tallies.push(tally);
    session.progress.say(tallyLine(tally));
  });
  const isPlain = Object.keys(options.set).length === 0;
  const opened = isPlain
    ? await openOrSay(found, context, examine)
    : await withEnvHost(found, context, examine);
  const configKeys = describeConfigKeys(definition.config);
  const turnLimit = definition.turnLimit?.(config);
  const { id, summary, deterministic, feedback } = definition;
  const measured = (await readCatalogue())[id]?.result;
  const document = {
    id,
    summary,
    deterministic,
    catalogue: entryOf(definition),
    ...(measured === undefined ? {} : { measured }),
    turnLimit,
    ...(feedback === undefined ? {} : { feedback }),
    config,
    configKeys,
    ...('needs' in opened ? { ...opened, panels: [] } : opened),
    ...(tallies.length === 0 ? {} : { opening: tallies }),
  };
  return { document, lines: describeLines(document) };
}

/** The error for the name of a family, such as `puzzle` or `games`, where an env is expected. */
async function namedFamily(
  { env, envModule }: { readonly env: string; readonly envModule: readonly string[] },
  session: CommandContext,
): Promise<UsageError | undefined> {
  const { definitions } = await loadRegistry(envModule, session.signal);
  const families = new Set(definitions.map((definition) => entryOf(definition).family));
  const family = [env, env.replace(/s$/, ''), `${env}s`].find((name) => families.has(name));
  if (family === undefined) return undefined;
  return new UsageError({
    where: `env "${env}"`,
    what: 'this is a family of environments, and no environment has this name.',
    fix: `List the family with \`npx cairn-gym envs --family ${family}\`.`,
  });
}

async function examine(host: EnvHost<unknown, unknown>): Promise<OpenedEnv> {
  const env = await host.create();
  const snapshots = env.snapshots !== undefined;
  await closeInTime(() => env.close(), { where: 'close' }); // what was read is valid even if closing fails
  const experts = (['planner', 'searcher'] as const).filter((expert) => host.experts?.[expert] !== undefined);
  return {
    panels: host.panels.map((panel) => ({ ...panel, ...countFamilies(host, panel) })),
    experts,
    snapshots,
  };
}

interface OpenedEnv {
  readonly panels: readonly (PanelInfo & FamilyCount)[];
  readonly experts: readonly string[];
  readonly snapshots: boolean;
}

function describeLines(
  env: {
    readonly id: string;
    readonly summary: string;
    readonly deterministic: boolean;
    readonly turnLimit: number | undefined;
    readonly feedback?: string;
    readonly configKeys: readonly ConfigKey[];
    readonly catalogue: CatalogueEntry;
    readonly measured?: CatalogueRecord['result'];
  } & (OpenedEnv | { readonly needs: string }),
): readonly string[] {
  return [
    `${env.id}  ${env.summary}`,
    '',
    `turn limit     ${env.turnLimit ?? 'none: it ends by its own rules'}`,
    `feedback       ${env.feedback ?? 'none but right or wrong'}`,
    `luck           ${env.deterministic ? 'none: equal actions, equal results' : 'steps may draw from it'}`,
    ...('needs' in env
      ? [`needs          ${env.needs}`]
      : [
          `snapshots      ${env.snapshots ? 'yes: npx cairn-gym play can undo' : 'no'}`,
          `experts        ${env.experts.length > 0 ? env.experts.join(', ') : 'none'}`,
        ]),
    ...catalogueLines(env.catalogue, env.measured).map((line) =>
      line.replace(/^ {2}(\S+) +/, (_, name: string) => name.padEnd(15)),
    ),
    '',
    'Config keys (--set key=value):',
    ...(env.configKeys.length > 0 ? layOutKeys(env.configKeys) : ['  none']),
    ...('needs' in env ? [] : describePanels(env.panels)),
  ];
}

function describePanels(panels: OpenedEnv['panels']): readonly string[] {
  return [
    '',
    'Panels:',
    ...panels.flatMap((panel) => [
      `  ${panel.name}: ${panel.size} ${plural(panel.size, 'task')}, ${panel.purpose}. ${panel.summary}`,
      `    families${panel.counted < panel.size ? ` of the first ${panel.counted}` : ''}: ` +
        Object.entries(panel.families)
          .map(([family, count]) => `${family} ${count}`)
          .join(', '),
    ]),
  ];
}
