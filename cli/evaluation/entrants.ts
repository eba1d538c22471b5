import type { Secret } from '../../agents/servers/secret.ts';
import type { Context } from '../../envs/core/context.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import type { BenchPreset } from '../../trainers/recipes/bench-preset.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { Session } from '../command.ts';
import type { AgentSpec, ScriptedAgent } from './agent-spec.ts';
import { keyFor } from './api-key.ts';
import { choosePrompt } from './choose-prompt.ts';
import { hasExpert, openScripted, resolveExpert, type OpenedContestant } from './contestants.ts';
import { nameEntrants } from './distinct-names.ts';
import type { EvaluationOptions } from './options.ts';
import { refuseDoubles, type NamedPlayer } from './refuse-doubles.ts';
import { readStoredModel, type StoredModel } from './stored-model.ts';
import type { StoredRun } from './stored-run.ts';
import type { TextPlayer } from './text-contestant.ts';
import { readFields } from './text-options.ts';

/** Who is to play: a scripted player, the policy of a run, or a language model, in a folder or behind a server. */
export type Player =
  | { readonly kind: 'scripted'; readonly agent: ScriptedAgent }
  | { readonly kind: 'run'; readonly run: StoredRun }
  | { readonly kind: 'model'; readonly model: StoredModel }
  | TextPlayer;

/** A player with its name in tables, which no other has. */
export type Entrant = Player & { readonly name: string };

/** What the agents that the user named come to. Refuses one that is named twice. */
export async function openEntrants(
  agents: readonly AgentSpec[],
  on: {
    readonly bench: Workbench;
    readonly runs: ReadonlyMap<AgentSpec, StoredRun>;
    readonly key: Secret | undefined;
    readonly options: EvaluationOptions;
    readonly preset: BenchPreset;
    readonly say: (line: string) => void;
  },
): Promise<readonly Entrant[]> {
  const { bench, runs, options, preset, say } = on;
  const prompt = agents.some(({ kind }) => kind === 'text')
    ? await choosePrompt(options.prompt, {
        bench,
        preset: preset.prompt,
        hideAdmissible: options.hideAdmissible,
      })
    : undefined;
  const fields = readFields(options);
  const models = new Map(
    await Promise.all(
      agents
        .flatMap((agent) => (agent.kind === 'model' ? [agent] : []))
        .map(async (agent) => [agent, await readStoredModel(agent.folder, options)] as const),
    ),
  );
  const named = agents.flatMap((agent): readonly NamedPlayer[] => {
    if (agent.kind === 'scripted') {
      if (agent.ifThere !== true || hasExpert(bench.host))
        return [{ agent, player: { kind: 'scripted', agent: resolveExpert(agent, bench.host) } }];
      say(`${bench.definition.id} has no expert, so there is no ceiling to read the others beside`);
      return [];
    }
    const run = runs.get(agent);
    if (agent.kind === 'run') return run === undefined ? [] : [{ agent, player: { kind: 'run', run } }];
    if (agent.kind === 'model')
      return [models.get(agent)].flatMap((model) =>
        model === undefined ? [] : [{ agent, player: { kind: 'model', model } }],
      );
    if (prompt === undefined) return [];
    const { model, endpoint } = agent;
    const key = keyFor(endpoint, on.key, { named: options.keyEnv !== undefined, say });
    return [{ agent, player: { kind: 'text', model, endpoint, prompt, key, fields } }];
  });
  refuseDoubles(named);
  const names = nameEntrants(named.map(({ player }) => player));
  return named.map(({ player }, index) => ({ ...player, name: names[index] ?? '' }));
}

/** An entrant in the plan. */
export function describeEntrant(entrant: Entrant): string {
  switch (entrant.kind) {
    case 'scripted':
    case 'model':
      return entrant.name;
    case 'run':
      return ending(entrant.name, ` (${entrant.run.checkpoint})`);
    case 'text':
      return `${entrant.name === entrant.model ? `${entrant.model} at ${entrant.endpoint.host}` : entrant.name} (prompt ${entrant.prompt.name})`;
    default:
      return entrant satisfies never;
  }
}

const ending = (name: string, end: string): string => (name.endsWith(end) ? name : `${name}${end}`);

/** The entrant with what it holds. Weights and connections come with it, so their libraries load only where they are used. */
export async function openEntrant(
  entrant: Entrant,
  game: {
    readonly bench: Workbench;
    readonly panel: TaskPanel;
    readonly options: EvaluationOptions;
    readonly session: Session;
    readonly context: Context;
  },
): Promise<OpenedContestant> {
  const { bench, options, session } = game;
  switch (entrant.kind) {
    case 'scripted':
      return openScripted(bench, entrant.agent);
    case 'run': {
      const { openRunPolicy } = await import('./policy-contestant.ts');
      return openRunPolicy(bench, entrant, {
        ...options,
        say: (line) => session.progress.say(line),
        environment: session.environment,
      });
    }
    case 'model': {
      const { openModelPolicy } = await import('./policy-contestant.ts');
      return openModelPolicy(bench, entrant, {
        ...options,
        say: (line) => session.progress.say(line),
        environment: session.environment,
      });
    }
    case 'text': {
      const { openText } = await import('./text-contestant.ts');
      return openText(entrant, game);
    }
    default:
      return entrant satisfies never;
  }
}
