import { RunError, type UsageError } from '../../../envs/core/errors.ts';
import { GroupFile, type Found } from './group-file.ts';
import { damaged, type ReadLimits } from '../format/read-limits.ts';

/** The end of a file whose writer was stopped within a group. All whole groups were read. */
export interface TornTail {
  readonly file: string;
  /** Byte offset of the torn group. */
  readonly offset: number;
  readonly bytes: number;
}

/** Unreadable bytes of a file between readable groups. */
export interface DamagedStretch {
  readonly file: string;
  readonly offset: number;
  /** Up to the next whole group, or to the end of the file. */
  readonly bytes: number;
  /** What is wrong at its beginning, or why the file cannot be read at all; it then has no bytes. */
  readonly error: UsageError | RunError;
}

/** Receives reports of unreadable data, so that no group is lost silently. */
export interface LossListener {
  readonly onTornTail: (tail: TornTail) => void;
  /** If given, damage is reported here and skipped. Otherwise reading ends there with the error. */
  readonly onDamage?: ((stretch: DamagedStretch) => void) | undefined;
}

/** Opens a group file. Undefined if it is unreadable and the loss was reported. */
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

/** A group and its location. */
export type Walked<T> = { readonly offset: number; readonly bytes: number } & T;

/**
 * Yields the groups of a file in the order of writing, each as `look` returns it.
 * @throws UsageError at damage without a listener
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
    // it only looked like the last group
    else onDamage?.({ ...stretch, error: damaged(`${file}, byte ${offset}`, 'the group breaks off') });
    offset = next;
  }
}

/**
 * The options for one file of a store. Only the last file was being written, so a torn tail of any other is
 * damage.
 */
export function withinStore<Options extends LossListener>(options: Options, isLast: boolean): Options {
  if (isLast) return options;
  const { onDamage } = options;
  const onTornTail = (tail: TornTail): void => {
    const error = damaged(
      `${tail.file}, byte ${tail.offset}`,
      'the last group is torn, which is valid only in the last file of a store',
    );
    if (onDamage === undefined) throw error;
    onDamage({ ...tail, error });
  };
  return { ...options, onTornTail };
}
