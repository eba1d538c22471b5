import { assertStoredWhole, type StoredGroup } from '../../agents/rollout/store/skim-store.ts';
import { messageIfRefused } from './refusal.ts';

/** Bytes on the disk that are read through: some four seconds on one core, where 4 GiB would take minutes. */
export const mostBytesRead = 64 * 2 ** 20;

/** As many as Node decompresses beside each other. */
const atOnce = 4;

/** What is wrong with groups of a store whose bytes were changed; undefined where there are too many bytes to look. */
export async function findDamagedGroups(
  groups: readonly StoredGroup[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (groups.reduce((sum, { bytes }) => sum + bytes, 0) > mostBytesRead) return undefined;
  const flaws = new Map<StoredGroup, string>();
  const waiting = groups.values();
  const lane = async (): Promise<void> => {
    for (const group of waiting) {
      signal.throwIfAborted();
      await assertStoredWhole(group).catch((error: unknown) => flaws.set(group, messageIfRefused(error)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const [first, ...others] = groups.flatMap((group) => flaws.get(group) ?? []);
  if (first === undefined) return [];
  return [others.length === 0 ? first : `${first} Groups behind it that are damaged too: ${others.length}.`];
}
