import { realpathSync } from 'node:fs';
import { UsageError } from '../../envs/core/errors.ts';
import type { AgentSpec } from './agent-spec.ts';
import type { Entrant } from './entrants.ts';

/** An agent as the user named it, and what it came to. */
export interface NamedEntrant {
  readonly agent: AgentSpec;
  readonly entrant: Entrant;
}

/** Refuses an agent that is named twice, also under two names: its rows would be the same, and nobody could tell why. */
export function refuseDoubles(named: readonly NamedEntrant[]): void {
  const seen = new Map<string, AgentSpec>();
  for (const { agent, entrant } of named) {
    const key = keyOf(entrant);
    const before = seen.get(key);
    if (before !== undefined) throw twice(before, agent, entrant);
    seen.set(key, agent);
  }
}

/** Equal for entrants that play alike, whatever they are called. */
function keyOf(entrant: Entrant): string {
  switch (entrant.kind) {
    case 'scripted':
      return entrant.agent;
    case 'run':
      return realpathSync(entrant.run.weights);
    case 'text':
      return `${entrant.model} ${entrant.endpoint.origin}${entrant.endpoint.chatPath}`;
    default:
      return entrant satisfies never;
  }
}

function twice(before: AgentSpec, agent: AgentSpec, entrant: Entrant): UsageError {
  const [first, second] = [wordsOf(before), wordsOf(agent)];
  const what = first === second ? `${second} is named twice.` : `${first} and ${second} name one agent, ${describe(entrant)}.`;
  return new UsageError({ where: 'the agents that are to play', what, mend: 'Name each agent once; --episodes plays its tasks more often.' });
}

/** The agent as it was named. */
function wordsOf(agent: AgentSpec): string {
  switch (agent.kind) {
    case 'scripted':
      return agent.agent;
    case 'run':
      return agent.checkpoint === undefined ? agent.folder : `${agent.folder} (${agent.checkpoint})`;
    case 'text':
      return `openai:${agent.model}@${agent.endpoint.origin}${agent.endpoint.chatPath}`;
    default:
      return agent satisfies never;
  }
}

function describe(entrant: Entrant): string {
  switch (entrant.kind) {
    case 'scripted':
      return `the ${entrant.agent}`;
    case 'run':
      return `the policy ${entrant.run.checkpoint} of ${entrant.run.name}`;
    case 'text':
      return `${entrant.model} at ${entrant.endpoint.host}`;
    default:
      return entrant satisfies never;
  }
}
