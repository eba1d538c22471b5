import { z } from 'zod';
import type { AnyEnvDefinition, EnvHost } from '../../envs/core/env.ts';
import { closeHost } from '../../envs/core/closing.ts';
import { forkContext, type Context } from '../../envs/core/context.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { createReferences } from '../../envs/references.ts';
import { terminalText } from '../../envs/core/terminal-text.ts';
import { idleOfEnvs, loadEnvModule } from '../../envs/load-env-module.ts';
import { unfinished } from '../../envs/own-module.ts';
import { openEnv, parseEnvConfig } from '../../envs/open.ts';
import type { Argument, Flag } from '../command.ts';
import { callWatch } from '../watch/call-watch.ts';
import { readAssignments } from './assignments.ts';
import { watchEnv, type ComputingLimit } from '../watch/watched-env.ts';

/** The flags of every command that names an env. */
export const envFlags: readonly Flag[] = [
  {
    flags: '--env-module <file>',
    says: 'load your own environments from a TypeScript or JavaScript module (repeatable)',
    repeatable: true,
  },
  {
    flags: '--set <key=value>',
    says: "one key of the environment's config, its value as JSON or else as text; if the environment is named, --key value is the same (repeatable)",
    repeatable: true,
  },
];

export const envArgument: Argument = {
  name: 'env',
  says: 'the environment, such as household or household-v1, or a mixture such as mix:household=2,game-maze=1',
  required: true,
};

/** The options for {@link envFlags}; `set` is an object if it comes from a file. */
export const envOptions = {
  envModule: z.array(z.string()).default([]),
  set: z.union([z.array(z.string()), z.record(z.string(), z.json())]).default([]),
};

export interface EnvOptions {
  readonly envModule: readonly string[];
  readonly set: readonly string[] | Readonly<Record<string, Json>>;
}

/**
 * Timeouts of an import: one that waits ends with an error after the first, one that computes ends with the
 * process after the second.
 */
const importMs = 30_000;
const killMs = 35_000;

/** Time that one call into a user's env may block the process before the process is ended. */
const computing: ComputingLimit = { ms: 60_000, openMs: 600_000 };

/**
 * The same for a shorter episode limit: a call that computes far longer than an episode may take is not
 * waited for.
 */
export function computingWithin(episodeSeconds: number): ComputingLimit {
  const ms = 5_000 + 2_000 * episodeSeconds;
  return ms >= computing.ms
    ? computing
    : { ...computing, ms, fix: 'if it only needs more time, raise --episode-timeout' };
}

/**
 * Built-in envs and those of the named modules, whose calls are watched. `signal` stops waiting for the
 * modules.
 */
export async function loadRegistry(
  envModule: readonly string[],
  signal: AbortSignal,
  limit: ComputingLimit = computing,
): Promise<Registry<readonly AnyEnvDefinition[]>> {
  const { builtInEnvs } = await import('../../envs/catalog.ts');
  const definitions: AnyEnvDefinition[] = [...builtInEnvs];
  for (const file of envModule) {
    const taken = definitions.map(({ id }) => id);
    const modules = await ownModules();
    const watch = callWatch();
    watch.hear();
    using _import = watch.begin(
      watch.say(
        `error: ${terminalText(unfinished(`env module "${file}"`, killMs, idleOfEnvs).message)}`,
        killMs,
        `env module "${terminalText(file)}"`,
      ),
    );
    const loaded = await loadEnvModule(file, { taken, modules, deadlineMs: importMs, signal });
    definitions.push(...loaded.map((definition) => watchEnv(definition, watch, limit)));
  }
  return createReferences(definitions);
}

/** What a user's module gets when it imports from this package: this very build. */
async function ownModules(): Promise<Readonly<Record<string, object>>> {
  return {
    'cairn-gym/agents': await import('../../agents/index.ts'),
    'cairn-gym/sandbox': await import('../../sandbox/index.ts'),
  };
}

/** The env named on the command line, with its config parsed. */
export async function findEnv(
  options: EnvOptions & { readonly env: string },
  signal: AbortSignal,
  limit: ComputingLimit = computing,
): Promise<{ readonly definition: AnyEnvDefinition; readonly config: unknown }> {
  const definition = (await loadRegistry(options.envModule, signal, limit)).find(options.env);
  return { definition, config: parseEnvConfig(definition, readAssignments('--set', options.set)) };
}

/** Opens an env, passes its host to `use`, and always closes it. */
export async function withEnvHost<T>(
  of: { readonly definition: AnyEnvDefinition; readonly config: unknown },
  context: Context,
  use: (host: EnvHost<unknown, unknown>) => Promise<T>,
): Promise<T> {
  using opening = forkContext(context, 'open');
  const host = await openEnv(of.definition, of.config, opening);
  try {
    return await use(host);
  } finally {
    await closeHost(host, of.definition.id, context);
  }
}
