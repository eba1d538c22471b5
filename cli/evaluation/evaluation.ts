import { createContext, forkContext, type Context } from '../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { canonicalJson, type Json } from '../../envs/core/json.ts';
import { readPanel, type PanelInfo, type TaskPanel } from '../../envs/core/task.ts';
import { evaluate } from '../../trainers/evaluate/evaluate.ts';
import type { EvaluationResult } from '../../trainers/evaluate/result.ts';
import { openWorkbench, rolloutSettingsSchema, type Workbench } from '../../trainers/workbench.ts';
import type { Session } from '../command.ts';
import { merge, readAssignments } from '../config-tree.ts';
import { loadRegistry } from '../named-env.ts';
import { openPolicy, openScripted, type OpenedContestant } from './contestants.ts';
import type { EvaluationOptions, ScriptedAgent } from './options.ts';
import { readStoredRun, type StoredRun } from './stored-run.ts';

/** Who is to play: a scripted player, or the policy of a run. */
export type Entrant = { readonly kind: 'scripted'; readonly agent: ScriptedAgent } | { readonly kind: 'run'; readonly run: StoredRun };

/** An evaluation that is ready to be played. */
export interface Evaluation {
  readonly bench: Workbench;
  readonly panel: TaskPanel;
  readonly entrants: readonly Entrant[];
  readonly play: (entrant: Entrant) => Promise<EvaluationResult>;
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
  readonly agents: readonly ScriptedAgent[];
  readonly runs: readonly string[];
  readonly presetPanel: (panels: readonly PanelInfo[]) => string;
}

/** Opens the env and everybody's weights folder, hands the evaluation to `use`, and closes everything. */
export async function withEvaluation<T>(
  request: EvaluationRequest,
  options: EvaluationOptions,
  session: Session,
  use: (evaluation: Evaluation) => Promise<T>,
): Promise<T> {
  const runs = await Promise.all(request.runs.map((folder) => readStoredRun(folder, options.checkpoint)));
  const { definition, envConfig } = await chooseEnv(runs, options);
  const context = createContext({ seed: options.seed, now: session.now, signal: session.signal });
  const settings = rolloutSettingsSchema.parse({ envConfig, concurrency: options.concurrency });
  await using bench = await openWorkbench(definition, settings, context);
  const name = options.panel ?? request.presetPanel(bench.host.panels);
  const limit = options.tasks === undefined ? {} : { limit: options.tasks };
  const panel = readPanel(bench.host, { env: definition.id, config: bench.envConfig, name, ...limit });
  const entrants: readonly Entrant[] = [
    ...request.agents.map((agent) => ({ kind: 'scripted', agent }) as const),
    ...runs.map((run) => ({ kind: 'run', run }) as const),
  ];
  const plan: EvaluationPlan = {
    dryRun: true,
    env: definition.id,
    config: bench.envConfig,
    panel: { name: panel.name, fingerprint: panel.fingerprint, tasks: panel.tasks.length },
    agents: entrants.map((entrant) => (entrant.kind === 'scripted' ? entrant.agent : `${entrant.run.name} (${entrant.run.checkpoint})`)),
    episodes: panel.tasks.length * options.episodes * entrants.length,
  };
  const play = (entrant: Entrant): Promise<EvaluationResult> => playPanel(entrant, { bench, panel, options, session, context });
  return await use({ bench, panel, entrants, play, plan });
}

/** The env that the user or the runs name; all must name the same, with the same config. */
async function chooseEnv(
  runs: readonly StoredRun[],
  options: EvaluationOptions,
): Promise<{ readonly definition: AnyEnvDefinition; readonly envConfig: Readonly<Record<string, unknown>> }> {
  const registry = await loadRegistry(options.envModule);
  const [first] = runs;
  const named = options.env ?? first?.env;
  if (named === undefined) {
    throw new UsageError({ where: 'cairn', what: 'no environment is named.', mend: 'Name one, or a run with --run. `cairn envs` lists all.' });
  }
  const definition = registry.find(named);
  const assigned = readAssignments('--set', options.set);
  const envConfig = merge(first?.envConfig ?? {}, assigned);
  for (const run of runs) {
    const sameEnv = registry.find(run.env).id === definition.id;
    if (sameEnv && canonicalJson(merge(run.envConfig, assigned)) === canonicalJson(envConfig)) continue;
    throw new UsageError({
      where: `run ${run.name}`,
      what: sameEnv ? 'its env has another config than that of the first run.' : `it was trained on ${run.env}, and ${definition.id} is asked for.`,
      mend: 'Evaluate runs of different envs or configs one by one.',
    });
  }
  return { definition, envConfig };
}

async function playPanel(
  entrant: Entrant,
  on: { readonly bench: Workbench; readonly panel: TaskPanel; readonly options: EvaluationOptions; readonly session: Session; readonly context: Context },
): Promise<EvaluationResult> {
  const { bench, panel, options, session } = on;
  await using opened = await openEntrant(entrant, on);
  const { contestant } = opened;
  using scope = forkContext(on.context, contestant.name);
  return await evaluate({
    bench,
    contestant,
    panel,
    seed: options.seed,
    episodesPerTask: options.episodes,
    versions: { 'cairn-gym': session.version, node: process.version, ...opened.versions },
    onProgress: ({ episodesDone, episodesPlanned, stepsDone }) =>
      session.progress.report({ label: contestant.name, done: episodesDone, total: episodesPlanned, note: `${stepsDone} steps` }),
    context: scope,
  });
}

function openEntrant(entrant: Entrant, on: { readonly bench: Workbench; readonly options: EvaluationOptions; readonly session: Session }): Promise<OpenedContestant> {
  if (entrant.kind === 'scripted') return Promise.resolve(openScripted(on.bench, entrant.agent));
  return openPolicy(on.bench, entrant.run, { ...on.options, say: (line) => on.session.progress.say(line), environment: on.session.environment });
}
