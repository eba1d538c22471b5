import path from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import type { PanelInfo } from '../../envs/core/task.ts';
import { chooseEnv, type ChosenEnv } from '../../lab/evaluate/choose-env.ts';
import {
  withEvaluation,
  type Evaluation,
  type EvaluationRequest,
  type EvaluationSetting,
  type RequestedPlayer,
} from '../../lab/evaluate/evaluation.ts';
import { paceOf } from '../../lab/evaluate/pace.ts';
import { readStoredRun, type StoredRun } from '../../lab/players/stored-run.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { locateEnvModules } from '../../trainers/plugins/env-modules.ts';
import type { BenchPreset } from '../../trainers/recipes/bench-preset.ts';
import { plural } from '../../trainers/results/number-words.ts';
import type { CommandContext } from '../command.ts';
import { takeKey } from '../options/api-key.ts';
import { readAssignments } from '../options/assignments.ts';
import { computingWithin, loadRegistry } from '../options/named-env.ts';
import { assertModulesThere, describeModuleChanges, findModulesOfRuns } from '../options/run-modules.ts';
import { contextOf } from '../program/session-context.ts';
import { createOpeningLog } from '../watch/opening-log.ts';
import type { EvaluationOptions } from './options.ts';
import { withOptions } from './player-options.ts';
import { refuseFilters, refuseRunOptions, refuseTemperature, refuseTextOptions } from './refuse-options.ts';

/** The requested players, and the default panel. */
export interface EvaluationCommand {
  readonly players: readonly RequestedPlayer[];
  /** Whether the baselines of the env play as well. */
  readonly baselines?: boolean;
  readonly presetPanel: (panels: readonly PanelInfo[], preset: BenchPreset) => string;
}

/** Parses the flags of a command that plays a panel, opens the evaluation, and passes it to `use`. */
export async function withNamedEvaluation<T>(
  command: EvaluationCommand,
  options: EvaluationOptions,
  session: CommandContext,
  use: (evaluation: Evaluation) => Promise<T>,
): Promise<T> {
  const { open } = await prepareEvaluation(command, options, session);
  return open(use);
}

/** A variant of the evaluation that the flags name. */
export interface EvaluationVariant {
  /** Changes the env. */
  readonly change: (chosen: ChosenEnv) => ChosenEnv;
  /** The folder of its episodes within the one of `--keep`. */
  readonly keep?: string | undefined;
}

/** An evaluation whose flags are parsed. Each call of `open` opens one, and passes it to `use`. */
export interface PreparedEvaluation {
  readonly open: <T>(use: (evaluation: Evaluation) => Promise<T>, variant?: EvaluationVariant) => Promise<T>;
}

/** Parses the flags of a command that plays a panel. Keys are taken and files read once, however many variants are opened. */
export async function prepareEvaluation(
  command: EvaluationCommand,
  options: EvaluationOptions,
  session: CommandContext,
): Promise<PreparedEvaluation> {
  if (options.task !== undefined && options.tasks !== undefined)
    throw new UsageError({
      where: '--task and --tasks',
      what: 'the indices of tasks and a number of tasks are both given.',
      fix: 'Give one of the two.',
    });
  const { environment, now, progress, signal, version } = session;
  const specs = command.players.map(({ spec }) => spec);
  const writes = specs.some(({ kind }) => kind === 'openai');
  refuseTextOptions(options, { served: writes, stored: specs.some(({ kind }) => kind === 'model') });
  refuseRunOptions(options, specs);
  // before anything is started that could inherit it
  const key = writes ? takeKey(environment, options.keyEnv) : undefined;
  const readRun = readOnce((folder, checkpoint) => readStoredRun(folder, checkpoint));
  const players = await Promise.all(
    command.players.map(async ({ spec, ...asked }) => {
      const run =
        spec.kind === 'run'
          ? await readRun(spec.folder, spec.checkpoint ?? options.checkpoint ?? 'last')
          : undefined;
      return { ...asked, run, spec };
    }),
  );
  const runs = players.flatMap(({ run }) => run ?? []);
  refuseTemperature(options, specs, runs);
  refuseFilters(options, specs, runs);
  const own = specs.flatMap((spec) => (spec.kind === 'own' ? [spec.file] : []));
  if (options.agentOption !== undefined && own.length === 0)
    throw new UsageError({
      where: '--agent-option',
      what: 'it applies to agents of your own, and none plays.',
      fix: 'Remove it, or add --agent FILE.',
    });
  const pace = paceOf(options, writes || own.length > 0);
  const modules = await findModulesOfRuns(options.envModule, runs);
  assertModulesThere(modules);
  for (const line of describeModuleChanges(modules)) progress.say(`warning: ${line}`);
  const { versions: ofModules } = await locateEnvModules(modules.files);
  const registry = await loadRegistry(modules.files, signal, computingWithin(pace.episodeSeconds));
  const { importAgent, watchAgent } = await import('../watch/own-agent.ts');
  for (const file of own) await importAgent(file, { signal });
  const envConfig = readAssignments('--set', options.set);
  const chosen = chooseEnv(registry, { env: options.env, envConfig, runs });
  const request = (variant: EvaluationVariant | undefined): EvaluationRequest => ({
    ...(variant === undefined ? chosen : variant.change(chosen)),
    players: players.map(({ spec, run, ...asked }) => ({
      ...asked,
      spec: withOptions(spec, options, run),
    })),
    baselines: command.baselines,
    panel: options.panel ?? command.presetPanel,
    tasks: options.tasks,
    indices: options.task,
    episodes: options.episodes,
    seed: options.seed,
    pace,
    keep:
      options.keep === undefined || variant?.keep === undefined
        ? options.keep
        : path.join(options.keep, variant.keep),
  });
  const setting = {
    context: contextOf(session, { seed: options.seed, log: createOpeningLog(progress, now) }),
    backend: (prefer) => openBackend(options.backend ?? 'auto', { environment, prefer }),
    keyOf: () => key,
    readRun,
    watchAgent,
    log: (line) => progress.say(line),
    onProgress: ({ player, done, total, steps }) =>
      progress.report({ label: player, done, total, note: `${steps} ${plural(steps, 'step')}` }),
    versions: { 'cairn-gym': version, node: process.version, ...ofModules },
  } satisfies EvaluationSetting;
  return { open: (use, variant) => withEvaluation(request(variant), setting, use) };
}

type ReadRun = (folder: string, checkpoint: string) => Promise<StoredRun>;

/** Caches the result, because weights are read completely. */
function readOnce(read: ReadRun): ReadRun {
  const known = new Map<string, Promise<StoredRun>>();
  return (folder, checkpoint) => {
    const key = JSON.stringify([folder, checkpoint]);
    const run = known.get(key) ?? read(folder, checkpoint);
    known.set(key, run);
    return run;
  };
}
