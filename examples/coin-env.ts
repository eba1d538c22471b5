import { createRng, defineTextEnv } from 'cairn-gym/envs';

const rooms = ['attic', 'barn', 'cellar', 'garage', 'kitchen', 'larder', 'porch', 'study', 'tower', 'vault'];

/** The state: the rooms of this house, those that were searched, and where the coin lies, which is hidden. */
function houseOf(panel: string, index: number) {
  const rng = createRng(0).fork(panel).fork(index);
  const names = rng.shuffle(rooms).slice(0, 5);
  const searched: string[] = [];
  return { rooms: names, coin: rng.pick(names), searched };
}

const coin = defineTextEnv({
  id: 'my-lab/coin-v1',
  summary: 'Find the coin in one of five rooms',
  turnLimit: 5,
  panels: { train: 200, dev: 50, unseen: 50 },
  task: ({ panel, index }) => ({ instruction: 'Find the coin.', start: houseOf(panel, index) }),
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
    searcher: (rng) => ({ act: (turn) => rng.pick(turn.admissible ?? []) }),
  },
  audit: {
    swapHidden: (state, rng) => {
      const others = state.rooms.filter((room) => room !== state.coin && !state.searched.includes(room));
      if (others.length === 0) return undefined;
      const other = rng.pick(others);
      const shows = [`search ${state.coin}`, `search ${other}`];
      return { state: { ...state, coin: other }, reveals: (action) => shows.includes(action) };
    },
  },
  unchecked: { secrets: 'the names of rooms are no secrets' },
});

export const environments = [coin];
