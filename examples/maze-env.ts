import { createRng, defineEnv, reward, type TaskRef } from 'cairn-gym/envs';
import { z } from 'zod';

const ways = { north: -6, west: -1, east: 1, south: 6 }; // over 6 rows of 6 cells, the way out in cell 0
const way = z.enum(['north', 'west', 'east', 'south']);

/** Each cell opens to the north or to the west, by lot: a maze without loops. */
function mazeOf({ panel, index }: TaskRef): number[] {
  const rng = createRng(0).fork(panel).fork(index);
  return Array.from(
    { length: 36 },
    (_, cell) => cell - (cell < 6 ? 1 : cell % 6 === 0 ? 6 : rng.pick([1, 6])),
  );
}

const maze = defineEnv({
  id: 'my-lab/maze-v1',
  summary: 'Leave a maze that is seen from above',
  config: z.strictObject({}),
  observation: z.strictObject({ cell: z.int(), opensTo: z.array(z.int()) }),
  action: way,
  deterministic: true,
  turnLimit: () => 60,
  text: {
    observation: ({ cell, opensTo }) => `You are in cell ${cell}. The cells open to ${opensTo.join(', ')}.`,
    action: (action) => action,
    parse: (text) =>
      way.safeParse(text).success
        ? { kind: 'action', action: way.parse(text) }
        : { kind: 'malformed', why: 'Say north.', text },
  },
  open: async () => ({
    panels: [
      { name: 'train', size: 1000, purpose: 'train', summary: '' },
      { name: 'dev', size: 100, purpose: 'dev', summary: '' },
    ],
    describeTask: (task) => ({ family: 'maze', instruction: 'Go to cell 0.', content: mazeOf(task) }),
    create: async () => {
      let [opensTo, cell] = [[0], 0];
      const see = () => {
        const admissible = way.options.filter(
          (to) => opensTo[cell] === cell + ways[to] || opensTo[cell + ways[to]] === cell,
        );
        const key = `${cell} in ${opensTo.join()}`; // nothing is hidden: equal boards are equal decisions
        return {
          observation: { cell, opensTo },
          stateKey: key,
          anchorKey: key,
          admissible,
          stepsLeft: undefined,
          seat: 0,
        };
      };
      return {
        reset: async (task) => {
          [opensTo, cell] = [mazeOf(task), 35];
          return { ...see(), instruction: 'Go to cell 0.' };
        },
        step: async (action) => {
          const inadmissible = !see().admissible.includes(action);
          if (!inadmissible) cell += ways[action];
          const result = { ...see(), reward: reward({ out: cell === 0 ? 1 : 0 }), inadmissible };
          return cell === 0
            ? { kind: 'terminated', outcome: 'solved', ...result }
            : { kind: 'ongoing', ...result };
        },
        close: async () => undefined,
      };
    },
    close: async () => undefined,
  }),
});

export const environments = [maze];
