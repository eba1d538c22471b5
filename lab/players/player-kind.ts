import type { z } from 'zod';
import type { KeyOf } from '../../agents/servers/secret.ts';
import type { Context } from '../../envs/core/context.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { TensorBackend } from '../../models/backend/backend.ts';
import type { BackendPreference } from '../../models/backend/open-backend.ts';
import type { Player } from '../../trainers/evaluate/evaluate.ts';
import type { EnvSession } from '../../trainers/env-session.ts';
import type { StoredRun } from './stored-run.ts';

/** What a player is opened with. */
export interface OpenPlayerOptions {
  /** The opened env that it plays. */
  readonly envSession: EnvSession;
  readonly context: Context;
  /** Opens the backend that computes weights. It is called only for players that have weights; default: the best backend that starts. */
  readonly backend?: ((prefer: BackendPreference) => Promise<TensorBackend>) | undefined;
  /** Finds the key of a server under the name in the spec; default: there are no keys. */
  readonly keyOf?: KeyOf | undefined;
  /** Receives one line for each event that a user may want to see, such as a request that is sent again. */
  readonly log?: ((line: string) => void) | undefined;
  /** Wraps the calls into a user's agent of that name; default: they are made as they are. */
  readonly watchAgent?: ((name: string) => <T>(call: () => T) => T) | undefined;
  /** A task on which a chat player looks whether the env lists its actions; default: the first task of the first panel. */
  readonly task?: TaskRef | undefined;
}

/** What a spec is checked with. */
export interface ResolveOptions extends OpenPlayerOptions {
  /** Reads the checkpoint of a run; default: from the disk. A caller that has read it passes its own function. */
  readonly readRun?: ((folder: string, checkpoint: string) => Promise<StoredRun>) | undefined;
}

/** A player that can play: `evaluate` takes it as it is, and `runGroups` takes its `agent`. Dispose it when all its episodes are over. */
export interface OpenedPlayer extends Player, AsyncDisposable {
  /** Versions of what computes it, as far as they are known now. */
  readonly versions: () => Readonly<Record<string, string>>;
  /** Of a chat player: the number of replies until now, over all episodes. */
  readonly replies?: () => number;
  /** Of a chat player: the number of those replies that called tools and had no text. */
  readonly toolCallsOnly?: () => number;
}

/** A player that fits the opened env. It holds no weights and no connection yet. */
export interface ResolvedPlayer {
  /** The kind of its spec. */
  readonly kind: string;
  /** How it was named, for messages. */
  readonly text: string;
  /** Says who it is, inside a sentence, such as `the searcher`. */
  readonly words: string;
  /** Equal for two players that play alike. */
  readonly sameAs: string;
  /** What its episodes depend on, for the record of kept episodes. It holds no secret: the query of a URL is left out. */
  readonly identity: Readonly<Record<string, string>>;
  /** The folder after which it is named, if it is named after one. */
  readonly folder?: string;
  /** Names for tables, the plainest first. `label` is a short name of its folder. */
  readonly names: (label: string) => readonly string[];
  /** Its entry in the plan of an evaluation, under the name that it got. */
  readonly entry: (name: string) => string;
  /** The run that it plays for, if it is the policy of one. */
  readonly run?: StoredRun;
  /** Loads weights or prepares the connection. */
  readonly open: (name: string) => Promise<OpenedPlayer>;
}

/** One kind of player, as its file in `kinds/` defines it. */
export interface PlayerKindDefinition<Schema extends z.ZodObject> {
  readonly kind: string;
  /** The JSON form. */
  readonly schema: Schema;
  /** Bare words that name such a player, such as `random`. */
  readonly words: readonly string[];
  /** What stands before the colon of its text form, such as `openai`. */
  readonly scheme?: string;
  /** How it is named on a command line: a part of a list in help and errors. */
  readonly usage: readonly string[];
  /** Reads the text form. `undefined`: the text names no player of this kind. `where` names the flag in errors. */
  parse(text: string, where: string): z.output<Schema> | undefined;
  /** The text form, without options. */
  describe(spec: z.output<Schema>): string;
  /** @throws UsageError for a spec that does not fit the env, and for a folder that cannot be read */
  resolve(spec: z.output<Schema>, options: ResolveOptions): Promise<ResolvedPlayer>;
}

/** A kind of player whose methods take any spec, and refuse one that is not of this kind. */
export interface PlayerKind<Schema extends z.ZodObject = z.ZodObject> extends Pick<
  PlayerKindDefinition<Schema>,
  'kind' | 'schema' | 'words' | 'scheme' | 'usage' | 'parse'
> {
  describe(spec: unknown): string;
  resolve(spec: unknown, options: ResolveOptions): Promise<ResolvedPlayer>;
}

/** Makes a kind of player for `list.ts`. */
export function definePlayerKind<Schema extends z.ZodObject>(
  definition: PlayerKindDefinition<Schema>,
): PlayerKind<Schema> {
  const check = (spec: unknown): z.output<Schema> => {
    const parsed = definition.schema.safeParse(spec);
    if (parsed.success) return parsed.data;
    throw new UsageError({
      where: `player of kind ${definition.kind}`,
      what: `it does not fit its schema: ${describeIssues(parsed.error)}.`,
      fix: 'Write it as playerSpecSchema says.',
    });
  };
  return {
    ...definition,
    describe: (spec) => definition.describe(check(spec)),
    resolve: async (spec, options) => definition.resolve(check(spec), options),
  };
}
