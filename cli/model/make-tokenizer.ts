import path from 'node:path';
import {
  byteTokenizer,
  trainTokenizer,
  type TokenizerFolderFiles,
} from '../../agents/render/tokenizer/train-tokenizer.ts';
import { forkContext, type Context } from '../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { gatherEnvTexts } from '../../trainers/loop/warm-start/env-texts.ts';
import { openEnvSession, rolloutSettingsSchema } from '../../trainers/env-session.ts';
import { assertNew, writeNew } from '../options/new-file.ts';

/** The tokenizer of a new model: the byte tokenizer, or one trained on texts of these envs. */
export type TokenizerPlan =
  | { readonly kind: 'bytes' }
  | {
      readonly kind: 'from-env';
      readonly definitions: readonly AnyEnvDefinition[];
      /** Of every env; default: each env's own. */
      readonly envConfig?: Readonly<Record<string, unknown>>;
      /** Of each env. */
      readonly episodes: number;
      /** Most tokens. */
      readonly vocabulary: number;
    };

/**
 * Creates the tokenizer's files. Equal plans and seeds (that of `context`) give equal files. `onEnv` is
 * called before each env.
 */
export async function makeTokenizer(
  plan: TokenizerPlan,
  context: Context,
  onEnv: (id: string) => void = () => undefined,
): Promise<TokenizerFolderFiles> {
  if (plan.kind === 'bytes') return byteTokenizer();
  const texts: string[] = [];
  for (const definition of plan.definitions) {
    onEnv(definition.id);
    using own = forkContext(context, definition.id);
    await using envSession = await openEnvSession(
      definition,
      rolloutSettingsSchema.parse({ envConfig: plan.envConfig ?? {} }),
      own,
    );
    texts.push(...(await gatherEnvTexts(envSession, plan, own)));
  }
  return trainTokenizer(texts, plan);
}

/** Writes the files into an existing folder. If one of them exists already, nothing is written. */
export async function writeTokenizer(folder: string, files: TokenizerFolderFiles): Promise<void> {
  const names = ['tokenizer.json', 'tokenizer_config.json'] as const;
  for (const name of names) await assertNew(path.join(folder, name));
  for (const name of names) await writeNew(path.join(folder, name), files[name]);
}
