import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEndpoint, type Endpoint } from '../../agents/servers/endpoint.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';

/** Players that need no weights; `expert` is the env's searcher, or its planner where it has no searcher. */
export const scriptedAgents = ['random', 'expert', 'searcher', 'planner'] as const;
export type ScriptedAgent = Exclude<(typeof scriptedAgents)[number], 'expert'>;

/** Who is to play, as `--agent` names it. */
export type AgentSpec =
  /** With `ifThere` nobody asked for it: where the env has no expert, it stays away. */
  | { readonly kind: 'scripted'; readonly agent: (typeof scriptedAgents)[number]; readonly ifThere?: true }
  /** The policy of a run; `checkpoint` where the path named one. */
  | { readonly kind: 'run'; readonly folder: string; readonly checkpoint?: string }
  /** A language model in a folder, as Hugging Face has them. */
  | { readonly kind: 'model'; readonly folder: string }
  /** A language model behind a server. */
  | { readonly kind: 'text'; readonly model: string; readonly endpoint: Endpoint };

export const agentWords = `${scriptedAgents.join(', ')}, the folder of a run, of a checkpoint or of a language model, or openai:MODEL@URL`;

const example = 'openai:Qwen/Qwen3-8B@http://localhost:8000/v1';

/**
 * Reads `random`, `runs/first`, `runs/first/checkpoints/iteration-00040` or `openai:MODEL@URL`; `where` names the flag in errors. A bare
 * name is that of a folder here where one holds a run or a checkpoint; names of players win, and `say` hears of it.
 */
export function parseAgentSpec(
  text: string,
  { where, say }: { readonly where: string; readonly say: (line: string) => void },
): AgentSpec {
  const scripted = scriptedAgents.find((name) => name === text);
  if (scripted !== undefined) {
    if (holdsWeights(text)) say(`${text} is the player of that name; the folder here is --agent ./${text}`);
    return { kind: 'scripted', agent: scripted };
  }
  if (text.startsWith('openai:')) return parseTextAgent(text.slice('openai:'.length), where);
  const scheme = /^([a-z][\w-]*):./i.exec(text)?.[1];
  if (scheme !== undefined && scheme.length > 1) {
    throw new UsageError({
      where,
      what: `there are no agents of kind "${scheme}:".`,
      mend: `${didYouMean(nearest(scheme, ['openai']))}Write it like ${example}.`,
    });
  }
  if (/[/\\]/.test(text) || text.startsWith('.') || holdsWeights(text)) return storedAt(text);
  throw new UsageError({
    where,
    what: `"${text}" is no agent.`,
    mend: `${didYouMean(nearest(text, [...scriptedAgents, 'openai']))}Give ${agentWords}; a folder here is named ./${text}.`,
  });
}

function parseTextAgent(rest: string, where: string): AgentSpec {
  const at = rest.search(/@https?:/i);
  const model = at < 0 ? rest.replace(/@.*$/s, '') : rest.slice(0, at);
  if (model === '')
    throw new UsageError({ where, what: 'it names no model.', mend: `Write it like ${example}.` });
  if (at >= 0) return { kind: 'text', model, endpoint: parseEndpoint(rest.slice(at + 1), where) };
  const server = rest.slice(model.length + 1);
  const what =
    server === ''
      ? `it does not say where ${model} is served.`
      : 'the server is no URL that begins with http:// or https://.';
  const meant = /^[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/.test(server)
    ? `Did you mean openai:${model}@http://${server}? `
    : '';
  throw new UsageError({ where, what, mend: `${meant}Write it like ${example}.` });
}

/** Whether the bare name is that of a folder here with a run, a checkpoint, a model or an adapter in it. */
const holdsWeights = (name: string): boolean =>
  name !== '' &&
  ['config.json', 'checkpoint.json', 'adapter_config.json'].some((file) => existsSync(join(name, file)));

/** Whether the folder holds what begins a language model: a run's config names no type of model. */
function isModel(folder: string): boolean {
  try {
    return /"model_type"\s*:/.test(readFileSync(join(folder, 'config.json'), 'utf8'));
  } catch {
    return false; // no such file: whoever reads the folder says so
  }
}

/** The folder of a run, of a checkpoint within one, or of a model. */
function storedAt(path: string): AgentSpec {
  if (isModel(path)) return { kind: 'model', folder: path };
  const full = resolve(path);
  if (basename(dirname(full)) !== 'checkpoints') return { kind: 'run', folder: path };
  return { kind: 'run', folder: dirname(dirname(full)), checkpoint: basename(full) };
}
