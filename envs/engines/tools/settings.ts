import { z } from 'zod';

const weight = (of: string, usual: number) => z.number().min(0).max(100).default(usual).describe(of);

/** Settings of every tool env, beside the author's own. */
export const toolSettings = {
  listed: z
    .boolean()
    .default(true)
    .describe(
      'whether turns list calls, with arguments from what was shown; choice policies need the list, language models do not',
    ),
  manual: z
    .boolean()
    .default(true)
    .describe('whether the instruction describes the tools; choice policies learn faster without it'),
  grading: z
    .enum(['state', 'results'])
    .default('state')
    .describe(
      'state: end state, communicated outputs, rows read and the right end; results: also the results of all gold calls after each request, as in BFCL',
    ),
  weights: z
    .strictObject({
      outcome: weight('paid where all requests end right', 1),
      match: weight(
        "times ToolRL's graded match of the calls to the gold calls, from -3 to 3, at the end",
        0,
      ),
      errors: weight('times the cost of calls that fail, by the error classes of TL-Training', 0),
      hierarchy: weight("times Tool-Star's hierarchical reward, at the end", 0),
    })
    .prefault({})
    .superRefine(({ outcome, match, hierarchy }, issues) => {
      if (outcome + hierarchy > 6 * match && outcome + hierarchy > 0) return;
      issues.addIssue({
        code: 'custom',
        message:
          'outcome and hierarchy together must be above six times match, so that a solved task earns more than a failed one',
      });
    })
    .describe('what an episode is paid for'),
  maxSteps: z.int().min(1).max(1_000).default(30).describe('number of steps after which the task fails'),
  resultCharacters: z
    .int()
    .min(100)
    .max(1_000_000)
    .default(4_000)
    .describe('number of characters of a result that are shown'),
  timeMs: z
    .int()
    .min(1)
    .max(600_000)
    .default(10_000)
    .describe('milliseconds that a tool or a user may wait, after which the episode has a fault'),
} as const;

const settingsSchema = z.object(toolSettings);
export type ToolSettings = Readonly<z.output<typeof settingsSchema>>;

/** The kit's part of a config. */
export const settingsOf = (config: unknown): ToolSettings => settingsSchema.parse(config);

/** Other defaults for settings of the kit. */
export type SettingDefaults = Readonly<
  Partial<Pick<ToolSettings, 'listed' | 'manual' | 'maxSteps' | 'resultCharacters' | 'timeMs'>>
>;

/** The kit's settings with other defaults. */
export function withDefaults(defaults: SettingDefaults): typeof toolSettings {
  const changed = Object.entries(defaults).map(([name, value]) => {
    const setting: z.ZodDefault<z.ZodType> = toolSettings[name as keyof SettingDefaults];
    return [
      name,
      setting
        .unwrap()
        .default(value)
        .describe(setting.description ?? ''),
    ];
  });
  return { ...toolSettings, ...(Object.fromEntries(changed) as Partial<typeof toolSettings>) };
}
