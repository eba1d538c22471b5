/** Row and column, counted from 0. */
export type Place = readonly [row: number, column: number];

/** The four steps on a board. */
export const directions = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
} as const satisfies Readonly<Record<string, Place>>;

export type Direction = keyof typeof directions;

export const directionNames = ['up', 'down', 'left', 'right'] as const satisfies readonly Direction[];

export const beside = ([row, column]: Place, direction: Direction): [row: number, column: number] => {
  const [down, across] = directions[direction];
  return [row + down, column + across];
};

export const isSamePlace = (one: Place, other: Place): boolean => one[0] === other[0] && one[1] === other[1];
