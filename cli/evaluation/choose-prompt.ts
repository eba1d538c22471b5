import { z } from 'zod';
import { loadPrompt, promptNames, type PromptName } from '../../agents/prompt/load-prompt.ts';
import type { Prompt } from '../../agents/prompt/prompt.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { PresetPrompt } from '../../trainers/recipes/bench-presets.ts';
import type { Workbench } from '../../trainers/workbench.ts';

/** Goes with any env, since it names no commands. */
const plain: PromptName = 'plain';

/**
 * The prompt that the user named, or else that of the env's preset for the dialect that the env was opened with.
 *
 * @throws UsageError for a prompt whose commands are of another dialect, and where no prompt of the preset is of the env's
 */
export async function choosePrompt(
  named: string | undefined,
  { bench, preset }: { readonly bench: Pick<Workbench, 'definition' | 'host' | 'envConfig'>; readonly preset: PresetPrompt },
): Promise<Prompt> {
  const env = bench.definition.id;
  const dialect = dialectOf(bench.host.identity ?? bench.envConfig);
  if (named === undefined) return loadPrompt(typeof preset === 'string' ? preset : (preset[dialect ?? ''] ?? refuseDialect(env, dialect, preset)));
  const prompt = await loadPrompt(named);
  if (prompt.dialect === undefined || dialect === undefined || prompt.dialect === dialect) return prompt;
  const fitting = await promptsOf(dialect);
  throw new UsageError({
    where: `prompt ${prompt.name}`,
    what: `it teaches commands of the dialect "${prompt.dialect}", and that of ${env} here is "${dialect}".`,
    mend: fitting.length === 0 ? mendDialect([prompt.dialect]) : `Take ${fitting.join(' or ')}, or leave --prompt out; ${plain} goes with any.`,
  });
}

const dialectSchema = z.looseObject({ dialect: z.string() });

/** What an env's identity, or else its config, calls `dialect`. */
function dialectOf(identity: Json): string | undefined {
  const named = dialectSchema.safeParse(identity);
  return named.success ? named.data.dialect : undefined;
}

function refuseDialect(env: string, dialect: string | undefined, prompts: Exclude<PresetPrompt, string>): never {
  const what = dialect === undefined ? 'it does not say which dialect it speaks' : `its dialect here is "${dialect}"`;
  throw new UsageError({ where: `prompt for ${env}`, what: `${what}, and no prompt of its own goes with that.`, mend: mendDialect(Object.keys(prompts)) });
}

const mendDialect = (dialects: readonly string[]): string =>
  `Play tasks that all speak one dialect (${dialects.join(', ')}); or give --prompt ${plain}, which names no commands and goes with any.`;

/** The prompts that come with the package and teach the commands of this dialect. */
async function promptsOf(dialect: string): Promise<readonly string[]> {
  const prompts = await Promise.all(promptNames.map((name) => loadPrompt(name)));
  return prompts.flatMap((prompt) => (prompt.dialect === dialect ? [prompt.name] : []));
}
