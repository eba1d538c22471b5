/** A graph as a search sees it. */
export interface SearchSpace<Node, Action> {
  /** Equal nodes have equal keys. */
  readonly key: (node: Node) => string | number;
  readonly next: (node: Node) => Iterable<readonly [action: Action, node: Node]>;
  readonly isGoal: (node: Node) => boolean;
  /** The most nodes to visit. Default: no limit. */
  readonly most?: number;
}

/** The fewest actions to a goal, by breadth-first search. Undefined where no goal was found. */
export function shortestPath<Node, Action>(
  start: Node,
  { key, next, isGoal, most = Number.POSITIVE_INFINITY }: SearchSpace<Node, Action>,
): readonly Action[] | undefined {
  interface Visit {
    readonly node: Node;
    readonly action: Action | undefined;
    readonly before: Visit | undefined;
  }
  const queue: Visit[] = [{ node: start, action: undefined, before: undefined }];
  const seen = new Set([key(start)]);
  for (const visit of queue) {
    if (isGoal(visit.node)) {
      const actions: Action[] = [];
      for (let at: Visit | undefined = visit; at?.before !== undefined; at = at.before)
        actions.push(at.action as Action); // only the start has none
      return actions.toReversed();
    }
    if (queue.length > most) return undefined;
    for (const [action, node] of next(visit.node)) {
      const name = key(node);
      if (seen.has(name)) continue;
      seen.add(name);
      queue.push({ node, action, before: visit });
    }
  }
  return undefined;
}
