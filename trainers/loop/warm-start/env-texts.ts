import { createRandomAgent } from '../../../agents/policy/random.ts';
import type { Trajectory, TrajectoryStep } from '../../../agents/rollout/trajectory.ts';
import type { Context } from '../../../envs/core/context.ts';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import { readPanelInTurns, type TaskPanel } from '../../../envs/core/task.ts';
import { playGroups, type EnvSession } from '../../env-session.ts';
import { demonstrate } from './demonstrations.ts';

/** Most tasks of a panel to examine. */
const mostTasks = 2_000;

/**
 * What an agent reads and writes in an env: instructions, observations, admissible actions and played
 * actions, from seeded episodes of its training panel. The env's searcher plays tasks of all families;
 * without one, play is random. Equal seeds give equal texts.
 * @throws UsageError for an env without a training panel, or with neither a searcher nor admissible actions
 * @throws RunError if every episode faulted
 */
export async function gatherEnvTexts(
  envSession: EnvSession,
  { episodes }: { readonly episodes: number },
  context: Context,
): Promise<readonly string[]> {
  const panel = await trainPanel(envSession, context.signal);
  const played =
    envSession.host.experts?.searcher === undefined
      ? await playAtRandom(envSession, panel, episodes, context)
      : await demonstrate(envSession, { panel, episodes }, context);
  const whole = played.flatMap(({ members }) => members).filter(({ stop }) => stop.kind !== 'faulted');
  if (whole.length > 0) return whole.flatMap((trajectory) => textsOf(envSession, trajectory));
  throw new RunError({
    where: `texts of ${envSession.definition.id}`,
    what: `all ${episodes} episodes faulted.`,
    fix: `Find the cause with \`npx cairn-gym check ${envSession.definition.id}\`.`,
  });
}

function trainPanel({ definition, envConfig, host }: EnvSession, signal: AbortSignal): Promise<TaskPanel> {
  const info = host.panels.find(({ purpose }) => purpose === 'train');
  if (info !== undefined)
    return readPanelInTurns(
      host,
      { env: definition.id, config: envConfig, name: info.name, atMost: mostTasks },
      signal,
    );
  throw new UsageError({
    where: `texts of ${definition.id}`,
    what: 'the env has no panel for training, and held-out panels must not be read.',
    fix: 'Name an env with a training panel.',
  });
}

async function playAtRandom(
  envSession: EnvSession,
  panel: TaskPanel,
  episodes: number,
  context: Context,
): Promise<readonly { readonly members: readonly Trajectory[] }[]> {
  const agent = createRandomAgent({ text: envSession.definition.text });
  const tasks = context.rng.fork('text-tasks').shuffle(panel.tasks).slice(0, episodes);
  const played = await playGroups(envSession, { agent, tasks, label: 'texts', members: 1 }, context);
  return played.map(({ group }) => group);
}

/** Every admissible action of an episode once, as lists show it. */
function textsOf({ definition: { text } }: EnvSession, { instruction, steps }: Trajectory): string[] {
  const candidates = new Set(
    steps.flatMap(({ decision }) => (decision?.kind === 'choice' ? decision.candidates : [])),
  );
  const turns = steps.flatMap(({ observation, reply }: TrajectoryStep) => [
    text.observation(observation),
    reply.kind === 'action' ? text.action(reply.action) : reply.text,
  ]);
  return [instruction, ...turns, [...candidates].map((candidate) => `- ${candidate}`).join('\n')];
}
