import { loadChatFormat } from '../../agents/render/chat-format.ts';
import type { RetokeniseOptions } from '../../agents/policy/retokenise.ts';
import type { RetellOptions } from '../../agents/prompt/retell.ts';
import type { Trajectory } from '../../agents/rollout/trajectory.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { benchPresetFor } from '../../trainers/recipes/bench-preset.ts';
import { noToolCalls } from '../../agents/prompt/prompt-mismatch.ts';
import { choosePrompt } from '../players/choose-prompt.ts';

/** The user's options for the wording of episodes. */
export interface RetellingChoice {
  /** A name or a file; undefined: the usual one of each environment. */
  readonly prompt: string | undefined;
  readonly identity: Json | undefined;
  readonly tokens: TokenWords | undefined;
}

/** A tokenizer with its template. */
export type TokenWords = Pick<RetokeniseOptions, 'codec' | 'template' | 'endToken' | 'guard'> & {
  readonly decode: (tokens: readonly number[], after?: number) => string;
};

/** Finds the wording of an episode, once for each environment and config. */
export class Retelling {
  readonly #choice: RetellingChoice;
  readonly #registry: Registry<readonly AnyEnvDefinition[]>;
  readonly #known = new Map<string, Promise<RetellOptions>>();

  constructor(choice: RetellingChoice, registry: Registry<readonly AnyEnvDefinition[]>) {
    this.#choice = choice;
    this.#registry = registry;
  }

  /** @throws UsageError for an environment that is not there, and a prompt that is not for it */
  optionsFor({ env }: Trajectory): Promise<RetellOptions> {
    const key = `${env.id} ${JSON.stringify(env.config)}`;
    const known = this.#known.get(key) ?? this.#open(env);
    this.#known.set(key, known);
    return known;
  }

  async #open({ id, config }: Trajectory['env']): Promise<RetellOptions> {
    const { prompt: named, identity, tokens } = this.#choice;
    const definition = this.#registry.find(id);
    const prompt = await choosePrompt(named, {
      envSession: { definition, host: identity === undefined ? {} : { identity }, envConfig: config },
      preset: benchPresetFor(definition).prompt,
    });
    if (prompt.grammar === 'tools') throw noToolCalls(prompt);
    return { prompt, text: definition.text, decode: tokens?.decode, guard: tokens?.guard };
  }
}

/**
 * Reads the tokenizer and the chat template of a checkpoint folder.
 * @throws UsageError as {@link loadChatFormat} does
 */
export async function loadTokenWords(folder: string): Promise<TokenWords> {
  const { tokenizer, template, guard, stopTokens } = await loadChatFormat(folder);
  const [endToken = -1] = stopTokens; // never: a format has one
  const decode = (tokens: readonly number[], after?: number): string =>
    tokenizer.decode(stopTokens.includes(tokens.at(-1) ?? -1) ? tokens.slice(0, -1) : tokens, after);
  return { codec: tokenizer, template, endToken, guard, decode };
}
