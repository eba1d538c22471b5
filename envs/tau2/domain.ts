import type { z } from 'zod';
import { refuse, type Refusal, type Tool } from '../engines/tools/tool.ts';
import type { TableSchemas } from '../engines/tools/tables.ts';
import type { World } from '../engines/tools/world.ts';

/** Whose tools and tables: those of the agent, or those of the user. */
export type Side = 'assistant' | 'user';

/** A function that tasks call to prepare their start or to check their end. Agents cannot call it. */
export interface EnvFunction {
  readonly input: z.ZodObject;
  /** An assertion returns whether it holds. */
  run(args: unknown, world: World<TableSchemas>): boolean | Refusal | undefined;
}

/** One side of a domain. */
export interface DomainSide {
  /** The Python class of its tools, which messages about arguments name. */
  readonly className: string;
  /** The file of its database. */
  readonly file: string;
  /** The schemas of the tables, by name. Rows have a key and a place beside the fields of the original's model. */
  readonly tables: TableSchemas;
  /** The content of the file as objects of rows by key, where it has another form. */
  asTables?(read: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  readonly tools: readonly Tool[];
  /** Tools that change data. Only these are repeated where a task starts in the middle of a conversation. */
  readonly changing: ReadonlySet<string>;
  readonly functions: Readonly<Record<string, EnvFunction>>;
}

/** A domain of τ²-bench. */
export interface Domain {
  readonly name: string;
  readonly agent: DomainSide;
  readonly user?: DomainSide;
  /** Reads the policy, where it is more than `policy.md`. */
  policy?(folder: string, kind: PolicyKind): Promise<string>;
}

/** The form of the part of a policy that says how to solve technical problems. */
export const policyKinds = ['manual', 'workflow'] as const;
export type PolicyKind = (typeof policyKinds)[number];

/** Refuses a call with the message of Python's exception. */
export const fail = (message: string): Refusal => refuse('error', message);

/** The tool of every domain that gives the user to a person. */
export const transferTool = 'transfer_to_human_agents';
