import { createRng, defineTextEnv } from 'cairn-gym/envs';
import { z } from 'zod';

const colours = ['red', 'blue', 'green', 'white', 'black', 'brown'];
const woods = ['oak', 'pine', 'ash', 'elm', 'beech', 'birch', 'cedar', 'maple'];

/** The state is one JSON value. Where the key lies is hidden until its drawer is opened. */
const state = z.strictObject({
  drawers: z.array(z.string()),
  /** Index of the drawer that has the key. */
  key: z.int(),
  /** In ascending order: the order in which drawers were opened changes nothing. */
  opened: z.array(z.int()),
  hasKey: z.boolean(),
});
type State = z.output<typeof state>;

const colourOf = (drawer = ''): string => drawer.split(' ')[0] ?? '';

/** About half of the drawers have the colour that the instruction names, and one of these has the key. */
function drawTask(panel: string, index: number, count: number): State {
  const rng = createRng(0).fork(panel).fork(index);
  const [colour = '', ...others] = rng.shuffle(colours);
  const drawers = rng
    .shuffle(woods)
    .slice(0, count)
    .map((wood, place) => `${place < count / 2 ? colour : rng.pick(others)} ${wood}`);
  const key = drawers[rng.int(Math.ceil(count / 2))] ?? '';
  const shown = rng.shuffle(drawers);
  return { drawers: shown, key: shown.indexOf(key), opened: [], hasKey: false };
}

export const env = defineTextEnv({
  id: 'my-lab/hidden-key-v1',
  summary: 'Find the key in a drawer of the right colour, then unlock the door',
  config: z.strictObject({
    drawers: z.int().min(4).max(8).default(6).describe('drawers, one of which has the key'),
  }),
  turnLimit: ({ drawers }) => Math.ceil(drawers / 2) + 2, // enough for the drawers of the right colour, and for the door
  panels: { train: 200, dev: 50, unseen: 50 },
  state,
  task: ({ panel, index }, { drawers }) => {
    const start = drawTask(panel, index, drawers);
    const colour = colourOf(start.drawers[start.key]);
    return { instruction: `The key lies in a ${colour} drawer. Find it and unlock the door.`, start };
  },
  observe: ({ drawers, key, opened, hasKey }) => {
    if (hasKey) return 'You hold the key.';
    if (opened.includes(key)) return `The key lies in the ${drawers[key]} drawer.`;
    if (opened.length === 0) return 'All drawers are closed.';
    return `Empty drawers: ${opened.map((drawer) => drawers[drawer]).join(', ')}.`;
  },
  actions: ({ drawers, key, opened, hasKey }) => [
    ...drawers.filter((_, drawer) => !opened.includes(drawer)).map((name) => `open the ${name} drawer`),
    ...(opened.includes(key) && !hasKey ? ['take the key'] : []),
    ...(hasKey ? ['unlock the door'] : []),
  ],
  step: (now, action) => {
    if (action === 'unlock the door') return { state: now, outcome: 'solved', reward: { unlocked: 1 } };
    if (action === 'take the key') return { state: { ...now, hasKey: true } };
    const drawer = now.drawers.findIndex((name) => action === `open the ${name} drawer`);
    return { state: { ...now, opened: [...now.opened, drawer].toSorted((a, b) => a - b) } };
  },
  /**
   * What the player knows. It becomes the anchor key: credit compares the decisions of a task that have equal keys. It has everything that
   * was shown and can change the best action, and nothing hidden.
   */
  information: ({ key, opened, hasKey }) => ({ opened, found: opened.includes(key), hasKey }),
  experts: {
    /** May look at everything. It proves that the task can be solved. */
    planner: ({ drawers, key }) => [`open the ${drawers[key]} drawer`, 'take the key', 'unlock the door'],
    /** Plays from turns alone. Training clones it first, and its score is the ceiling. */
    searcher: (rng) => {
      let colour = '';
      return {
        act: (turn) => {
          if ('instruction' in turn) colour = /in a (\w+) drawer/.exec(turn.instruction)?.[1] ?? '';
          const actions = turn.admissible ?? [];
          const promising = actions.filter((action) => action.startsWith(`open the ${colour} `));
          return actions.find((action) => !action.startsWith('open ')) ?? rng.pick(promising);
        },
      };
    },
  },
  audit: {
    /**
     * Moves the key to another closed drawer of the same colour. The player sees no difference before one of
     * the two is opened.
     */
    swapHidden: (now, rng) => {
      const { drawers, key, opened } = now;
      const colour = colourOf(drawers[key]);
      const others = drawers.flatMap((name, drawer) =>
        drawer !== key && colourOf(name) === colour && !opened.includes(drawer) ? [drawer] : [],
      );
      if (others.length === 0 || opened.includes(key)) return undefined;
      const other = rng.pick(others);
      const shows = [key, other].map((drawer) => `open the ${drawers[drawer]} drawer`);
      return { state: { ...now, key: other }, reveals: (action) => shows.includes(action) };
    },
  },
  unchecked: { secrets: 'the names of the drawers are no secrets' },
});

export const environments = [env];
