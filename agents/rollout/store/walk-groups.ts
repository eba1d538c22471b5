import { RunError, type UsageError } from '../../../envs/core/errors.ts';
import { GroupFile, type Found } from './group-file.ts';
import { damaged, type ReadLimits } from '../format/read-limits.ts';

/** The end of a file whose writer was stopped in the middle of a group. What was whole has been read. */
export interface TornTail {
  readonly file: string;
  /** Byte at which the torn group begins. */
  readonly offset: number;
  readonly bytes: number;
}

/** Bytes of a file in which no group can be read, between groups that can. */
export interface DamagedStretch {
  readonly file: string;
  readonly offset: number;
  /** Up to the next group that is whole, or to the end of the file. */
  readonly bytes: number;
  /** What is wrong at its beginning, or why its file cannot be read at all: then it has no bytes. */
  readonly error: UsageError | RunError;
}

/** Who hears of what cannot be read, so that nobody loses a group without knowing. */
export interface LossListener {
  readonly onTornTail: (tail: TornTail) => void;
  /** With it damage is told of and left out; without it reading ends there with the error. */
  readonly onDamage?: ((stretch: DamagedStretch) => void) | undefined;
}

/** Opens a file of groups; undefined where it cannot be read and somebody has heard of that. */
export async function openUnlessLost(
  path: string,
  limits: ReadLimits,
  { onDamage }: LossListener,
): Promise<GroupFile | undefined> {
  try {
    return await GroupFile.open(path, limits);
  } catch (thrown) {
    if (!RunError.is(thrown) || onDamage === undefined) throw thrown;
    onDamage({ file: path, offset: 0, bytes: 0, error: thrown });
    return undefined;
  }
}

/** A group and where it was found. */
export type Walked<T> = { readonly offset: number; readonly bytes: number } & T;

/**
 * The groups of a file in the order in which they were written, each as `look` sees it.
 * @throws UsageError at damage that nobody wants to hear of
 */
export async function* walkGroups<T>(
  source: GroupFile,
  look: (offset: number) => Promise<Found<T>>,
  { onTornTail, onDamage }: LossListener,
): AsyncGenerator<Walked<T>, void> {
  const { path: file, size } = source;
  for (let offset = 0; offset < size;) {
    const found = await look(offset);
    if (found.kind === 'whole') {
      yield { offset, ...found };
      offset += found.bytes;
      continue;
    }
    if (found.kind === 'damaged' && onDamage === undefined) throw found.error;
    const next = onDamage === undefined ? size : await source.findNext(offset);
    const stretch = { file, offset, bytes: next - offset };
    if (found.kind === 'damaged') onDamage?.({ ...stretch, error: found.error });
    else if (next === size) onTornTail(stretch);
    else onDamage?.({ ...stretch, error: damaged(`${file}, byte ${offset}`, 'the group breaks off') }); // it only looked like the last
    offset = next;
  }
}

/** What is told of one file of a store: only the last was being written, so that a torn tail of any other is damage. */
export function withinStore<Options extends LossListener>(options: Options, isLast: boolean): Options {
  if (isLast) return options;
  const { onDamage } = options;
  const onTornTail = (tail: TornTail): void => {
    const error = damaged(
      `${tail.file}, byte ${tail.offset}`,
      'the last group is torn, and only the last file of a store may end so',
    );
    if (onDamage === undefined) throw error;
    onDamage({ ...tail, error });
  };
  return { ...options, onTornTail };
}
