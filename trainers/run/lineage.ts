import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Lineage } from '../results/lineage.ts';
import { evidencePlugin } from '../critics/open-evidence.ts';
import { curriculumKind } from '../curriculum/open-curriculum.ts';
import { builtInName, creditVersions } from '../credit/credit-name.ts';
import { digestConfig } from './checkpoint-manifest.ts';
import { trainConfigSchema } from '../config/config.ts';
import { runtimeOnlyKeys, settingsWithout } from '../config/runtime-only-keys.ts';

/** What of a training config is told of its results. All its other keys pass through: settings are compared by every one of them, as far as it moves a number. */
const headSchema = z.looseObject({
  seed: z.int(),
  credit: z.looseObject({ kind: z.string(), anchor: z.string().optional() }).optional(),
  taskSampling: z.looseObject({ kind: z.string() }).optional(),
  evidence: z.unknown().optional(),
  warmStart: z.looseObject({ episodes: z.number().optional() }).optional(),
  async: z.unknown().optional(),
  policy: z
    .looseObject({
      kind: z.string().optional(),
      model: z.string().optional(),
      adapter: z.looseObject({ from: z.string().optional() }).optional(),
    })
    .optional(),
});

/** What a run says of itself. */
export interface TrainedBy {
  readonly config: Json;
  readonly versions: Readonly<Record<string, string>>;
}

/** The name of the method that trained a run, such as `GiGPO`, or the name of the user's own estimator. */
export const methodName = ({ kind }: { readonly kind: string }, versions: TrainedBy['versions']): string =>
  versions[creditVersions.estimator] ?? builtInName(kind) ?? kind;

/** A training config as other runs are compared with it. */
export interface TrainingSettings {
  readonly seed: number;
  /** All that decides what is trained, but the seed and {@link begins}: without the keys that change no number. */
  readonly settings: Json;
  readonly begins: Beginning;
}

/** What a training begins from. Each seed may have weights of its own, which were taught by themselves first. */
export interface Beginning {
  /** Of the model, and of the adapter over it, where it names them: places of a machine. */
  readonly folders: readonly string[];
  /** Of the model's weights, where it is known. */
  readonly digest: string | undefined;
}

/** Under what a run records the digest of the weights that it began from. */
export const startVersion = 'start';

/** Stands among settings for the folder of weights: that there are some counts, and where they lie does not. */
const givenWeights = 'given weights';

/** A key of the config that names a user's file: the content of the file counts, not its place. */
const withContent = (
  key: string,
  value: object | undefined,
  fingerprint: string | undefined,
): Readonly<Record<string, unknown>> =>
  value === undefined || fingerprint === undefined ? {} : { [key]: { ...value, file: fingerprint } };

/** The same for each source of evidence. A config without sources does not mention them, as before there were any. */
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

/** @param where the config stands, for errors */
export function readSettings({ config, versions }: TrainedBy, where: string): TrainingSettings {
  const known = trainConfigSchema.safeParse(config); // fills in what older versions did not have yet
  const { seed, ...whole } = parseHead(known.success ? known.data : config, where);
  const plain = (config: object): Json => settingsWithout(config, runtimeOnlyKeys(whole));
  const rest = {
    ...whole,
    ...withContent('credit', whole.credit, versions[creditVersions.file]),
    ...withContents(whole.evidence, versions),
    ...withContent('taskSampling', whole.taskSampling, versions[curriculumKind.fileVersion]),
  };
  if (rest.policy === undefined)
    return { seed, settings: plain(rest), begins: { folders: [], digest: undefined } };
  const { model, adapter, slots: _slots, tokensAtOnce: _tokensAtOnce, ...policy } = rest.policy; // two that change no result
  const { from } = adapter ?? {};
  const given = {
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
    what: `it is not the config of a training: ${describeIssues(parsed.error)}.`,
    fix: 'Give the folder of a run that `cairn train` made.',
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

/** What a policy is called before reward has taught it. One that names a model and was not cloned here comes with a training of its own. */
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
