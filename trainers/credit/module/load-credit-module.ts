import { statSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import { importOwnModule, locateModule, readable, type ImportOptions } from '../../../envs/own-module.ts';
import { findNameProblem } from '../credit-name.ts';
import type { CreditEstimatorDefinition } from '../define-credit-estimator.ts';
import { fingerprintModule } from '../../plugins/fingerprint-module.ts';

/** A definition of a user's own, and the file that it is from. */
export interface LoadedCreditModule {
  readonly definition: CreditEstimatorDefinition;
  /** Absolute. */
  readonly path: string;
  /** Of its content. */
  readonly fingerprint: string;
}

export interface CreditModuleOptions extends Pick<ImportOptions, 'signal' | 'deadlineMs'> {
  /** What the content must have as its fingerprint, and where that is written: anything else is refused, and not run. */
  readonly expected?: { readonly fingerprint: string; readonly where: string; readonly mend: string };
}

/** Where work of an estimator belongs. */
export const idleOfCredit = 'what an estimator needs belongs in its `create`';

/** The words by which errors name the file. */
export const creditModuleWhere = (file: string): string => `credit module "${file}"`;

/**
 * Loads the estimator that a user's own file exports as `estimator`. Inside it `cairn-gym/envs`, `cairn-gym/agents` and `cairn-gym/trainers`
 * are this very build.
 * @throws UsageError that says in one paragraph what is wrong with it and where
 */
export async function loadCreditModule(
  file: string,
  { expected, ...options }: CreditModuleOptions = {},
): Promise<LoadedCreditModule> {
  const where = creditModuleWhere(file);
  if (expected !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UsageError({
      where: expected.where,
      what: `its credit is that of ${file}, and there is no such file.`,
      mend: expected.mend,
    });
  }
  const path = locateModule(file, where);
  const fingerprint = await fingerprintModule(path, where);
  if (expected !== undefined && expected.fingerprint !== fingerprint) {
    throw new UsageError({
      where: expected.where,
      what: `its credit is that of ${path}, which has changed since, or a file that it imports has: the run has ${expected.fingerprint}, and here it is ${fingerprint}.`,
      mend: expected.mend,
    });
  }
  const trainers = await import('../../index.ts'); // not at the top: the index exports this file
  const agents = await import('../../../agents/index.ts');
  const modules = { 'cairn-gym/agents': agents, 'cairn-gym/trainers': trainers };
  const exported = await importOwnModule(path, where, { ...options, modules, idle: idleOfCredit });
  return { definition: readable(where, () => readDefinition(exported, where)), path, fingerprint };
}

const mend = 'Export it so: export const estimator = defineCreditEstimator({ id, name, options, create }).';

const method = z.custom<(...args: never) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);
const schema = z.custom<z.ZodType>(
  (value) => typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value,
  'must be a schema made with zod 4',
);
const definitionShape = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens'),
  name: z.string(),
  paper: z.string().optional(),
  options: schema,
  create: method,
});

const isDefinition = (candidate: unknown): candidate is CreditEstimatorDefinition =>
  definitionShape.safeParse(candidate).success;

function readDefinition(exported: unknown, where: string): CreditEstimatorDefinition {
  const names = typeof exported === 'object' && exported !== null ? Object.keys(exported) : [];
  const candidate: unknown =
    typeof exported === 'object' && exported !== null && 'estimator' in exported
      ? exported.estimator
      : undefined;
  if (candidate === undefined)
    throw new UsageError({
      where,
      what:
        names.length === 0 ? 'it exports nothing.' : `it exports ${names.join(', ')} but no \`estimator\`.`,
      mend,
    });
  if (!isDefinition(candidate)) {
    const { error } = definitionShape.safeParse(candidate);
    throw new UsageError({
      where: `${where}, estimator`,
      what: error === undefined ? 'it is no definition.' : `${describeIssues(error)}.`,
      mend,
    });
  }
  const problem = findNameProblem(candidate.name);
  if (problem !== undefined)
    throw new UsageError({
      where: `${where}, estimator`,
      what: `${problem}.`,
      mend: 'Give it another name.',
    });
  return candidate;
}
