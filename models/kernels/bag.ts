/**
 * Bags of row numbers, packed end to end: bag k holds `members[start[k]] .. members[start[k + 1] - 1]`. As a matrix it is
 * sparse, with one row a bag and the counts of its members as entries; {@link transposeBags} is then the transpose.
 */
export interface Bags {
  readonly members: Int32Array; // (N)
  readonly start: Int32Array; // (K + 1)
}

/** Bags of `second` after those of `first`. */
export function concatBags(first: Bags, second: Bags): Bags {
  const members = new Int32Array(first.members.length + second.members.length);
  members.set(first.members);
  members.set(second.members, first.members.length);
  const start = new Int32Array(first.start.length + second.start.length - 1);
  start.set(first.start);
  for (let bag = 1; bag < second.start.length; bag += 1)
    start[first.start.length - 1 + bag] = first.members.length + (second.start[bag] as number);
  return { members, start };
}

/** The bags named by `which`, in that order. */
export function selectBags({ members, start }: Bags, which: Int32Array): Bags {
  const newStart = new Int32Array(which.length + 1);
  for (let place = 0; place < which.length; place += 1) {
    const bag = which[place] as number;
    newStart[place + 1] = (newStart[place] as number) + (start[bag + 1] as number) - (start[bag] as number);
  }
  const selected = new Int32Array(newStart[which.length] as number);
  for (let place = 0; place < which.length; place += 1) {
    const bag = which[place] as number;
    selected.set(members.subarray(start[bag], start[bag + 1]), newStart[place]);
  }
  return { members: selected, start: newStart };
}

/** For each of `count` possible members the bags that hold it, in order (a counting sort). */
export function transposeBags(bags: Bags, count: number): Bags {
  // Two places ahead at first: while members are dealt out, start[member + 1] moves from where its bags begin to where they end.
  const start = new Int32Array(count + 2);
  for (let at = 0; at < bags.members.length; at += 1) start[(bags.members[at] as number) + 2]! += 1;
  for (let place = 2; place < start.length; place += 1) start[place]! += start[place - 1] as number;
  const members = new Int32Array(bags.members.length);
  for (let bag = 0; bag + 1 < bags.start.length; bag += 1) {
    for (let at = bags.start[bag] as number; at < (bags.start[bag + 1] as number); at += 1) {
      const member = bags.members[at] as number;
      members[start[member + 1] as number] = bag;
      start[member + 1]! += 1;
    }
  }
  return { members, start: start.subarray(0, count + 1) };
}

/** One bag of all numbers below `count`. */
export function oneBag(count: number): Bags {
  return { members: countingUp(count), start: Int32Array.of(0, count) };
}

export function countingUp(count: number): Int32Array {
  const numbers = new Int32Array(count);
  for (let at = 0; at < count; at += 1) numbers[at] = at;
  return numbers;
}
