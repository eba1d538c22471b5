import { createHash } from 'node:crypto';
import { z } from 'zod';
import { storePositionSchema } from '../../agents/rollout/store/store-files.ts';
import { canonicalJson, type Json } from '../../envs/core/json.ts';
import { fingerprintSchema } from '../results/estimate.ts';

/** Number of the checkpoint format; it moves when a checkpoint of the old code could not be read by the new. */
export const checkpointSchemaNumber = 2;

/** Says that a folder is one of ours, whatever its name. */
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
  /** Whatever else counts up, such as environment steps, episodes and the version of the policy. */
  counters: z.record(z.string(), z.number()),
  /** What parts of the training remember, by name, such as the curriculum: each its own JSON. */
  states: z.record(z.string(), jsonSchema),
  /** Fingerprints of the panels in use, by name. */
  panels: z.record(z.string(), fingerprintSchema),
  /** Of the run's configuration: see {@link digestConfig}. */
  configDigest: fingerprintSchema,
  /** Bytes of the logs of the run folder, by name: resuming cuts back to them. */
  logs: z.strictObject({ metrics: count, timings: count }),
  /** SHA-256 of these bytes of the logs; absent in checkpoints of versions that did not record it. */
  logDigests: z.strictObject({ metrics: sha256, timings: sha256 }).exactOptional(),
  /** Ends of the trajectory stores of the run folder, by name: resuming cuts back to them. */
  trajectories: z.record(z.string(), storePositionSchema),
};

/** What the trainer knows at a checkpoint. */
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

/** Schema 1 kept what the curriculum remembers among its counters, and had no states. */
export const firstManifestSchema = checkpointManifestSchema
  .omit({ states: true })
  .extend({ schema: z.literal(1) });

const familySuccess = 'family-success/';

/** Brings a manifest of schema 1 to this one. Its digest stays that of its file. */
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

/** What a manifest without its own digest is sealed with, so that a counter that was changed by hand is found. */
export const digestManifest = (
  content: Omit<CheckpointManifest, 'digest'> | Omit<z.output<typeof firstManifestSchema>, 'digest'>,
): string => digestConfig(content);

/** `sha256:` and 64 hexadecimal digits over the canonical text of a configuration. */
export function digestConfig(config: Json): string {
  return `sha256:${createHash('sha256').update(canonicalJson(config)).digest('hex')}`;
}
