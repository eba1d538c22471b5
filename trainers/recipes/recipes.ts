import type { TrainConfigInput } from '../loop/config.ts';
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

/** The recipe of the env, or GiGPO with plain defaults where it has none. */
export function recipeFor(env: string, { envConfig = {}, policy = {} }: KnownSettings = {}): TrainConfigInput {
  if (policy.kind === 'token') return tokenRecipe(env, String(policy.model));
  if (env === webRecipe.env && envConfig['pages'] !== undefined) return foreignPagesRecipe;
  return recipes[env] ?? { env, credit: { kind: 'gigpo' } };
}

/** The study that was recorded on the panel of that fingerprint, where there is one. */
export function studyOn(fingerprint: string): RecordedStudy | undefined {
  return householdStudies.find(({ panel }) => panel.fingerprint === fingerprint);
}
