import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadTokenizer } from '../../agents/render/tokenizer/load-tokenizer.ts';
import { createContext } from '../../envs/core/context.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { isMixtureId } from '../../envs/core/mixture-name.ts';
import { createRng } from '../../envs/core/rng.ts';
import { writeCheckpoint } from '../../models/token/checkpoint.ts';
import { initialTransformerWeights } from '../../models/token/initial-weights.ts';
import { modelPresets, presetConfig, type ModelPreset } from '../../models/token/model-presets.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import { readAssignments } from '../options/assignments.ts';
import { loadRegistry, type EnvOptions } from '../options/named-env.ts';
import { describeModel, describeParameters, parameterCount } from './describe-model.ts';
import { makeTokenizer, writeTokenizer, type TokenizerPlan } from './make-tokenizer.ts';
import { assertMissingOrEmpty, makeModelFolder } from './new-model-folder.ts';

export interface InitOptions {
  readonly preset: ModelPreset;
  /** `bytes`, or `from-env` and ids of envs with commas between them. */
  readonly tokenizer: readonly string[];
  readonly out: string;
  readonly seed: number;
  readonly vocabulary: number | undefined;
  readonly context: number;
  readonly episodes: number;
  readonly envModule: readonly string[];
  /** Keys of the config of the one env that is named. */
  readonly set: EnvOptions['set'];
}

/**
 * Creates a model: a tokenizer, and seeded random weights of the preset's shape. Equal options give equal
 * files.
 */
export async function initModel(options: InitOptions, session: CommandContext): Promise<Outcome> {
  const { preset, out, seed, context: longestContext } = options;
  await assertMissingOrEmpty(out);
  const plan = await planTokenizer(options, session.signal);
  const context = createContext({ seed, now: session.now, signal: session.signal });
  let done = 0;
  const total = plan.kind === 'bytes' ? 0 : plan.definitions.length;
  const files = await makeTokenizer(plan, context, (id) =>
    session.progress.report({ label: `texts of ${id}`, done: done++, total }),
  );
  const shape = { longestContext, vocabulary: modelPresets[preset].vocabulary };
  await makeModelFolder(out, 8 * parameterCount(presetConfig(preset, shape)), async (folder) => {
    await writeTokenizer(folder, files);
    const { tokenizer } = await loadTokenizer(folder);
    const config = presetConfig(preset, { ...shape, vocabulary: tokenizer.size });
    await writeCheckpoint(
      folder,
      config,
      initialTransformerWeights(config, createRng(seed).fork('initial-weights')),
    );
    await writeFile(
      join(folder, 'generation_config.json'),
      `${JSON.stringify({ eos_token_id: [...tokenizer.endOfTurn] }, undefined, 2)}\n`,
    );
  });
  const document = await describeModel(out);
  const { layers, width, vocabulary } = document.config;
  const isShort = plan.kind === 'from-env' && vocabulary < plan.vocabulary;
  return {
    document,
    lines: [
      `${out}: ${preset}, ${layers} layers x ${width}, ${describeParameters(document.parameters)}, a vocabulary of ${vocabulary}, a context of ${longestContext} tokens.`,
      ...(isShort
        ? [
            `The vocabulary is ${vocabulary}, not ${plan.vocabulary}: no further pair of tokens occurs twice in the texts of the environments. More --episodes or environments may help.`,
          ]
        : []),
    ],
  };
}

async function planTokenizer(
  { tokenizer, preset, vocabulary, episodes, envModule, set }: InitOptions,
  signal: AbortSignal,
): Promise<TokenizerPlan> {
  const [kind, envs, ...more] = tokenizer;
  const refuse = (what: string): never => {
    throw new UsageError({
      where: 'cairn-gym model, --tokenizer',
      what,
      fix: 'Give `--tokenizer bytes`, or `--tokenizer from-env household,shop`.',
    });
  };
  const envConfig = readAssignments('--set', set);
  if (more.length > 0) refuse(`"${more.join(' ')}" is unexpected.`);
  if (kind === 'bytes') {
    if (envs !== undefined) refuse(`bytes needs no environments, but "${envs}" follows it.`);
    if (vocabulary !== undefined)
      throw new UsageError({
        where: 'cairn-gym model, --vocabulary',
        what: 'the byte tokenizer has a fixed vocabulary.',
        fix: 'Remove it, or train a tokenizer: --tokenizer from-env household.',
      });
    if (Object.keys(envConfig).length > 0)
      refuse('bytes needs no config of an environment, but --set gives one.');
    return { kind };
  }
  if (kind !== 'from-env') refuse(`there is no tokenizer "${kind}".`);
  if (envs === undefined) return refuse('from-env needs at least one environment.');
  const registry = await loadRegistry(envModule, signal);
  const definitions = (isMixtureId(envs) ? [envs] : envs.split(',')).map((id) => registry.find(id.trim()));
  if (definitions.length > 1 && Object.keys(envConfig).length > 0)
    throw new UsageError({
      where: 'cairn-gym model, --set',
      what: `it is the config of one environment, but ${definitions.length} are named.`,
      fix: 'Name one environment, or a mixture such as mix:household=2,shop=1.',
    });
  for (const definition of definitions) parseEnvConfig(definition, envConfig);
  return {
    kind: 'from-env',
    definitions,
    envConfig,
    episodes,
    vocabulary: vocabulary ?? modelPresets[preset].vocabulary,
  };
}
