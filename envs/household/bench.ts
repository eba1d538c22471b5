import type { EnvBench } from '../core/presets.ts';
import { costColumns, familyColumns } from '../kit/bench-columns.ts';
import { householdStudies } from './studies.ts';

/** The families of small flats with their titles in papers on ALFWorld, in the order of the papers. */
const smallTitles = { pick: 'Pick', look: 'Look', clean: 'Clean', heat: 'Heat', cool: 'Cool' };

const benchOf = (panels: readonly string[], titles: Readonly<Record<string, string>>): EnvBench => ({
  panels,
  columns: [...familyColumns(titles), { kind: 'success', title: 'All' }, ...costColumns],
  prompt: {
    by: 'dialect',
    prompts: { current: 'household-react', classic: 'household-react-classic' },
  },
});

const titles = { ...smallTitles, pick2: 'Pick2' };

export const householdBench: EnvBench = {
  ...benchOf(['unseen', 'seen', 'unseen-1000'], titles),
  studies: householdStudies,
};
export const householdHardBench = benchOf(['unseen'], titles);
export const householdSmallBench = benchOf(['unseen'], smallTitles);
