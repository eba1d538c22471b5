import { loadPrompt, promptNames, type PromptName } from '../../agents/prompt/load-prompt.ts';
import {
  gameOf,
  fixRequirement,
  promptMismatch,
  plainPrompt as plain,
  type Game,
  type OpenedGame,
} from '../../agents/prompt/prompt-mismatch.ts';
import type { Prompt } from '../../agents/prompt/prompt.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { PresetPrompt } from '../../trainers/recipes/bench-preset.ts';

/**
 * The prompt that the user named, or else that of the env's preset. The preset chooses by the dialect, the
 * mode of observation or other traits of the opened env.
 *
 * @throws UsageError if the prompt is for other envs, another dialect or another mode, and if the preset has
 *   no matching prompt
 */
export async function choosePrompt(
  named: string | undefined,
  {
    envSession,
    preset,
    hideAdmissible = false,
  }: {
    readonly envSession: OpenedGame;
    readonly preset: PresetPrompt;
    readonly hideAdmissible?: boolean | undefined;
  },
): Promise<Prompt> {
  const game = gameOf(envSession);
  const usual = usualPrompt(preset, game);
  if (hideAdmissible && !UsageError.is(usual)) assertSees(await loadPrompt(usual), game);
  if (named === undefined) {
    if (UsageError.is(usual)) throw usual;
    return loadPrompt(usual);
  }
  const prompt = await loadPrompt(named);
  if (hideAdmissible) assertSees(prompt, game);
  const mismatch = promptMismatch(prompt, game);
  if (mismatch === undefined) return prompt;
  const fitting = await promptsFor(game);
  throw new UsageError({
    where: `prompt ${prompt.name}`,
    what: mismatch.what,
    fix:
      fitting.length === 0
        ? mismatch.fix
        : `Take ${fitting.join(' or ')}, or leave --prompt out; ${plain} goes with any.`,
  });
}

/** The preset's prompt for the game as it was opened, or why it has none for that. */
function usualPrompt(preset: PresetPrompt, { env, says }: Game): PromptName | UsageError {
  if (typeof preset === 'string') return preset;
  const { by, prompts } = preset;
  const said = says.get(by);
  const prompt = typeof said === 'string' ? prompts[said] : undefined;
  if (prompt !== undefined) return prompt;
  const what = said === undefined ? `it does not say its ${by}` : `its ${by} here is ${JSON.stringify(said)}`;
  return new UsageError({
    where: `prompt for ${env}`,
    what: `${what}, and no prompt of its own goes with that.`,
    fix: fixRequirement(by, Object.keys(prompts)),
  });
}

/** Refuses to hide actions that are all there is to see. */
function assertSees({ actions }: Prompt, { env }: Game): void {
  if (actions.shown !== 'always') return;
  throw new UsageError({
    where: '--hide-admissible',
    what: `as ${env} is played here, without the admissible actions a model would see nothing to choose from.`,
    fix: 'Leave it out, or play another mode of observation.',
  });
}

/** The prompts that come with the package and are for this game and not for any. */
async function promptsFor(game: Game): Promise<readonly string[]> {
  const prompts = await Promise.all(promptNames.map((name) => loadPrompt(name)));
  return prompts.flatMap((prompt) =>
    prompt.for !== undefined && promptMismatch(prompt, game) === undefined ? [prompt.name] : [],
  );
}
