import { FeatureReader, type ActionTarget, type Features } from '../../envs/core/features.ts';
import { createRng } from '../../envs/core/rng.ts';
import { EpisodeMemory } from '../../models/encode/choice-encoder.ts';
import { ChoiceRows } from '../../models/encode/choice-rows.ts';
import { DeclaredFeatures, DeclaredTables } from '../../models/encode/declared/declared-features.ts';
import { Reader } from '../../models/encode/text.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

// The time of encoding one decision on a board of 10 by 10 cells, with declared features and without.

const side = 10;
const turns = 50;
const rounds = 40;
const ways: Readonly<Record<string, readonly [number, number]>> = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
};

interface Case {
  readonly candidates: readonly string[];
  readonly features: (turn: number) => Features;
  readonly target: (action: string) => ActionTarget;
}

/** A board with walls, three kinds of things and a player who walks along the second row. */
function boardOf(turn: number): Features {
  const rng = createRng(turn);
  const rows = Array.from({ length: side }, () =>
    Array.from({ length: side }, () =>
      rng.pick(['.', '.', '.', '.', '.', '.', '#', '#', 'a', 'b', 'k']),
    ).join(''),
  );
  return {
    grid: { rows, focus: [1, turn % side], walls: ['#'], block: [5, 5] },
    fields: { keys: turn % 3, moves: turn },
  };
}

const cases: Readonly<Record<string, Case>> = {
  '4 directions': {
    candidates: Object.keys(ways),
    features: boardOf,
    target: (action) => ({ verb: 'go', direction: ways[action] ?? [0, 0] }),
  },
  '50 placements': {
    candidates: Array.from({ length: 50 }, (_, at) => `put ${at % 9} in ${at % side} ${at % 7}`),
    features: boardOf,
    target: (action) => {
      const [, value = '', row, column] = /^put (\d) in (\d) (\d)$/.exec(action) ?? [];
      return { verb: 'put', value, cell: [Number(row), Number(column)] };
    },
  },
};

/** Median microseconds of processor time of one decision, over rounds of an episode. */
function measure(
  { candidates, features, target }: Case,
  declares: boolean,
): { us: number; features: number } {
  const observed = Array.from({ length: turns }, (_, turn) => features(turn));
  const texts = observed.map(({ grid }) => (grid?.rows ?? []).join('\n'));
  const reader = new FeatureReader<number, string>({
    parse: (text) => ({ kind: 'action', action: text }),
    features: (turn) => observed[turn] ?? {},
    target,
  });
  const [words, tables, rows] = [new Reader(), new DeclaredTables(), new ChoiceRows(2 ** 14)];
  const times: number[] = [];
  let added = 0;
  for (let round = -10; round < rounds; round += 1) {
    const memory = new EpisodeMemory('Collect all keys.', words, { declared: new DeclaredFeatures(tables) });
    rows.clear();
    const from = process.cpuUsage();
    for (let turn = 0; turn < turns; turn += 1) {
      const read = declares ? reader.read(turn, candidates, 'bench') : undefined;
      memory.encode(texts[turn] ?? '', candidates, rows, read);
      memory.took(turn % candidates.length);
    }
    const { user, system } = process.cpuUsage(from);
    if (round >= 0) times.push((user + system) / turns);
    const { stateFeatures, candidateFeatures } = rows.pack();
    added = (stateFeatures.length + candidateFeatures.length) / turns;
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { us: Math.round(sorted[rounds >> 1] ?? 0), features: Math.round(added) };
}

const results = Object.entries(cases).map(([name, one]) => ({
  case: name,
  words: measure(one, false),
  declared: measure(one, true),
}));

printReport({ machine: describeMachine(), board: `${side} by ${side}`, results });
