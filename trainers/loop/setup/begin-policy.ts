import { join, resolve } from 'node:path';
import type { KeyOf } from '../../../agents/servers/secret.ts';
import type { Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import { weightsFile } from '../../../models/choice/choice-checkpoint.ts';
import { digestWeights, exists } from '../../../models/token/checkpoint.ts';
import { createPolicy } from '../../policy/create-policy.ts';
import type { PolicyConfig } from '../../policy/policy-config.ts';
import type { TrainablePolicy } from '../../update/policy.ts';
import { digestFile } from '../../../files/digest-files.ts';
import { configName, readRunDocument, type RunDocument } from '../../run/run-document.ts';
import type { EnvSession } from '../../env-session.ts';
import { startVersion } from '../../run/lineage.ts';
import type { ResolvedTrainConfig } from '../../config/resolve-config.ts';

/** A policy at the start of a run, and what the run records of it. */
export interface BegunPolicy {
  readonly policy: TrainablePolicy;
  /** The digest of the initial weights, if any, and the policy's traits. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Creates the policy of a config, with its initial weights.
 * @param options.begun the record of a run that resumes from a checkpoint. Its weights are loaded next, so
 *   the initial ones are not read.
 * @throws UsageError if the initial weights were made with another encoder
 */
export async function beginPolicy(options: {
  readonly config: ResolvedTrainConfig;
  readonly begun: Pick<RunDocument, 'versions'> | undefined;
  readonly envSession: EnvSession;
  readonly backend: TensorBackend;
  readonly context: Context;
  readonly keyOf: KeyOf | undefined;
}): Promise<BegunPolicy> {
  const { config, begun, context, ...others } = options;
  const start = begun === undefined ? await digestOfStart(config.policy) : begun.versions[startVersion];
  const policy = await createPolicy({
    ...others,
    config: begun === undefined ? config : withoutStart(config),
    context,
    rng: context.rng.fork('initial-weights'),
  });
  try {
    if (begun === undefined) await assertMadeFor(policy, config.policy);
  } catch (thrown) {
    await policy[Symbol.asyncDispose]();
    throw thrown;
  }
  const traits = Object.fromEntries(policy.traits.map(({ name, fingerprint }) => [name, fingerprint]));
  return { policy, versions: { ...(start === undefined ? {} : { [startVersion]: start }), ...traits } };
}

/** A language model still needs its folder for the tokenizer. */
const withoutStart = (config: ResolvedTrainConfig): ResolvedTrainConfig =>
  config.policy.kind === 'choice' ? { ...config, policy: { ...config.policy, model: undefined } } : config;

/** Other initial weights make another training. Base weights of an adapter are a trait of its policy. */
async function digestOfStart(policy: PolicyConfig): Promise<string | undefined> {
  if (policy.model === undefined || (policy.kind === 'token' && policy.adapter !== undefined))
    return undefined;
  const digested = policy.kind === 'token' ? digestWeights(policy.model) : digestChoice(policy.model);
  return await digested.catch(() => undefined); // the policy refuses an unreadable folder with its own error
}

const digestChoice = async (folder: string): Promise<string> =>
  `sha256:${(await digestFile(join(folder, weightsFile))).sha256}`;

/**
 * Refuses initial weights of a run with another encoder, for which they have no meaning. A folder without a
 * run does not record its encoder.
 */
async function assertMadeFor(
  { traits }: Pick<TrainablePolicy, 'traits'>,
  { kind, model }: PolicyConfig,
): Promise<void> {
  if (kind !== 'choice' || model === undefined) return;
  const run = resolve(model, '../../..'); // RUN/checkpoints/NAME/policy
  const document = (await exists(join(run, configName))) ? await readRunDocument(run) : undefined;
  for (const { name, says, fingerprint } of traits) {
    const made = document?.versions[name];
    if (made === undefined || made === fingerprint) continue;
    throw new UsageError({
      where: `policy.model, ${model}`,
      what: `${says} differs: the run was made with ${made}, and here it is ${fingerprint}.`,
      fix: `Start from weights of this version, or use the version that made them (cairn-gym ${document?.versions['cairn-gym'] ?? 'unknown'}).`,
    });
  }
}
