import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import { requestLimits } from '../json-client/json-client.ts';

/** How a config names a model of an OpenAI-compatible server that plays a part of an env. */
export const modelConfigShape = {
  url: z.string().min(1).describe('address of an OpenAI-compatible server, with or without /v1'),
  model: z.string().min(1).describe('name of the model'),
  keyName: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable')
    .optional()
    .describe('environment variable with the key of the server; default: no key is sent'),
  maxTokens: z
    .int()
    .min(16)
    .max(100_000)
    .optional()
    .describe('most tokens of a reply; default: the limit of the server'),
  temperature: z.number().min(0).max(2).default(0).describe('temperature of the model'),
  ...requestLimits,
} as const;

export const modelConfigSchema = z.strictObject(modelConfigShape);
export type ModelConfig = z.output<typeof modelConfigSchema>;

/** The part of a model's config that its replies depend on: no addresses, keys and limits of requests. */
export const modelIdentity = ({
  model,
  maxTokens,
  temperature,
}: ModelConfig): Readonly<Record<string, Json>> => ({
  model,
  temperature,
  ...(maxTokens === undefined ? {} : { maxTokens }),
});

/** The value of a config key for a part without a model. */
export const scripted = 'scripted';

/**
 * A config key for a user: `scripted`, or a model.
 *
 * @param script what the scripted user does, in a clause
 */
export const userConfig = (script: string) =>
  z
    .union([z.literal(scripted), modelConfigSchema])
    .default(scripted)
    .describe(`scripted: ${script}; or the url and the model of a server, which plays the user`);
