import { concatBags, selectBags, type Bags } from '../kernels/bag.ts';
import type { ChoiceBatch } from './choice-batch.ts';

/**
 * A batch without its repetitions. Many candidates look alike to the encoder: unvisited shelves of one
 * decision, the same action in other steps and members of a group. Each list of features is summed once for
 * the whole batch (U lists). Each pair of such a list and a decision is scored once (P pairs).
 */
export interface DistinctRows {
  /** The distinct lists of candidate features, then the states of the decisions. */
  readonly features: Bags; // U + B bags
  /** For each pair its list of candidate features and its state, as places among `features`; ordered by decision. */
  readonly pairs: Bags; // P bags of two
  /** The pair of each candidate row. */
  readonly pairOf: Int32Array; // (R)
}

export function distinctRows(batch: ChoiceBatch): DistinctRows {
  const candidates = { members: batch.candidateFeatures, start: batch.candidateStart };
  const states = { members: batch.stateFeatures, start: batch.stateStart };
  const { listOf, firstOf } = distinctLists(candidates);
  return {
    features: concatBags(selectBags(candidates, firstOf), states),
    ...pairUp(batch.rowStart, listOf, firstOf.length),
  };
}

/** Each decision's candidates by their lists, every list once. */
function pairUp(
  rowStart: Int32Array,
  listOf: Int32Array,
  lists: number,
): Pick<DistinctRows, 'pairs' | 'pairOf'> {
  const pairOf = new Int32Array(listOf.length);
  const members = new Int32Array(2 * listOf.length);
  let pairs = 0;
  // The pair that a list stood in last: decisions come one after the other, so that it is of this one or of one that is over.
  const lastPair = new Int32Array(lists).fill(-1);
  for (let decision = 0; decision + 1 < rowStart.length; decision += 1) {
    const firstPair = pairs;
    for (let row = rowStart[decision] as number; row < (rowStart[decision + 1] as number); row += 1) {
      const list = listOf[row] as number;
      if ((lastPair[list] as number) < firstPair) {
        members[2 * pairs] = list;
        members[2 * pairs + 1] = lists + decision;
        lastPair[list] = pairs;
        pairs += 1;
      }
      pairOf[row] = lastPair[list] as number;
    }
  }
  const start = new Int32Array(pairs + 1);
  for (let pair = 1; pair <= pairs; pair += 1) start[pair] = 2 * pair;
  return { pairs: { members: members.subarray(0, 2 * pairs), start }, pairOf };
}

/** A value of each pair, such as its logit, for each candidate row. */
export function spreadOverRows({ pairOf }: DistinctRows, ofPairs: Float32Array): Float32Array {
  const ofRows = new Float32Array(pairOf.length);
  for (let row = 0; row < ofRows.length; row += 1) ofRows[row] = ofPairs[pairOf[row] as number] as number;
  return ofRows;
}

/** The reverse for derivatives: what the rows of a pair say of it, added up. */
export function gatherFromRows({ pairOf, pairs }: DistinctRows, ofRows: Float32Array): Float32Array {
  const ofPairs = new Float32Array(pairs.start.length - 1);
  for (let row = 0; row < ofRows.length; row += 1) ofPairs[pairOf[row] as number]! += ofRows[row] as number;
  return ofPairs;
}

/** For each bag the number of its list of members, and for each list the first bag that has it. */
function distinctLists(bags: Bags): { readonly listOf: Int32Array; readonly firstOf: Int32Array } {
  const count = bags.start.length - 1;
  const listOf = new Int32Array(count);
  const firstOf = new Int32Array(count);
  let lists = 0;
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 1)) - 1;
  const table = new Int32Array(mask + 1).fill(-1); // open addressing: a list at the place of its hash, or the next free one
  for (let bag = 0; bag < count; bag += 1) {
    let place = hashOf(bags, bag) & mask;
    while (table[place] !== -1 && !isSame(bags, bag, firstOf[table[place] as number] as number))
      place = (place + 1) & mask;
    if (table[place] === -1) {
      firstOf[lists] = bag;
      table[place] = lists;
      lists += 1;
    }
    listOf[bag] = table[place] as number;
  }
  return { listOf, firstOf: firstOf.subarray(0, lists) };
}

/** Of the members, in order. */
function hashOf({ members, start }: Bags, bag: number): number {
  let hash = 0;
  for (let at = start[bag] as number; at < (start[bag + 1] as number); at += 1) {
    hash = Math.imul(hash ^ (members[at] as number), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function isSame({ members, start }: Bags, bag: number, other: number): boolean {
  const from = start[bag] as number;
  const otherFrom = start[other] as number;
  const length = (start[bag + 1] as number) - from;
  if (length !== (start[other + 1] as number) - otherFrom) return false;
  for (let at = 0; at < length; at += 1) if (members[from + at] !== members[otherFrom + at]) return false;
  return true;
}
