import type { DamagedStretch } from '../../agents/rollout/store/walk-groups.ts';
import { plural } from '../../trainers/results/number-words.ts';

/** What of stored episodes cannot be read and is left out, as one paragraph; nothing where all can be. */
export function describeDamage(stretches: readonly DamagedStretch[]): readonly string[] {
  const [first, second] = stretches;
  if (first === undefined) return [];
  const { where, what, fix } = first.error.parts;
  const others = stretches.length - 1;
  const more =
    second === undefined
      ? ''
      : `, and ${bytesOf(stretches.slice(1))} at ${others} more ${plural(others, 'place')} (${second.file}, byte ${second.offset}${others === 1 ? '' : ' and on'})`;
  const leftOut =
    first.bytes === 0
      ? 'It is left out'
      : `${bytesOf([first])} from there ${first.bytes === 1 ? 'is' : 'are'} left out`;
  return [`${where}: ${what} ${leftOut}${more}; all other groups are read. ${fix}`];
}

const bytesOf = (stretches: readonly DamagedStretch[]): string => {
  const bytes = stretches.reduce((sum, stretch) => sum + stretch.bytes, 0);
  return `${bytes} ${plural(bytes, 'byte')}`;
};

/** A part of a document with that paragraph; none where all can be read. */
export const damageNotes = (stretches: readonly DamagedStretch[]): { readonly notes?: readonly string[] } =>
  notesOf(describeDamage(stretches));

/** A part of a document with what was said beside it; none where nothing was. */
export const notesOf = (notes: readonly string[]): { readonly notes?: readonly string[] } =>
  notes.length === 0 ? {} : { notes };
