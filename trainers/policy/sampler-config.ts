import { resolve } from 'node:path';
import { z } from 'zod';
import { findTokenServer, tokenServers } from '../../agents/servers/tokens/list.ts';
import type { AdapterPublishing, TokenServer } from '../../agents/servers/tokens/token-server.ts';

/** Keys of every kind of server. */
const serverShape = {
  url: z.string().min(1).describe('address of the server, such as http://localhost:8000/v1'),
  model: z.string().min(1).describe("the server's name of the weights in policy.model"),
  keyVariable: z
    .string()
    .min(1)
    .optional()
    .describe("environment variable with the server's key; default: no key"),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder from which the server reads adapters, at the same path on its machine; default: a folder for temporary files',
    ),
};

/** A server that loads adapters while it runs, so that it can sample for a training run. */
type TrainingServer = Extract<(typeof tokenServers)[number], { readonly publish: AdapterPublishing }>;
type SamplerSchema<Server> =
  Server extends TokenServer<infer Kind, z.ZodObject, AdapterPublishing<infer Config>>
    ? z.ZodObject<
        { readonly kind: z.ZodLiteral<Kind> } & Config['shape'] & typeof serverShape,
        z.core.$strict
      >
    : never;

/** The type says which keys go with which kind, which a union of shapes does not. */
const samplerSchemaOf = (server: TrainingServer): SamplerSchema<TrainingServer> =>
  z.strictObject({
    kind: z.literal(server.kind),
    ...server.publish.config.shape,
    ...serverShape,
  }) as SamplerSchema<TrainingServer>;

const trains = (server: (typeof tokenServers)[number]): server is TrainingServer =>
  server.publish !== undefined;
const [first, ...others] = tokenServers;

/** Which server samples in rollouts. */
export const samplerSchema = z.discriminatedUnion('kind', [
  samplerSchemaOf(first),
  ...others.filter(trains).map(samplerSchemaOf),
]);
export type SamplerConfig = z.output<typeof samplerSchema>;

/** The file that loading an adapter on the server changes, with the key of the config that names it; undefined where there is none. */
export function lockedFileOf(
  config: SamplerConfig,
): { readonly path: string; readonly name: string } | undefined {
  const { lockedFile }: AdapterPublishing = findTokenServer(config.kind).publish;
  const settings: Readonly<Record<string, unknown>> = config;
  const path = lockedFile === undefined ? undefined : settings[lockedFile];
  return typeof path === 'string' && lockedFile !== undefined ? { path, name: lockedFile } : undefined;
}

/** The config with an absolute path of that file, so that a run can be resumed from any working directory. */
export function resolveLockedFile(config: SamplerConfig): SamplerConfig {
  const file = lockedFileOf(config);
  return file === undefined ? config : { ...config, [file.name]: resolve(file.path) };
}
