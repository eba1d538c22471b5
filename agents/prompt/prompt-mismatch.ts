import type { AnyEnvDefinition, EnvHost } from '../../envs/core/env.ts';
import type { Json } from '../../envs/core/json.ts';
import type { PromptName } from './load-prompt.ts';
import type { Prompt } from './prompt.ts';

/** Goes with any env, since it names no commands. */
export const plainPrompt: PromptName = 'plain';
const fixPlain = `give --prompt ${plainPrompt}, which names no commands and goes with any.`;

/** What is played: an env, and what its identity, or else its config, says of it. */
export interface Game {
  readonly env: string;
  readonly says: ReadonlyMap<string, Json | undefined>;
}

/** An env as it was opened. */
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

/** Why a prompt does not go with the game; undefined where it does. The fix is for where no other prompt does. */
export function promptMismatch(
  prompt: Prompt,
  { env, says }: Game,
): { readonly what: string; readonly fix: string } | undefined {
  if (prompt.for !== undefined && !prompt.for.includes(env)) {
    return {
      what: `it is for ${prompt.for.join(' or ')}, and this is ${env}.`,
      fix: `Play ${prompt.for.join(' or ')}; or ${fixPlain}`,
    };
  }
  for (const [key, wanted] of Object.entries(prompt.requires)) {
    const said = says.get(key);
    if (wanted.some((value) => value === said)) continue;
    const here = said === undefined ? `${env} says none` : `that of ${env} here is ${JSON.stringify(said)}`;
    return {
      what: `it is for the ${key} ${wanted.map((value) => JSON.stringify(value)).join(' or ')}, and ${here}.`,
      fix: fixRequirement(key, wanted.map(String)),
    };
  }
  return undefined;
}

/** What to do where a prompt does not go with what an env says of itself under that key. */
export const fixRequirement = (key: string, values: readonly string[]): string =>
  `Play tasks that are all of one ${key} (${values.join(', ')}); or ${fixPlain}`;
