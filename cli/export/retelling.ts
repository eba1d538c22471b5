import { createChatTemplate } from '../../agents/render/chat-template.ts';
import { loadTokenizer } from '../../agents/render/load-tokenizer.ts';
import type { RetokeniseOptions } from '../../agents/render/retokenise.ts';
import { createSpecialTextGuard } from '../../agents/render/special-text.ts';
import type { MessageTemplate } from '../../agents/render/token-prompt.ts';
import type { Tokenizer } from '../../agents/render/tokenizer.ts';
import type { RetellOptions } from '../../agents/prompt/retell.ts';
import type { Trajectory } from '../../agents/rollout/trajectory.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { benchPresetFor } from '../../trainers/recipes/bench-presets.ts';
import { choosePrompt } from '../evaluation/choose-prompt.ts';

/** What the user says of how episodes are told. */
export interface RetellingChoice {
  /** A name or a file; undefined: the usual one of each environment. */
  readonly prompt: string | undefined;
  readonly identity: Json | undefined;
  readonly tokens: TokenWords | undefined;
}

/** A tokenizer with its template. */
export type TokenWords = Pick<RetokeniseOptions, 'codec' | 'template' | 'endToken' | 'guard'> & { readonly decode: (tokens: readonly number[]) => string };

/** Finds the words in which an episode is told, once for each environment and config. */
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
    const prompt = await choosePrompt(named, { bench: { definition, host: { identity }, envConfig: config }, preset: benchPresetFor(id).prompt });
    return { prompt, text: definition.text, decode: tokens?.decode };
  }
}

/**
 * Reads the tokenizer of a checkpoint folder.
 * @throws UsageError where it has no chat template, or nothing that ends a turn
 */
export async function loadTokenWords(folder: string, today: () => Date): Promise<TokenWords> {
  const { tokenizer, template: source } = await loadTokenizer(folder);
  if (source === undefined) {
    throw new UsageError({ where: folder, what: 'it has no chat template.', mend: 'Put one in Jinja beside the tokenizer, as chat_template.jinja.' });
  }
  const template = createChatTemplate(source, { special: tokenizer.special.keys(), today });
  const harmless = createSpecialTextGuard(tokenizer.special.keys());
  const decode = (tokens: readonly number[]): string => tokenizer.decode(tokenizer.endOfTurn.has(tokens.at(-1) ?? -1) ? tokens.slice(0, -1) : tokens);
  return { codec: tokenizer, template, endToken: endTokenOf(tokenizer, template, folder), guard: (text) => harmless.guard(text).text, decode };
}

/** What the template puts behind a reply; where that is no special token, what the checkpoint says ends a turn. */
function endTokenOf(tokenizer: Tokenizer, template: MessageTemplate, folder: string): number {
  const said = 'Yes.';
  const text = template.render([{ role: 'user', text: 'Is it so?' }, { role: 'assistant', text: said }], { addGenerationPrompt: false });
  const [behind] = tokenizer.encode(text.slice(text.lastIndexOf(said) + said.length));
  if (behind !== undefined && [...tokenizer.special.values()].includes(behind)) return behind;
  const [end] = tokenizer.endOfTurn;
  if (end !== undefined) return end;
  throw new UsageError({ where: folder, what: 'neither its chat template nor its files name a token that ends a reply.', mend: 'Name one as eos_token in tokenizer_config.json.' });
}
