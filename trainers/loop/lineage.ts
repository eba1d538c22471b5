import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Lineage } from '../evaluate/lineage.ts';
import { builtInNames, creditVersions } from '../credit/credit-name.ts';
import { digestConfig } from '../run-folder/checkpoint-manifest.ts';
import { trainConfigSchema } from './config.ts';

/** What of a training config is told of its results. All its other keys pass through: settings are compared by every one of them, as far as it moves a number. */
const headSchema = z.looseObject({
  seed: z.int(),
  credit: z.looseObject({ kind: z.string(), anchor: z.string().optional() }).optional(),
  warmStart: z.looseObject({ episodes: z.number().optional() }).optional(),
  policy: z.looseObject({ kind: z.string().optional(), model: z.string().optional(), adapter: z.looseObject({ from: z.string().optional() }).optional() }).optional(),
});

/** What a run says of itself. */
export interface TrainedBy {
  readonly config: Json;
  readonly versions: Readonly<Record<string, string>>;
}

const builtIn: Readonly<Record<string, string>> = builtInNames;

/** How the method of a run is called, such as `GiGPO`, or as an estimator of its user's own calls itself. */
export const methodName = ({ kind }: { readonly kind: string }, versions: TrainedBy['versions']): string => versions[creditVersions.estimator] ?? builtIn[kind] ?? kind;

/** A training config as other runs are compared with it. */
export interface TrainingSettings {
  readonly seed: number;
  /** All that decides what is trained, but the seed and {@link begins}: without the keys that change no number. */
  readonly settings: Json;
  /** Folders of the weights that it begins from, where it names some: places of a machine, and of each seed its own where that is taught by itself first. */
  readonly begins: readonly string[];
}

/** @param where the config stands, for errors */
export function readSettings({ config, versions }: TrainedBy, where: string): TrainingSettings {
  const known = trainConfigSchema.safeParse(config); // fills in what older versions did not have yet
  // How many episodes are under way at once, and what is kept on disk, changes no number.
  const { seed, concurrency: _concurrency, checkpoints: _checkpoints, trajectories: _trajectories, ...whole } = parseHead(known.success ? known.data : config, where);
  const file = versions[creditVersions.file]; // of an estimator of its own it is the content that counts, wherever it lay
  const rest = whole.credit === undefined || file === undefined ? whole : { ...whole, credit: { ...whole.credit, file } };
  if (rest.policy === undefined) return { seed, settings: plain(rest), begins: [] };
  const { model, adapter, ...policy } = rest.policy;
  const { from, ...shape } = adapter ?? {};
  const settings = plain({ ...rest, policy: { ...policy, ...(adapter === undefined ? {} : { adapter: shape }) } });
  return { seed, settings, begins: [model, from].filter((folder) => folder !== undefined) };
}

function parseHead(config: unknown, where: string): z.output<typeof headSchema> {
  const parsed = headSchema.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new UsageError({ where, what: `it is not the config of a training: ${describeIssues(parsed.error)}.`, mend: 'Give the folder of a run that `cairn train` made.' });
}

/** Without what is not set. */
const plain = (value: object): Json => z.json().parse(JSON.parse(JSON.stringify(value))) as Json;

/** What trained a checkpoint of a run. */
export function lineageOf(of: TrainedBy, run: Lineage['runs'][number], where = `config of run ${run.name}`): Lineage {
  return { method: describeMethod(parseHead(of.config, where), of.versions, run.iteration), settings: digestConfig(readSettings(of, where).settings), runs: [run] };
}

function describeMethod({ credit, warmStart, policy }: z.output<typeof headSchema>, versions: TrainedBy['versions'], iteration: number): string {
  if (iteration === 0) return nameOfStart({ episodes: warmStart?.episodes ?? 0, model: policy?.model });
  if (credit === undefined) return 'trained';
  return `${methodName(credit, versions)}${credit.anchor === undefined ? '' : ` by ${credit.anchor}`}`;
}

/** What a policy is called before reward has taught it. One that names a model and was not cloned here comes with a training of its own. */
export function nameOfStart({ episodes, model }: { readonly episodes: number; readonly model: string | undefined }): string {
  if (episodes > 0) return 'cloned';
  return model === undefined ? 'untrained' : 'as given';
}
