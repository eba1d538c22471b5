import type { TrainConfigInput } from '../loop/config.ts';
import { householdHardRecipe, householdRecipe } from './household.ts';
import { householdStudies } from './household-study.ts';
import type { RecordedStudy } from './recorded.ts';
import { shopRecipe } from './shop.ts';
import { webRecipe } from './web.ts';

/** The settings that each built-in env is trained with unless told otherwise, by env id. */
const recipes: Readonly<Record<string, TrainConfigInput>> = {
  [householdRecipe.env]: householdRecipe,
  [householdHardRecipe.env]: householdHardRecipe,
  [shopRecipe.env]: shopRecipe,
  [webRecipe.env]: webRecipe,
};

/** The recipe of the env, or GiGPO with the plain defaults where it has none. */
export function recipeFor(env: string): TrainConfigInput {
  return recipes[env] ?? { env, credit: { kind: 'gigpo' } };
}

/** The study that was recorded on the panel of that fingerprint, where there is one. */
export function studyOn(fingerprint: string): RecordedStudy | undefined {
  return householdStudies.find(({ panel }) => panel.fingerprint === fingerprint);
}
