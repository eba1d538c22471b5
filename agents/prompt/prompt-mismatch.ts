import type { AnyEnvDefinition, EnvHost } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { PromptName } from './load-prompt.ts';
import type { Prompt } from './prompt.ts';

/** Works with any env, because it names no commands. */
export const plainPrompt: PromptName = 'plain';
const fixPlain = `use --prompt ${plainPrompt}, which names no commands and works with any environment.`;

/** What is played: an env, and the facts in its identity or config. */
export interface Game {
  readonly env: string;
  readonly says: ReadonlyMap<string, Json | undefined>;
}

/** An opened env. */
export interface OpenedGame {
  readonly definition: Pick<AnyEnvDefinition, 'id'>;
  readonly host: Pick<EnvHost<unknown, unknown>, 'identity'>;
  readonly envConfig: Json;
}

export function gameOf({ definition, host, envConfig }: OpenedGame): Game {
  const identity = host.identity ?? envConfig;
  const isRecord = typeof identity === 'object' && identity !== null && !Array.isArray(identity);
  return { env: definition.id, says: new Map(isRecord ? Object.entries(identity) : []) };
}

/** Why a prompt does not fit the game; undefined if it does. The fix is used when no other prompt fits. */
export function promptMismatch(
  prompt: Prompt,
  { env, says }: Game,
): { readonly what: string; readonly fix: string } | undefined {
  if (prompt.for !== undefined && !prompt.for.includes(env)) {
    return {
      what: `it is for ${prompt.for.join(' or ')}, and this is ${env}.`,
      fix: `Play ${prompt.for.join(' or ')}, or ${fixPlain}`,
    };
  }
  for (const [key, wanted] of Object.entries(prompt.requires)) {
    const said = says.get(key);
    if (wanted.some((value) => value === said)) continue;
    const here = said === undefined ? `${env} reports none` : `${env} reports ${JSON.stringify(said)}`;
    return {
      what: `it requires ${key} ${wanted.map((value) => JSON.stringify(value)).join(' or ')}, and ${here}.`,
      fix: fixRequirement(key, wanted.map(String)),
    };
  }
  return undefined;
}

/** The fix for a prompt whose requirement for `key` the env does not meet. */
export const fixRequirement = (key: string, values: readonly string[]): string =>
  `Play only tasks with one ${key} (${values.join(', ')}), or ${fixPlain}`;

/** The error of a prompt with native tool calls where replies are text. */
export const noToolCalls = ({ name }: Prompt): UsageError =>
  new UsageError({
    where: `prompt ${name}`,
    what: 'it offers the actions as native tool calls, which only a model behind a server makes (openai:MODEL@URL).',
    fix: 'Use a prompt whose replies are text, such as react or plain.',
  });
