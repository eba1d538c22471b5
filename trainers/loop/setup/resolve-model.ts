import { join, resolve } from 'node:path';
import { isPromptFile } from '../../../agents/prompt/load-prompt.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { adapterConfigFile, readBaseModel, readLoraConfig } from '../../../models/token/adapter-files.ts';
import { exists } from '../../../models/token/checkpoint.ts';
import type { LoraConfig } from '../../../models/token/lora.ts';
import { weightsFile } from '../../../models/choice/choice-checkpoint.ts';
import type { ChoicePolicyConfig, PolicyConfig, TokenPolicyConfig } from '../../policy/policy-config.ts';
import { resolveLockedFile } from '../../policy/sampler-config.ts';
import { findModelFolder, findWeights } from '../../run/find-model.ts';

/**
 * The policy with absolute paths of its initial weights. A run then refers to one model, wherever it is
 * resumed and whatever happens to the run that trained that model.
 * @throws UsageError if the folder has no model of its kind, or an initial adapter with another shape than
 * the config
 */
export async function resolveModel(policy: PolicyConfig): Promise<PolicyConfig> {
  switch (policy.kind) {
    case 'choice':
      return policy.model === undefined
        ? policy
        : { ...policy, model: await findChoiceWeights(policy.model) };
    case 'token':
      return resolveLanguageModel(policy);
    default:
      return policy satisfies never;
  }
}

async function findChoiceWeights(named: NonNullable<ChoicePolicyConfig['model']>): Promise<string> {
  const folder = await findWeights(named);
  if (await exists(join(folder, weightsFile))) return folder;
  throw new UsageError({
    where: `policy.model, ${named}`,
    what: 'no choice policy was saved there.',
    fix: 'Name a run of `cairn-gym train` that has a checkpoint, or one of its checkpoints. For a language model add --policy token.',
  });
}

/** If the model is an adapter, its base model is used and the adapter is trained further. */
async function resolveLanguageModel({ sampler, ...given }: TokenPolicyConfig): Promise<TokenPolicyConfig> {
  const { prompt } = given;
  const rest = prompt !== undefined && isPromptFile(prompt) ? { ...given, prompt: resolve(prompt) } : given;
  const policy: TokenPolicyConfig =
    sampler === undefined ? rest : { ...rest, sampler: resolveLockedFile(sampler) };
  const named = await findWeights(policy.model);
  const isAdapter = await exists(join(named, adapterConfigFile));
  if (isAdapter && policy.adapter?.from !== undefined) {
    throw new UsageError({
      where: `policy.model, ${policy.model}`,
      what: 'it is an adapter, and policy.adapter.from names an initial adapter too.',
      fix: 'Name the adapter once: remove policy.adapter.from.',
    });
  }
  const from = isAdapter
    ? named
    : policy.adapter?.from === undefined
      ? undefined
      : await findWeights(policy.adapter.from);
  const model = isAdapter ? await baseOf(named) : await findModelFolder(policy.model);
  if (from === undefined) return { ...policy, model };
  const stored = await readLoraConfig(from);
  if (policy.adapter !== undefined) assertSameShape(policy.adapter, stored, from);
  return { ...policy, model, adapter: { ...stored, from } };
}

async function baseOf(adapter: string): Promise<string> {
  const base = await readBaseModel(adapter);
  if (base !== undefined && (await exists(join(base, 'config.json')))) return resolve(base);
  throw new UsageError({
    where: `policy.model, ${adapter}`,
    what: `the adapter ${base === undefined ? 'names no base model' : `changes ${base}, which is not a model folder here`}.`,
    fix: `Name the two separately: --model FOLDER --with policy.adapter.from=${adapter}.`,
  });
}

/**
 * The factors of an adapter fit only its rank and modules, and another alpha would scale them differently.
 */
function assertSameShape(wanted: LoraConfig, stored: LoraConfig, from: string): void {
  const words = ({ rank, alpha, targets }: LoraConfig): string =>
    `rank ${rank}, alpha ${alpha} on ${targets.toSorted().join(', ')}`;
  if (words(wanted) === words(stored)) return;
  throw new UsageError({
    where: 'policy.adapter',
    what: `${from} has ${words(stored)}, and the config has ${words(wanted)}.`,
    fix: `Remove rank, alpha and targets and name the adapter as the model, or use its own values: --with policy.adapter.rank=${stored.rank} --with policy.adapter.alpha=${stored.alpha} --with policy.adapter.targets=${JSON.stringify(stored.targets)}.`,
  });
}
