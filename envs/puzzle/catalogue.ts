import type { EnvCatalogue } from '../core/presets.ts';
import type { PuzzleRules } from './rules.ts';

/** How a form of a puzzle is listed: its category is a tag. The questions of a user's puzzle have no stated licence. */
export const catalogueOf = (
  {
    name,
    category,
    unique,
  }: Pick<PuzzleRules<string, unknown, unknown, unknown, unknown>, 'name' | 'category' | 'unique'>,
  form: 'single-answer' | 'step-wise',
): EnvCatalogue => ({
  family: 'puzzle',
  tags: [category, form, 'generated', ...(unique === true ? ['one-solution'] : [])],
  ...(name.includes('/') ? {} : { licence: 'Apache-2.0' }),
});
