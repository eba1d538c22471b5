import { createHash } from 'node:crypto';
import { z } from 'zod';
import { storePositionSchema } from '../../agents/rollout/store/store-files.ts';
import { canonicalJson, type Json } from '../../envs/core/json.ts';
import { fingerprintSchema } from '../results/estimate.ts';

/**
 * Version of the checkpoint format. It increases when new code could not read a checkpoint of the old code.
 */
export const checkpointSchemaNumber = 2;

/** Identifies a folder as a checkpoint of ours, whatever its name. */
export const checkpointFormat = 'cairn-checkpoint';

/** The file that makes a folder a checkpoint. */
export const manifestName = 'checkpoint.json';

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const jsonSchema: z.ZodType<Json> = z.json();

const filePath = z
  .string()
  .min(1)
  .refine(
    (path) =>
      !/^[\\/]|\\|^[A-Za-z]:/.test(path) &&
      path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    {
      message: 'expected a path inside the checkpoint',
    },
  );

const factsShape = {
  /** Of the package that wrote it. */
  version: z.string(),
  /** Iterations done. */
  iteration: count,
  seed: z.int(),
  /** Other counters, such as environment steps, episodes and the version of the policy. */
  counters: z.record(z.string(), z.number()),
  /** State of parts of the training by name, such as the curriculum, each as JSON. */
  states: z.record(z.string(), jsonSchema),
  /** Fingerprints of the panels in use, by name. */
  panels: z.record(z.string(), fingerprintSchema),
  /** Of the run's configuration: see {@link digestConfig}. */
  configDigest: fingerprintSchema,
  /** Sizes of the run folder's logs, by name. Resuming truncates the logs to them. */
  logs: z.strictObject({ metrics: count, timings: count }),
  /** SHA-256 of these bytes of the logs; absent if an older version wrote the checkpoint. */
  logDigests: z.strictObject({ metrics: sha256, timings: sha256 }).exactOptional(),
  /** Ends of the run folder's trajectory stores, by name. Resuming truncates the stores to them. */
  trajectories: z.record(z.string(), storePositionSchema),
};

/** The trainer's state at a checkpoint. */
export type CheckpointFacts = Readonly<z.output<z.ZodObject<typeof factsShape>>>;

export const checkpointManifestSchema = z.strictObject({
  format: z.literal(checkpointFormat),
  schema: z.literal(checkpointSchemaNumber),
  ...factsShape,
  /** Every file of the checkpoint but the manifest, by its path within. */
  files: z.record(filePath, z.strictObject({ bytes: count, sha256 })),
  /** Of all of the above: so {@link digestManifest}. */
  digest: fingerprintSchema,
});
export type CheckpointManifest = Readonly<z.output<typeof checkpointManifestSchema>>;

/** Schema 1 stored the curriculum's state among its counters, and had no states. */
export const firstManifestSchema = checkpointManifestSchema
  .omit({ states: true })
  .extend({ schema: z.literal(1) });

const familySuccess = 'family-success/';

/** Upgrades a manifest of schema 1. Its digest stays that of its file. */
export function upgradeFirst({
  counters,
  ...rest
}: z.output<typeof firstManifestSchema>): CheckpointManifest {
  const entries = Object.entries(counters);
  const success = entries
    .filter(([name]) => name.startsWith(familySuccess))
    .map(([name, share]) => [name.slice(familySuccess.length), share]);
  return {
    ...rest,
    schema: checkpointSchemaNumber,
    counters: Object.fromEntries(entries.filter(([name]) => !name.startsWith(familySuccess))),
    states: success.length === 0 ? {} : { curriculum: { success } },
  };
}

/** The digest of a manifest without its own digest, which reveals manual changes. */
export const digestManifest = (
  content: Omit<CheckpointManifest, 'digest'> | Omit<z.output<typeof firstManifestSchema>, 'digest'>,
): string => digestConfig(content);

/** `sha256:` and 64 hexadecimal digits over the canonical text of a configuration. */
export function digestConfig(config: Json): string {
  return `sha256:${createHash('sha256').update(canonicalJson(config)).digest('hex')}`;
}
