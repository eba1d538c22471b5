import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Lineage } from '../results/lineage.ts';
import { evidencePlugin } from '../critics/open-evidence.ts';
import { isPromptFile } from '../../agents/prompt/load-prompt.ts';
import { curriculumKind } from '../curriculum/open-curriculum.ts';
import { earlierEnvModule, envModuleVersion } from '../plugins/env-modules.ts';
import { objectivePlugin } from '../update/open-objective.ts';
import { builtInName, creditVersions } from '../credit/credit-name.ts';
import { digestConfig } from './checkpoint-manifest.ts';
import { trainConfigSchema } from '../config/config.ts';
import { runtimeOnlyKeys, settingsWithout } from '../config/runtime-only-keys.ts';

/**
 * The keys of a training config that results mention. All others pass through: settings are compared by every
 * key that changes results.
 */
const headSchema = z.looseObject({
  seed: z.int(),
  credit: z.looseObject({ kind: z.string(), anchor: z.string().optional() }).optional(),
  taskSampling: z.looseObject({ kind: z.string() }).optional(),
  evidence: z.unknown().optional(),
  envModules: z.array(z.string()).optional(),
  update: z.looseObject({ objective: z.looseObject({ kind: z.string() }).optional() }).optional(),
  warmStart: z.looseObject({ episodes: z.number().optional() }).optional(),
  async: z.unknown().optional(),
  policy: z
    .looseObject({
      kind: z.string().optional(),
      model: z.string().optional(),
      prompt: z.string().optional(),
      adapter: z.looseObject({ from: z.string().optional() }).optional(),
    })
    .optional(),
});

/** A run's description of itself. */
export interface TrainedBy {
  readonly config: Json;
  readonly versions: Readonly<Record<string, string>>;
}

/** The name of the method that trained a run, such as `GiGPO`, or the name of the user's own estimator. */
export const methodName = ({ kind }: { readonly kind: string }, versions: TrainedBy['versions']): string =>
  versions[creditVersions.estimator] ?? builtInName(kind) ?? kind;

/** A training config in the form in which runs are compared. */
export interface TrainingSettings {
  readonly seed: number;
  /**
   * All that determines what is trained, except the seed and {@link begins}, without keys that do not change
   * results.
   */
  readonly settings: Json;
  readonly begins: Beginning;
}

/** Initial weights. Each seed may have its own, from a separate training. */
export interface Beginning {
  /** Folders of the model and of its adapter, if named. */
  readonly folders: readonly string[];
  /** Digest of the model's weights, if known. */
  readonly digest: string | undefined;
}

/** The key for the digest of a run's initial weights. */
export const startVersion = 'start';

/** Replaces the folder of weights in settings: only whether there are some matters, not their path. */
const givenWeights = 'given weights';

/** Replaces the path of a user's file by its content. */
const withContent = (
  key: string,
  value: object | undefined,
  fingerprint: string | undefined,
): Readonly<Record<string, unknown>> =>
  value === undefined || fingerprint === undefined ? {} : { [key]: { ...value, file: fingerprint } };

/** The same for each source of evidence. Without sources the key is omitted, as in older versions. */
function withContents(sources: unknown, versions: TrainedBy['versions']): Readonly<Record<string, unknown>> {
  const list = z.array(z.looseObject({})).safeParse(sources);
  if (!list.success) return {};
  if (list.data.length === 0) return { evidence: undefined };
  return {
    evidence: list.data.map((source, at) => {
      const file = versions[`${evidencePlugin.fileVersion}-${at}`];
      return file === undefined ? source : { ...source, file };
    }),
  };
}

/** The content of each env module, whatever its path. Without modules the key is omitted, as in older versions. */
const withModules = (
  files: readonly string[] = [],
  versions: TrainedBy['versions'],
): Readonly<Record<string, unknown>> => ({
  envModules:
    files.length === 0
      ? undefined
      : files.map((file, at) =>
          [versions[earlierEnvModule(at)] ?? [], versions[envModuleVersion(at)] ?? file].flat().join(', '),
        ),
});

/** The content of a prompt file, whatever its path. */
const withPrompt = (
  prompt: string | undefined,
  versions: TrainedBy['versions'],
): Readonly<Record<string, unknown>> =>
  prompt === undefined || !isPromptFile(prompt) ? {} : { prompt: versions['prompt'] ?? prompt };

/** @param where name of the config in errors */
export function readSettings({ config, versions }: TrainedBy, where: string): TrainingSettings {
  const known = trainConfigSchema.safeParse(config); // fills in keys that older versions did not have
  const { seed, ...whole } = parseHead(known.success ? known.data : config, where);
  const plain = (config: object): Json => settingsWithout(config, runtimeOnlyKeys(whole));
  const rest = {
    ...whole,
    ...withContent('credit', whole.credit, versions[creditVersions.file]),
    ...withContents(whole.evidence, versions),
    ...withContent('taskSampling', whole.taskSampling, versions[curriculumKind.fileVersion]),
    ...withModules(whole.envModules, versions),
    ...(whole.update === undefined
      ? {}
      : {
          update: {
            ...whole.update,
            ...withContent('objective', whole.update.objective, versions[objectivePlugin.fileVersion]),
          },
        }),
  };
  if (rest.policy === undefined)
    return { seed, settings: plain(rest), begins: { folders: [], digest: undefined } };
  // two that do not change results
  const { model, adapter, slots: _slots, tokensAtOnce: _tokensAtOnce, ...policy } = rest.policy;
  const { from } = adapter ?? {};
  const given = {
    ...withPrompt(policy.prompt, versions),
    ...(model === undefined ? {} : { model: givenWeights }),
    ...(adapter === undefined
      ? {}
      : { adapter: { ...adapter, ...(from === undefined ? {} : { from: givenWeights }) } }),
  };
  const settings = plain({ ...rest, policy: { ...policy, ...given } });
  return {
    seed,
    settings,
    begins: {
      folders: [model, from].filter((folder) => folder !== undefined),
      digest: versions[startVersion] ?? versions['base'],
    },
  };
}

function parseHead(config: unknown, where: string): z.output<typeof headSchema> {
  const parsed = headSchema.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where,
    what: `it is not a training config: ${describeIssues(parsed.error)}.`,
    fix: 'Give the folder of a run that `cairn-gym train` made.',
  });
}

/** What trained a checkpoint of a run. */
export function lineageOf(
  of: TrainedBy,
  run: Lineage['runs'][number],
  where = `config of run ${run.name}`,
): Lineage {
  return {
    method: describeMethod(parseHead(of.config, where), of.versions, run.iteration),
    settings: digestConfig(readSettings(of, where).settings),
    runs: [run],
  };
}

function describeMethod(
  { credit, warmStart, policy }: z.output<typeof headSchema>,
  versions: TrainedBy['versions'],
  iteration: number,
): string {
  if (iteration === 0) return nameOfStart({ episodes: warmStart?.episodes ?? 0, model: policy?.model });
  if (credit === undefined) return 'trained';
  const begins = policy?.model !== undefined && policy.kind !== 'token' ? `, from ${givenWeights}` : ''; // a language model always has some
  return `${methodName(credit, versions)}${credit.anchor === undefined ? '' : ` by ${credit.anchor}`}${begins}`;
}

/**
 * Name of a policy before reinforcement learning. One with initial weights that was not cloned here had a
 * training of its own.
 */
export function nameOfStart({
  episodes,
  model,
}: {
  readonly episodes: number;
  readonly model: string | undefined;
}): string {
  if (episodes > 0) return 'cloned';
  return model === undefined ? 'untrained' : 'as given';
}
