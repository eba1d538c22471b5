import { createRng, defineTextEnv } from 'cairn-gym/envs';

const rooms = ['attic', 'barn', 'cellar', 'garage', 'kitchen', 'larder', 'porch', 'study', 'tower', 'vault'];

/** The state: the rooms of this house, those that were searched, three that may have the coin, and where it lies, which is hidden. */
function houseOf(panel: string, index: number) {
  const rng = createRng(0).fork(panel).fork(index);
  const names = rng.shuffle(rooms).slice(0, 6);
  const likely = rng.shuffle(names).slice(0, 3);
  const searched: string[] = [];
  return { rooms: names, likely, coin: rng.pick(likely), searched };
}

const coin = defineTextEnv({
  id: 'my-lab/coin-v1',
  summary: 'Find the coin in one of six rooms',
  turnLimit: 3,
  panels: { train: 2000, dev: 100, unseen: 100 },
  task: ({ panel, index }) => {
    const start = houseOf(panel, index);
    return { instruction: `Find the coin. It is in one of these rooms: ${start.likely.join(', ')}.`, start };
  },
  observe: ({ searched }) =>
    searched.length === 0 ? 'You are in the hall.' : `Empty: ${searched.join(', ')}.`,
  actions: (state) =>
    state.rooms.filter((room) => !state.searched.includes(room)).map((it) => `search ${it}`),
  step: (state, action) => {
    const room = action.slice('search '.length);
    if (room === state.coin) return { state, outcome: 'solved', reward: { coin: 1 } };
    return { state: { ...state, searched: [...state.searched, room].toSorted() } };
  },
  information: (state) => ({ rooms: state.rooms, searched: state.searched }),
  experts: {
    planner: (start) => [`search ${start.coin}`],
    searcher: (rng) => {
      let likely = '';
      return {
        act: (turn) => {
          if ('instruction' in turn) likely = turn.instruction; // only the first turn has it
          const actions = turn.admissible ?? [];
          return rng.pick(actions.filter((action) => likely.includes(action.slice('search '.length))));
        },
      };
    },
  },
  audit: {
    swapHidden: (state, rng) => {
      const others = state.likely.filter((room) => room !== state.coin && !state.searched.includes(room));
      if (others.length === 0) return undefined;
      const other = rng.pick(others);
      const shows = [`search ${state.coin}`, `search ${other}`];
      return { state: { ...state, coin: other }, reveals: (action) => shows.includes(action) };
    },
  },
  unchecked: { secrets: 'the names of rooms are no secrets' },
});

export const environments = [coin];
