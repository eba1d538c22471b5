/** How to compute an advantage among peers. */
export interface PeerRule {
  /** `mean`: distance from the baseline. `mean-std`: that divided by the peers' standard deviation. */
  readonly normalise: 'mean' | 'mean-std';
  /** Divides the squares by the number of peers minus one, or by that number. */
  readonly std: 'unbiased' | 'population';
  /** Added to the standard deviation. */
  readonly epsilon: number;
  /**
   * Whether the baseline of a row includes the row's own trajectory. If left out (leave-one-out, as in RLOO),
   * the baseline does not depend on what the trajectory did. The standard deviation is always that of all
   * peers.
   */
  readonly self: 'included' | 'left-out';
}

/** Values to compare, and their peer groups. */
export interface PeerTable {
  readonly values: Float64Array; // (rows)
  /** Peer group of each row; -1 for none. */
  readonly peers: Int32Array; // (rows)
  readonly groups: number;
  /**
   * Weight in the statistics; 0 for a row that is excluded and gets no credit. Each unit of comparison has a
   * total weight of 1.
   */
  readonly weights: Float64Array; // (rows)
  /** Number of the block that is left out with the row: the rows of its own trajectory in its group. */
  readonly self: Int32Array; // (rows)
  readonly selves: number;
}

/**
 * Values of a group are equal if they differ by at most this share of the largest, or by this much near 0.
 * Sums of the same rewards in another order differ by rounding, and dividing by a standard deviation would
 * turn that into an advantage.
 */
const relativeRounding = 1e-9;
const absoluteRounding = 1e-12;

/**
 * The advantage of each row among its peers; 0 for rows without peers. A group whose values are equal up to
 * rounding gives exactly 0.
 */
export function compareWithPeers(table: PeerTable, rule: PeerRule): Float64Array {
  const moments = weighMoments(table, rule);
  const baselines = rule.self === 'left-out' ? baselinesOfOthers(table, moments) : undefined;
  const advantages = new Float64Array(table.values.length); // (rows)
  for (let row = 0; row < advantages.length; row += 1) {
    const group = table.peers[row] as number;
    if (group < 0 || table.weights[row] === 0 || moments.equal[group] === 1) continue;
    const baseline = (baselines === undefined ? moments.mean[group] : baselines[row]) as number;
    advantages[row] = ((table.values[row] as number) - baseline) / (moments.scale[group] as number);
  }
  return advantages;
}

interface Moments {
  /** First value of the group. Sums use distances from it. */
  readonly origin: Float64Array; // (groups)
  /** Weighted sum of distances from the origin. */
  readonly sum: Float64Array; // (groups)
  /** Number of compared units: an integer, although weights may be fractions. */
  readonly units: Float64Array; // (groups)
  readonly mean: Float64Array; // (groups)
  /** 1 for a group without anything to compare: one unit, or values that are equal up to rounding. */
  readonly equal: Uint8Array; // (groups)
  /** The divisor of distances from the baseline. */
  readonly scale: Float64Array; // (groups)
}

function weighMoments(table: PeerTable, rule: PeerRule): Moments {
  const { values, peers, weights, groups } = table;
  const origin = new Float64Array(groups);
  const sum = new Float64Array(groups);
  const units = new Float64Array(groups);
  const least = new Float64Array(groups).fill(Infinity);
  const most = new Float64Array(groups).fill(-Infinity);
  for (let row = 0; row < values.length; row += 1) {
    const group = peers[row] as number;
    const weight = weights[row] as number;
    if (group < 0 || weight === 0) continue;
    const value = values[row] as number;
    if (units[group] === 0) origin[group] = value;
    if (value < (least[group] as number)) least[group] = value;
    if (value > (most[group] as number)) most[group] = value;
    sum[group] = (sum[group] as number) + weight * (value - (origin[group] as number));
    units[group] = (units[group] as number) + weight;
  }
  const mean = new Float64Array(groups);
  const equal = new Uint8Array(groups);
  for (let group = 0; group < groups; group += 1) {
    units[group] = Math.round(units[group] as number);
    const [low, high] = [least[group] as number, most[group] as number];
    const rounding = Math.max(absoluteRounding, relativeRounding * Math.max(Math.abs(low), Math.abs(high)));
    if ((units[group] as number) < 2 || high - low <= rounding) equal[group] = 1;
    mean[group] = (origin[group] as number) + (sum[group] as number) / Math.max(1, units[group] as number);
  }
  const scale =
    rule.normalise === 'mean' ? new Float64Array(groups).fill(1) : spreads(table, rule, { mean, units });
  return { origin, sum, units, mean, equal, scale };
}

/** Standard deviation of each group, plus epsilon. */
function spreads(
  table: PeerTable,
  rule: PeerRule,
  { mean, units }: Pick<Moments, 'mean' | 'units'>,
): Float64Array {
  const { values, peers, weights, groups } = table;
  const scale = new Float64Array(groups);
  for (let row = 0; row < values.length; row += 1) {
    const group = peers[row] as number;
    const weight = weights[row] as number;
    if (group < 0 || weight === 0) continue;
    const distance = (values[row] as number) - (mean[group] as number);
    scale[group] = (scale[group] as number) + weight * distance * distance;
  }
  const lost = rule.std === 'unbiased' ? 1 : 0;
  for (let group = 0; group < groups; group += 1) {
    if ((units[group] as number) < 2) continue; // nothing to compare
    const degrees = Math.max(1, (units[group] as number) - lost);
    scale[group] = Math.sqrt((scale[group] as number) / degrees) + rule.epsilon;
  }
  return scale;
}

/** Mean of each row's peers without its own trajectory; the row's own value if there are no others. */
function baselinesOfOthers(table: PeerTable, moments: Moments): Float64Array {
  const { values, peers, weights, self } = table;
  const ownSum = new Float64Array(table.selves);
  const ownUnits = new Float64Array(table.selves);
  for (let row = 0; row < values.length; row += 1) {
    const group = peers[row] as number;
    const weight = weights[row] as number;
    if (group < 0 || weight === 0) continue;
    const block = self[row] as number;
    ownSum[block] =
      (ownSum[block] as number) + weight * ((values[row] as number) - (moments.origin[group] as number));
    ownUnits[block] = (ownUnits[block] as number) + weight;
  }
  const baselines = new Float64Array(values.length); // (rows)
  for (let row = 0; row < values.length; row += 1) {
    const group = peers[row] as number;
    if (group < 0 || weights[row] === 0) continue;
    const block = self[row] as number;
    const others = (moments.units[group] as number) - Math.round(ownUnits[block] as number);
    const distances = (moments.sum[group] as number) - (ownSum[block] as number);
    baselines[row] =
      others === 0 ? (values[row] as number) : (moments.origin[group] as number) + distances / others;
  }
  return baselines;
}
