import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { KeyReader } from './anchor-key.ts';
import { isFaulted, type BatchRows } from './batch-rows.ts';
import type { KeyNumbering } from './key-numbering.ts';

/** Which steps of a batch face the same decision. An anchor never spans task groups. */
export interface Anchors {
  /** Anchor of each row, numbered over the batch in the order of appearance; -1 for a row without a key. */
  readonly ofRow: Int32Array; // (rows)
  /** Steps of each anchor, over all its visits. */
  readonly sizes: Int32Array; // (anchors)
  /** Total length of the keys of all rows. */
  readonly characters: number;
  /** Number of the pair (trajectory, anchor) of each row; -1 for a row without a key. */
  readonly visitor: Int32Array; // (rows)
  readonly visitors: number;
  /** 1 if the trajectory visited the anchor before. */
  readonly revisit: Uint8Array; // (rows)
}

/** Finds the anchors of a batch. */
export function findAnchors(
  groups: readonly TrajectoryGroup[],
  rows: BatchRows,
  by: { readonly keyOf: KeyReader; readonly numbering: () => KeyNumbering },
): Anchors {
  const ofRow = new Int32Array(rows.count).fill(-1);
  const sizes = new Int32Array(rows.count);
  const keys: (string | undefined)[] = []; // of one trajectory at a time
  let characters = 0;
  let row = 0;
  let found = 0;
  for (const { members } of groups) {
    const numberOf = by.numbering();
    const base = found;
    for (const member of members) {
      if (isFaulted(member)) continue;
      characters += readKeys(member, by.keyOf, keys);
      for (let step = 0; step < member.steps.length; step += 1, row += 1) {
        const key = keys[step];
        if (key === undefined) continue;
        const anchor = base + numberOf(key);
        ofRow[row] = anchor;
        sizes[anchor] = (sizes[anchor] as number) + 1;
        if (anchor >= found) found = anchor + 1;
      }
    }
  }
  return { ofRow, sizes: sizes.slice(0, found), characters, ...numberVisitors(rows, ofRow, found) };
}

/**
 * Writes the keys of a trajectory to the start of a list and returns their total length. Each key is likely
 * to miss the CPU cache. Reading them one after the other overlaps these waits.
 */
function readKeys(member: Trajectory, keyOf: KeyReader, keys: (string | undefined)[]): number {
  const { steps } = member;
  let characters = 0;
  for (let index = 0; index < steps.length; index += 1) {
    const key = keyOf(member, index);
    keys[index] = key;
    if (key !== undefined) characters += key.length;
  }
  return characters;
}

/**
 * Rows are ordered by trajectory, so an anchor's last visitor shows whether a visit is the trajectory's
 * first.
 */
function numberVisitors(
  rows: BatchRows,
  ofRow: Int32Array,
  anchors: number,
): Pick<Anchors, 'visitor' | 'visitors' | 'revisit'> {
  const visitor = new Int32Array(rows.count).fill(-1);
  const revisit = new Uint8Array(rows.count);
  const lastTrajectory = new Int32Array(anchors).fill(-1);
  const lastVisitor = new Int32Array(anchors);
  let visitors = 0;
  for (let trajectory = 0; trajectory + 1 < rows.rowStart.length; trajectory += 1) {
    const end = rows.rowStart[trajectory + 1] as number;
    for (let row = rows.rowStart[trajectory] as number; row < end; row += 1) {
      const anchor = ofRow[row] as number;
      if (anchor < 0) continue;
      if (lastTrajectory[anchor] === trajectory) {
        revisit[row] = 1;
      } else {
        lastTrajectory[anchor] = trajectory;
        lastVisitor[anchor] = visitors;
        visitors += 1;
      }
      visitor[row] = lastVisitor[anchor] as number;
    }
  }
  return { visitor, visitors, revisit };
}
