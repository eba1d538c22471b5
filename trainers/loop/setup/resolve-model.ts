import { join, resolve } from 'node:path';
import { UsageError } from '../../../envs/core/errors.ts';
import { adapterConfigFile, readBaseModel, readLoraConfig } from '../../../models/token/adapter-files.ts';
import { exists } from '../../../models/token/checkpoint.ts';
import type { LoraConfig } from '../../../models/token/lora.ts';
import { weightsFile } from '../../../models/choice/choice-checkpoint.ts';
import type { ChoicePolicyConfig, PolicyConfig, TokenPolicyConfig } from '../../policy/policy-config.ts';
import { resolveLockedFile } from '../../policy/sampler-config.ts';
import { findModelFolder, findWeights } from '../../run/find-model.ts';

/**
 * The policy with the absolute folders that it begins from, so that a run is of one model, wherever it is gone on with and whatever
 * becomes of the run that trained it.
 * @throws UsageError where there is no model of its kind, or the adapter to begin with has another shape than the config asks for
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
    fix: 'Name a run of `cairn train` that has a checkpoint, or one of its checkpoints; a language model goes with --policy token.',
  });
}

/** Where it names an adapter as its model, that of the adapter is meant, and the adapter is trained on. */
async function resolveLanguageModel({ sampler, ...rest }: TokenPolicyConfig): Promise<TokenPolicyConfig> {
  const policy: TokenPolicyConfig =
    sampler === undefined ? rest : { ...rest, sampler: resolveLockedFile(sampler) };
  const named = await findWeights(policy.model);
  const isAdapter = await exists(join(named, adapterConfigFile));
  if (isAdapter && policy.adapter?.from !== undefined) {
    throw new UsageError({
      where: `policy.model, ${policy.model}`,
      what: 'it is an adapter, and policy.adapter.from names one to begin with.',
      fix: 'Name the adapter once: leave policy.adapter.from out.',
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
    what: `the adapter ${base === undefined ? 'names no model that it changes' : `changes ${base}, which is no folder of a model here`}.`,
    fix: `Name the two apart: --model FOLDER --with policy.adapter.from=${adapter}.`,
  });
}

/** The factors of an adapter fit no other rank or modules, and with another alpha would be another change. */
function assertSameShape(wanted: LoraConfig, stored: LoraConfig, from: string): void {
  const words = ({ rank, alpha, targets }: LoraConfig): string =>
    `rank ${rank}, alpha ${alpha} on ${targets.toSorted().join(', ')}`;
  if (words(wanted) === words(stored)) return;
  throw new UsageError({
    where: 'policy.adapter',
    what: `${from} has ${words(stored)}, and ${words(wanted)} is asked for.`,
    fix: `Leave rank, alpha and targets out and name the adapter as the model, or give its own: --with policy.adapter.rank=${stored.rank} --with policy.adapter.alpha=${stored.alpha} --with policy.adapter.targets=${JSON.stringify(stored.targets)}.`,
  });
}
