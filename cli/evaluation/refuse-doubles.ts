import { realpathSync } from 'node:fs';
import { UsageError } from '../../envs/core/errors.ts';
import type { AgentSpec } from './agent-spec.ts';
import type { Player } from './entrants.ts';

/** An agent as the user named it, and what it came to. */
export interface NamedPlayer {
  readonly agent: AgentSpec;
  readonly player: Player;
}

/** Refuses an agent that is named twice, also under two names: its rows would be the same, and nobody could tell why. */
export function refuseDoubles(named: readonly NamedPlayer[]): void {
  const seen = new Map<string, AgentSpec>();
  for (const { agent, player } of named) {
    const key = keyOf(player);
    const before = seen.get(key);
    if (before !== undefined) throw twice(before, agent, player);
    seen.set(key, agent);
  }
}

/** Equal for players that play alike, whatever they are called. */
function keyOf(player: Player): string {
  switch (player.kind) {
    case 'scripted':
      return player.agent;
    case 'run':
      return realpathSync(player.run.weights);
    case 'model':
      return realpathSync(player.model.folder);
    case 'text':
      return `${player.model} ${player.endpoint.origin}${player.endpoint.chatPath}`;
    default:
      return player satisfies never;
  }
}

function twice(before: AgentSpec, agent: AgentSpec, player: Player): UsageError {
  const [first, second] = [wordsOf(before), wordsOf(agent)];
  const what =
    first === second
      ? `${second} is named twice.`
      : `${first} and ${second} name one agent, ${describe(player)}.`;
  return new UsageError({
    where: 'the agents that are to play',
    what,
    mend: 'Name each agent once; --episodes plays its tasks more often.',
  });
}

/** The agent as it was named. */
function wordsOf(agent: AgentSpec): string {
  switch (agent.kind) {
    case 'scripted':
      return agent.agent;
    case 'run':
      return agent.checkpoint === undefined ? agent.folder : `${agent.folder} (${agent.checkpoint})`;
    case 'model':
      return agent.folder;
    case 'text':
      return `openai:${agent.model}@${agent.endpoint.origin}${agent.endpoint.chatPath}`;
    default:
      return agent satisfies never;
  }
}

function describe(player: Player): string {
  switch (player.kind) {
    case 'scripted':
      return `the ${player.agent}`;
    case 'run':
      return `the policy ${player.run.checkpoint} of ${player.run.name}`;
    case 'model':
      return `the model in ${player.model.folder}`;
    case 'text':
      return `${player.model} at ${player.endpoint.host}`;
    default:
      return player satisfies never;
  }
}
