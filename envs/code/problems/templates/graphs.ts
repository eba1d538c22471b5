import { number, pairs } from '../inputs.ts';
import { each, every, orders, template } from '../template.ts';

const links = () =>
  pairs({ low: 0, high: 7, most: 12, says: 'each a link between two of the places 0 to 7' });

const neighbours = `
def neighbours_of(links):
    lists = []
    for i in range(8):
        append(lists, [])
    for link in links:
        append(lists[link[0]], link[1])
        append(lists[link[1]], link[0])
    return lists
`;

const distances = `${neighbours}
def distances_from(links, start):
    near = neighbours_of(links)
    distance = filled(8, -1)
    distance[start] = 0
    queue = [start]
    at = 0
    while at < len(queue):
        place = queue[at]
        at += 1
        for next in near[place]:
            if distance[next] == -1:
                distance[next] = distance[place] + 1
                append(queue, next)
    return distance
`;

export const graphTemplates = [
  template({
    name: 'degree_count',
    category: 'graphs',
    difficulty: 2,
    result: 'number',
    variants: every(orders, each('k', [1, 2, 3])),
    parameters: () => ({ links: links() }),
    statement: ({ order, k }) =>
      `Count the places at which the number of ends of links is ${order} ${k}. A link from a place to itself has two ends there.`,
    program: ({ sign, k }) => `
def degree_count(links):
    degree = filled(8, 0)
    for link in links:
        degree[link[0]] += 1
        degree[link[1]] += 1
    count = 0
    for value in degree:
        if value ${sign} ${k}:
            count += 1
    return count`,
  }),
  template({
    name: 'hops_between',
    category: 'graphs',
    difficulty: 4,
    result: 'number',
    variants: every(each('from', [0, 1, 2, 3]), each('missing', [-1, 0, 99])),
    parameters: () => ({ links: links(), goal: number(0, 7) }),
    statement: ({ from, missing }) =>
      `Links can be gone both ways. Give the fewest links that lead from place ${from} to the goal; ${missing} where none do.`,
    program: ({ from, missing }) => `${distances}
def hops_between(links, goal):
    distance = distances_from(links, ${from})
    if distance[goal] == -1:
        return ${missing}
    return distance[goal]`,
  }),
  template({
    name: 'places_within',
    category: 'graphs',
    difficulty: 4,
    result: 'numbers',
    variants: every(
      [
        { order: 'at most', sign: '<=' },
        { order: 'exactly', sign: '==' },
        { order: 'at least', sign: '>=' },
      ],
      each('k', [1, 2, 3]),
    ),
    parameters: () => ({ links: links(), start: number(0, 7) }),
    statement: ({ order, k }) =>
      `Links can be gone both ways. List, in ascending order, the places to which the fewest links from the start are ${order} ${k}. Places that cannot be reached are not listed.`,
    program: ({ sign, k }) => `${distances}
def places_within(links, start):
    distance = distances_from(links, start)
    found = []
    for place in range(8):
        if distance[place] != -1 and distance[place] ${sign} ${k}:
            append(found, place)
    return found`,
  }),
  template({
    name: 'count_groups',
    category: 'graphs',
    difficulty: 4,
    result: 'number',
    variants: every(orders, each('k', [1, 2, 3])),
    parameters: () => ({ links: links() }),
    statement: ({ order, k }) =>
      `Links can be gone both ways. Places between which one can go, over other places too, form a group; a place without links is a group of its own. Count the groups of a size that is ${order} ${k}.`,
    program: ({ sign, k }) => `${neighbours}
def count_groups(links):
    near = neighbours_of(links)
    seen = filled(8, False)
    groups = 0
    for start in range(8):
        if not seen[start]:
            seen[start] = True
            stack = [start]
            members = 0
            while len(stack) > 0:
                place = pop(stack)
                members += 1
                for next in near[place]:
                    if not seen[next]:
                        seen[next] = True
                        append(stack, next)
            if members ${sign} ${k}:
                groups += 1
    return groups`,
  }),
  template({
    name: 'sink_places',
    category: 'graphs',
    difficulty: 2,
    result: 'numbers',
    heldOut: true,
    variants: every(
      [
        { kind: 'go out from', one: 0, other: 1 },
        { kind: 'come in to', one: 1, other: 0 },
      ],
      each('k', [0, 1, 2, 3]),
    ),
    parameters: () => ({
      links: pairs({
        low: 0,
        high: 7,
        most: 12,
        says: 'each a one-way link from its first place to its second',
      }),
    }),
    statement: ({ kind, k }) =>
      `List, in ascending order, the places from 0 to 7 of which at most ${k} links ${kind} them, and which have at least one link the other way.`,
    program: ({ one, other, k }) => `
def sink_places(links):
    these = filled(8, 0)
    others = filled(8, 0)
    for link in links:
        these[link[${one}]] += 1
        others[link[${other}]] += 1
    found = []
    for place in range(8):
        if these[place] <= ${k} and others[place] >= 1:
            append(found, place)
    return found`,
  }),
];
