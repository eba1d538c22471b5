import { UsageError } from '../../envs/core/errors.ts';
import type { TrainConfigInput } from '../config/config.ts';
import { householdHardRecipe, householdRecipe } from './household.ts';
import { householdStudies } from './household-study.ts';
import { codeRecipe, critiqueRecipe, machineLearningRecipe, verilogRecipe } from './programs.ts';
import type { RecordedStudy } from './recorded.ts';
import { shopRecipe } from './shop.ts';
import { sqlRecipe } from './sql.ts';
import { tokenRecipe } from './tokens.ts';
import { foreignPagesRecipe, webRecipe } from './web.ts';

/** The settings that each built-in env is trained with unless told otherwise, by env id. */
const recipes: Readonly<Record<string, TrainConfigInput>> = {
  [householdRecipe.env]: householdRecipe,
  [householdHardRecipe.env]: householdHardRecipe,
  [shopRecipe.env]: shopRecipe,
  [webRecipe.env]: webRecipe,
  [sqlRecipe.env]: sqlRecipe,
  [codeRecipe.env]: codeRecipe,
  [critiqueRecipe.env]: critiqueRecipe,
  [machineLearningRecipe.env]: machineLearningRecipe,
  [verilogRecipe.env]: verilogRecipe,
};

/** What is known to be set of a training config: a recipe may name what goes with other settings alone. */
export interface KnownSettings {
  readonly envConfig?: Readonly<Record<string, unknown>>;
  readonly policy?: { readonly kind?: unknown; readonly model?: unknown };
}

/** The recipe of the env, or GiGPO with plain defaults where it has none. @throws UsageError where a choice policy would have nothing to learn on */
export function recipeFor(
  env: string,
  { envConfig = {}, policy = {} }: KnownSettings = {},
): TrainConfigInput {
  if (policy.kind === 'token') return tokenRecipe(env, String(policy.model));
  if (env === codeRecipe.env && namesFiles(envConfig) && envConfig['pieces'] === undefined)
    throw onlyWritten();
  if (env === webRecipe.env && envConfig['pages'] !== undefined) return foreignPagesRecipe;
  return recipes[env] ?? { env, credit: { kind: 'gigpo' } };
}

/** Whether a config of `code-v1` names problems of files. */
function namesFiles({ problems }: Readonly<Record<string, unknown>>): boolean {
  return typeof problems === 'object' && problems !== null && 'kind' in problems && problems.kind !== 'own';
}

function onlyWritten(): UsageError {
  return new UsageError({
    where: 'recipe of code-v1',
    what: 'it trains a choice policy, which chooses among what is listed, and programs for problems of files are written.',
    mend: 'Train a language model on them, with --policy token --model FOLDER, or leave `problems` out for programs that are put together.',
  });
}

/** The study that was recorded on the panel of that fingerprint, where there is one. */
export function studyOn(fingerprint: string): RecordedStudy | undefined {
  return householdStudies.find(({ panel }) => panel.fingerprint === fingerprint);
}
