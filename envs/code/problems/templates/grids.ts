import { number, rows } from '../inputs.ts';
import { each, every, orders, template } from '../template.ts';

const map = () => rows('.#', { most: 6, says: '"#" for a rock and "." for a free cell' });

const count = `
def is_rock(cells, r, c):
    if r < 0 or r >= len(cells) or c < 0 or c >= len(cells[0]):
        return False
    return cells[r][c] == "#"

def rocks_around(cells, r, c):
    count = 0
    for dr in range(-1, 2):
        for dc in range(-1, 2):
            if (dr != 0 or dc != 0) and is_rock(cells, r + dr, c + dc):
                count += 1
    return count
`;

export const gridTemplates = [
  template({
    name: 'crowded_cells',
    category: 'grids',
    difficulty: 3,
    result: 'number',
    variants: every(orders, each('k', [1, 2, 3])),
    parameters: () => ({ cells: map() }),
    statement: ({ order, k }) =>
      `Every cell has up to eight neighbours, corners too. Count the free cells with a number of rocks among their neighbours that is ${order} ${k}.`,
    program: ({ sign, k }) => `${count}
def crowded_cells(cells):
    found = 0
    for r in range(len(cells)):
        for c in range(len(cells[0])):
            if cells[r][c] == "." and rocks_around(cells, r, c) ${sign} ${k}:
                found += 1
    return found`,
  }),
  template({
    name: 'full_lines',
    category: 'grids',
    difficulty: 2,
    result: 'number',
    variants: every(
      [
        { line: 'rows', outer: 'len(cells)', inner: 'len(cells[0])', cell: 'cells[i][j]' },
        { line: 'columns', outer: 'len(cells[0])', inner: 'len(cells)', cell: 'cells[j][i]' },
      ],
      each('k', [1, 2, 3]),
    ).flatMap((variant) => [
      { ...variant, order: 'at least', sign: '>=' },
      { ...variant, order: 'at most', sign: '<=' },
    ]),
    parameters: () => ({ cells: map() }),
    statement: ({ line, k, order }) =>
      `Count the ${line} of the grid with a number of rocks that is ${order} ${k}.`,
    program: ({ outer, inner, cell, k, sign }) => `
def full_lines(cells):
    lines = 0
    for i in range(${outer}):
        rocks = 0
        for j in range(${inner}):
            if ${cell} == "#":
                rocks += 1
        if rocks ${sign} ${k}:
            lines += 1
    return lines`,
  }),
  template({
    name: 'island_sizes',
    category: 'grids',
    difficulty: 4,
    result: 'number',
    variants: every(orders, each('k', [1, 2, 4])),
    parameters: () => ({ cells: map() }),
    statement: ({ order, k }) =>
      `Rocks that touch above, below, left or right belong together and form an island. Count the islands with a number of rocks that is ${order} ${k}.`,
    program: ({ sign, k }) => `
def island_sizes(cells):
    height = len(cells)
    width = len(cells[0])
    seen = grid(height, width, False)
    islands = 0
    for row in range(height):
        for column in range(width):
            if cells[row][column] == "#" and not seen[row][column]:
                seen[row][column] = True
                stack = [[row, column]]
                rocks = 0
                while len(stack) > 0:
                    cell = pop(stack)
                    rocks += 1
                    for turn in [[0, 1], [1, 0], [0, -1], [-1, 0]]:
                        r = cell[0] + turn[0]
                        c = cell[1] + turn[1]
                        if r >= 0 and r < height and c >= 0 and c < width:
                            if cells[r][c] == "#" and not seen[r][c]:
                                seen[r][c] = True
                                append(stack, [r, c])
                if rocks ${sign} ${k}:
                    islands += 1
    return islands`,
  }),
  template({
    name: 'robot_walk',
    category: 'grids',
    difficulty: 3,
    result: 'number',
    variants: every(each('steps', [2, 3, 5, 8]), [
      { first: 'right', dr: 0, dc: 1 },
      { first: 'down', dr: 1, dc: 0 },
    ]),
    parameters: () => ({ cells: map(), row: number(0, 5) }),
    statement: ({ steps, first }) =>
      `A robot starts in the first cell of the row of that number (of the last row where there are fewer), be it free or not, and looks ${first}. ${steps} times it goes a step ahead, or, where a rock or the edge is ahead, turns right by a quarter instead. Give how many different cells it has been in.`,
    program: ({ steps, dr, dc }) => `
def robot_walk(cells, row):
    r = min(row, len(cells) - 1)
    c = 0
    dr = ${dr}
    dc = ${dc}
    visited = new_map()
    put(visited, r * 100 + c, True)
    for step in range(${steps}):
        nr = r + dr
        nc = c + dc
        if nr < 0 or nr >= len(cells) or nc < 0 or nc >= len(cells[0]) or cells[nr][nc] == "#":
            turned = dr
            dr = dc
            dc = 0 - turned
        else:
            r = nr
            c = nc
            put(visited, r * 100 + c, True)
    return size(visited)`,
  }),
  template({
    name: 'path_length',
    category: 'grids',
    difficulty: 5,
    result: 'number',
    heldOut: true,
    variants: every(each('missing', [-1, 0]), [
      { goal: 'the last cell of the last row', gr: 'height - 1', gc: 'width - 1' },
      { goal: 'the first cell of the last row', gr: 'height - 1', gc: '0' },
    ]).flatMap((variant) => [
      { ...variant, counted: 'steps', plus: 0 },
      { ...variant, counted: 'cells, both ends included,', plus: 1 },
    ]),
    parameters: () => ({ cells: map() }),
    statement: ({ missing, goal, counted }) =>
      `Steps go up, down, left or right to free cells. Give the number of ${counted} of the shortest way from the first cell of the first row to ${goal}; ${missing} where there is none, also because one of the two is a rock.`,
    program: ({ missing, gr, gc, plus }) => `
def path_length(cells):
    height = len(cells)
    width = len(cells[0])
    if cells[0][0] == "#" or cells[${gr}][${gc}] == "#":
        return ${missing}
    distance = grid(height, width, -1)
    distance[0][0] = ${plus}
    queue = [[0, 0]]
    at = 0
    while at < len(queue):
        cell = queue[at]
        at += 1
        for turn in [[0, 1], [1, 0], [0, -1], [-1, 0]]:
            r = cell[0] + turn[0]
            c = cell[1] + turn[1]
            if r >= 0 and r < height and c >= 0 and c < width:
                if cells[r][c] == "." and distance[r][c] == -1:
                    distance[r][c] = distance[cell[0]][cell[1]] + 1
                    append(queue, [r, c])
    if distance[${gr}][${gc}] == -1:
        return ${missing}
    return distance[${gr}][${gc}]`,
  }),
];
