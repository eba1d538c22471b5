import { z } from 'zod';
import { createContext } from '../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { canonicalJson, type Json } from '../../envs/core/json.ts';
import { readPanelInTurns, type PanelInfo, type TaskPanel } from '../../envs/core/task.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import { benchPresetFor, type BenchPreset } from '../../trainers/recipes/bench-preset.ts';
import { openWorkbench, rolloutSettingsSchema, type Workbench } from '../../trainers/workbench.ts';
import type { Session } from '../command.ts';
import { merge, readAssignments } from '../options/config-tree.ts';
import { computingWithin, loadRegistry } from '../options/named-env.ts';
import { createOpeningLog } from '../watch/opening-log.ts';
import type { AgentSpec } from './agent-spec.ts';
import { openEntrants, describeEntrant, type Entrant } from './entrants.ts';
import { keepFolders } from './keep-folders.ts';
import type { EvaluationOptions } from './options.ts';
import { paceOf } from './pace.ts';
import { playPanel, type PlayedPanel } from './play-panel.ts';
import { refuseFilters, refuseRunOptions, refuseTemperature } from './run-options.ts';
import { readStoredRun, type StoredRun } from './stored-run.ts';
import { refuseTextOptions } from './text-options.ts';
import { takeKey } from './api-key.ts';
import type { ComputingLimit } from '../watch/watched-env.ts';
import { systemOf } from '../program/system-variables.ts';

/** An evaluation that is ready to be played. */
export interface Evaluation {
  readonly bench: Workbench;
  readonly panel: TaskPanel;
  readonly preset: BenchPreset;
  readonly entrants: readonly Entrant[];
  readonly play: (entrant: Entrant) => Promise<PlayedPanel>;
  /** What `--dry-run` prints. */
  readonly plan: EvaluationPlan;
}

export interface EvaluationPlan {
  readonly dryRun: true;
  readonly env: string;
  readonly config: Json;
  readonly panel: { readonly name: string; readonly fingerprint: string; readonly tasks: number };
  readonly agents: readonly string[];
  readonly episodes: number;
}

/** Who is asked for, and the panel where the user names none. */
export interface EvaluationRequest {
  readonly agents: readonly AgentSpec[];
  readonly presetPanel: (panels: readonly PanelInfo[], preset: BenchPreset) => string;
}

/** Opens the env and everybody's weights folder, hands the evaluation to `use`, and closes everything. */
export async function withEvaluation<T>(
  request: EvaluationRequest,
  options: EvaluationOptions,
  session: Session,
  use: (evaluation: Evaluation) => Promise<T>,
): Promise<T> {
  const writes = request.agents.some(({ kind }) => kind === 'text');
  refuseTextOptions(options, { served: writes, stored: request.agents.some(({ kind }) => kind === 'model') });
  refuseRunOptions(options, request.agents);
  const key = writes ? takeKey(session.environment, options.keyEnv) : undefined; // before anything is started that could inherit it
  const runs = await readRuns(request.agents, options);
  refuseTemperature(options, request.agents, [...runs.values()]);
  refuseFilters(options, request.agents, [...runs.values()]);
  const { definition, envConfig } = await chooseEnv([...runs.values()], options, {
    signal: session.signal,
    limit: computingWithin(paceOf(options, writes).episodeSeconds),
  });
  const context = createContext({
    seed: options.seed,
    now: session.now,
    signal: session.signal,
    system: systemOf(session.environment),
    log: createOpeningLog(session.progress, session.now),
  });
  const { concurrency, episodeSeconds } = paceOf(options, writes);
  const settings = rolloutSettingsSchema.parse({ envConfig, concurrency, limits: { episodeSeconds } });
  await using bench = await openWorkbench(definition, settings, context);
  const preset = benchPresetFor(definition);
  const name = options.panel ?? request.presetPanel(bench.host.panels, preset);
  const limit = options.tasks === undefined ? {} : { limit: options.tasks };
  const panel = await readPanelInTurns(
    bench.host,
    { env: definition.id, config: bench.envConfig, name, ...limit },
    session.signal,
  );
  const entrants = await openEntrants(request.agents, {
    bench,
    runs,
    key,
    options,
    preset,
    say: (line) => session.progress.say(line),
  });
  const folders =
    options.keep === undefined ? new Map<Entrant, string>() : await keepFolders(options.keep, entrants);
  const plan: EvaluationPlan = {
    dryRun: true,
    env: definition.id,
    config: bench.envConfig,
    panel: { name: panel.name, fingerprint: panel.fingerprint, tasks: panel.tasks.length },
    agents: entrants.map(describeEntrant),
    episodes: panel.tasks.length * options.episodes * entrants.length,
  };
  const play = (entrant: Entrant): Promise<PlayedPanel> =>
    playPanel(entrant, { bench, panel, options, session, context, keepFolder: folders.get(entrant) });
  return await use({ bench, panel, preset, entrants, play, plan });
}

const recordSchema = z.record(z.string(), z.json());

/** The stored runs among the agents, by the agents that name them. */
async function readRuns(
  agents: readonly AgentSpec[],
  options: EvaluationOptions,
): Promise<ReadonlyMap<AgentSpec, StoredRun>> {
  const named = agents.flatMap((agent) => (agent.kind === 'run' ? [agent] : []));
  const runs = await Promise.all(
    named.map(
      async (agent) =>
        [agent, await readStoredRun(agent.folder, agent.checkpoint ?? options.checkpoint ?? 'last')] as const,
    ),
  );
  return new Map(runs);
}

/** The env that the user or the runs name; all must name the same, with the same config. */
async function chooseEnv(
  runs: readonly StoredRun[],
  options: EvaluationOptions,
  watched: { readonly signal: AbortSignal; readonly limit: ComputingLimit },
): Promise<{ readonly definition: AnyEnvDefinition; readonly envConfig: Readonly<Record<string, unknown>> }> {
  const registry = await loadRegistry(options.envModule, watched.signal, watched.limit);
  const [first] = runs;
  const named = options.env ?? first?.env;
  if (named === undefined) {
    throw new UsageError({
      where: 'cairn',
      what: 'no environment is named.',
      mend: 'Name one, or a run with --run. `cairn envs` lists all.',
    });
  }
  const definition = registry.find(named);
  const assigned = readAssignments('--set', options.set);
  const takes = (id: string): boolean =>
    id === definition.id || benchPresetFor(definition).takesRunsOf.includes(id);
  /** As the run has it; of another env whose policies play here, with that one's defaults, since ours may be others. */
  const configOf = (run: StoredRun): Readonly<Record<string, unknown>> => {
    const own = registry.find(run.env);
    return own.id === definition.id || !takes(own.id)
      ? run.envConfig
      : recordSchema.parse(parseEnvConfig(own, run.envConfig));
  };
  const envConfig = merge(first === undefined ? {} : configOf(first), assigned);
  for (const run of runs) {
    const sameEnv = takes(registry.find(run.env).id);
    if (sameEnv && canonicalJson(merge(configOf(run), assigned)) === canonicalJson(envConfig)) continue;
    throw new UsageError({
      where: `run ${run.name}`,
      what: sameEnv
        ? 'its env has another config than that of the first run.'
        : `it was trained on ${run.env}, and ${definition.id} is asked for.`,
      mend: sameEnv
        ? 'Evaluate runs of different configs one by one.'
        : `Name ${run.env}, or leave the environment out${runs.length === 1 ? '' : '; evaluate runs of different envs one by one'}.`,
    });
  }
  return { definition, envConfig };
}
