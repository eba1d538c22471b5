import { createHash } from 'node:crypto';
import { z } from 'zod';
import { describeConfigKeys } from '../../envs/core/config-keys.ts';
import type { AnyEnvDefinition, EnvHost } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { canonicalJson, type Json } from '../../envs/core/json.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';
import type { EnvNeed } from '../../envs/core/presets.ts';
import { parsePreset } from '../../trainers/recipes/parse-preset.ts';

/** How the catalogue lists an env. */
export interface CatalogueEntry {
  readonly family: string;
  readonly tags: readonly string[];
  /** Undefined where the env does not state it. */
  readonly licence: string | undefined;
  readonly needs: readonly EnvNeed[];
}

export const envNeeds = ['browser', 'sandbox', 'data'] as const satisfies readonly EnvNeed[];

const word = z.string().regex(/^[a-z\d]+(-[a-z\d]+)*$/, 'must be words in lower case with hyphens');
const entrySchema = z.strictObject({
  family: word.optional(),
  tags: z.array(word).readonly().default([]),
  licence: z.string().min(1).optional(),
  needs: z.array(z.enum(envNeeds)).readonly().default([]),
});

/**
 * The entry of an env, with defaults.
 *
 * @throws UsageError where the definition's `catalogue` is malformed
 */
export function entryOf({ id, catalogue }: Pick<AnyEnvDefinition, 'id' | 'catalogue'>): CatalogueEntry {
  const { family, licence, ...entry } = parsePreset(entrySchema, catalogue ?? {}, `catalogue of ${id}`);
  return { family: family ?? id.replace(/^.*\//, '').replace(/-v\d+$/, ''), licence, ...entry };
}

/** What a list of envs is narrowed to. */
export interface CatalogueFilter {
  readonly family?: string | undefined;
  /** An env must have all of them. */
  readonly tags: readonly string[];
  /** What an env may need: it needs nothing else. `none` leaves only envs that need nothing. */
  readonly needs?: string | undefined;
}

/**
 * The envs that pass the filter.
 *
 * @throws UsageError for a family, tag or need that no env has; the message names the known ones
 */
export function filterEnvs(
  definitions: readonly AnyEnvDefinition[],
  { family, tags, needs }: CatalogueFilter,
): readonly AnyEnvDefinition[] {
  const entries = definitions.map((definition) => ({ definition, entry: entryOf(definition) }));
  const known = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted();
  if (family !== undefined) assertKnown('--family', family, known(entries.map(({ entry }) => entry.family)));
  for (const tag of tags) assertKnown('--tag', tag, known(entries.flatMap(({ entry }) => entry.tags)));
  if (needs !== undefined) assertKnown('--needs', needs, ['none', ...envNeeds]);
  return entries
    .filter(
      ({ entry }) =>
        (family === undefined || entry.family === family) &&
        tags.every((tag) => entry.tags.includes(tag)) &&
        (needs === undefined || entry.needs.every((need) => need === needs)) &&
        (needs === undefined || needs === 'none' || entry.needs.length > 0),
    )
    .map(({ definition }) => definition);
}

function assertKnown(flag: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  throw new UsageError({
    where: `${flag} ${value}`,
    what: 'no environment has it.',
    fix: `${didYouMean(nearest(value, known))}Choose one of ${known.join(', ')}.`,
  });
}

/** SHA-256 over what a measurement depends on and the definition says without being opened: id, luck, turn limit, config keys. */
export function fingerprintDefinition(definition: AnyEnvDefinition): string {
  const { id, config, deterministic } = definition;
  const keys = describeConfigKeys(config).map(({ name, type, default: preset }) => ({
    name,
    type,
    default: z.json().safeParse(preset).data ?? null,
  }));
  const turnLimit = definition.turnLimit?.(config.parse({})) ?? null;
  return digest([{ id, deterministic, turnLimit, keys }]);
}

/** Tasks of each panel that a fingerprint contains. */
const sample = 3;

/** SHA-256 over the panels of an opened env and their first tasks. */
export function fingerprintPanels(host: EnvHost<unknown, unknown>): string {
  return digest(
    host.panels.map(({ name, size, purpose }) => ({
      name,
      size,
      purpose,
      tasks: Array.from({ length: Math.min(sample, size) }, (_, index) => {
        const { family, content } = host.describeTask({ panel: name, index });
        return { family, content };
      }),
    })),
  );
}

function digest(parts: readonly Json[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(canonicalJson(part)).update('\n');
  return `sha256:${hash.digest('hex')}`;
}
