import type { z } from 'zod';
import { describeConfigKeys } from '../../../envs/core/config-keys.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import type { ServerProtocol } from './server-protocol.ts';

/** How trained weights reach a running server. */
export interface AdapterPublishing<Config extends z.ZodObject = z.ZodObject> {
  /** Files of an adapter's folder: `peft` is PEFT's format with safetensors; `gguf` is that and llama.cpp's `adapter.gguf`. */
  readonly format: 'peft' | 'gguf';
  /** Config of the server in a training run: {@link TokenServer.config} with the keys required that loading an adapter needs. */
  readonly config: Config;
  /**
   * Config key with the path of a file that loading an adapter changes. Only one training run at a time holds
   * its lock.
   */
  readonly lockedFile?: string;
}

/** A kind of server that samples tokens, such as vLLM. Make one with {@link defineTokenServer}. */
export interface TokenServer<
  Kind extends string = string,
  Config extends z.ZodObject = z.ZodObject,
  Publish extends AdapterPublishing | undefined = AdapterPublishing | undefined,
> {
  /** Name in configs, such as `vllm`. */
  readonly kind: Kind;
  /** Name in messages, such as `vLLM`. */
  readonly title: string;
  /** Facts about the server's start on which its answers depend. */
  readonly config: Config;
  /**
   * Undefined if the server cannot load adapters at run time: it can play, but not sample for a training run.
   */
  readonly publish: Publish;
  /**
   * The protocol of a server with that config.
   * @throws UsageError for a config that does not match the schema
   */
  protocol(config: unknown): ServerProtocol;
}

/** Defines a kind of server. Its `protocol` receives a validated config. */
export function defineTokenServer<
  const Kind extends string,
  Config extends z.ZodObject,
  Publish extends AdapterPublishing | undefined,
>(server: {
  readonly kind: Kind;
  readonly title: string;
  readonly config: Config;
  readonly publish: Publish;
  readonly protocol: (config: z.output<Config>) => ServerProtocol;
}): TokenServer<Kind, Config, Publish> {
  return {
    ...server,
    protocol: (value) => {
      const parsed = server.config.safeParse(value);
      if (parsed.success) return server.protocol(parsed.data);
      const keys = describeConfigKeys(server.config);
      throw new UsageError({
        where: `serverConfig of ${server.title}`,
        what: `${describeIssues(parsed.error, { value, keys })}.`,
        fix:
          keys.length === 0 ? 'It has no keys.' : `The keys are: ${keys.map(({ name }) => name).join(', ')}.`,
      });
    },
  };
}
