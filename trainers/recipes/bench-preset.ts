import { z } from 'zod';
import { promptNames, type PromptName } from '../../agents/prompt/load-prompt.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import type { BenchColumn, RecordedStudy } from '../../envs/core/presets.ts';
import { plainColumns } from '../results/table-columns.ts';
import { parsePreset } from './parse-preset.ts';

/** How an env is benchmarked: what is played, and the columns of its table. */
export interface BenchPreset {
  /** The default panel, followed by others that papers report; empty: any held-out panel. */
  readonly panels: readonly string[];
  readonly columns: readonly BenchColumn[];
  /** The default prompt of text agents. */
  readonly prompt: PresetPrompt;
  /** Ids of envs whose policies can play here unchanged. */
  readonly takesRunsOf: readonly string[];
  readonly studies: readonly RecordedStudy[];
}

/** A prompt, or one for each value of the key `by` in the identity or config of an open env. */
export type PresetPrompt =
  | PromptName
  | { readonly by: string; readonly prompts: Readonly<Record<string, PromptName>> };

const promptName = z.enum(promptNames);
const title = z.string().min(1);
const estimate = z.strictObject({ mean: z.number(), low: z.number(), high: z.number() });

const plainBenchColumns: readonly BenchColumn[] = [
  ...plainColumns.filter(({ kind }) => kind !== 'turns' && kind !== 'tokens'),
  { kind: 'turns' },
  { kind: 'time' },
  { kind: 'tokens' },
];

const benchSchema = z.strictObject({
  panels: z.array(z.string()).default([]),
  columns: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('family'), family: z.string(), title }),
        z.strictObject({ kind: z.literal('families') }),
        z.strictObject({ kind: z.literal('success'), title }),
        z.strictObject({ kind: z.literal('score'), title, graded: z.literal(true).exactOptional() }),
        z.strictObject({ kind: z.literal('turns') }),
        z.strictObject({ kind: z.literal('time') }),
        z.strictObject({ kind: z.literal('tokens') }),
      ]),
    )
    .default([...plainBenchColumns]),
  prompt: z
    .union([promptName, z.strictObject({ by: z.string(), prompts: z.record(z.string(), promptName) })])
    .default('plain'),
  takesRunsOf: z.array(z.string()).default([]),
  studies: z
    .array(
      z.strictObject({
        date: z.string(),
        commit: z.string(),
        source: z.string(),
        panel: z.strictObject({ name: z.string(), fingerprint: z.string() }),
        seeds: z.int().positive(),
        success: z.record(z.string(), estimate),
      }),
    )
    .default([]),
});

/**
 * The bench preset of an env definition, with defaults.
 *
 * @throws UsageError if the preset is malformed
 */
export function benchPresetFor({ id, bench }: Pick<AnyEnvDefinition, 'id' | 'bench'>): BenchPreset {
  return parsePreset<BenchPreset>(benchSchema, bench ?? {}, `bench preset of ${id}`);
}

/** The study recorded on the panel with that fingerprint, if there is one. */
export function studyOn(
  definition: Pick<AnyEnvDefinition, 'id' | 'bench'>,
  fingerprint: string,
): RecordedStudy | undefined {
  return benchPresetFor(definition).studies.find(({ panel }) => panel.fingerprint === fingerprint);
}
