import { createRng } from '../../envs/core/rng.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';
import { openEnv } from '../../envs/open.ts';
import type { Puzzle } from '../../envs/puzzle/define-puzzle.ts';
import { puzzles } from '../../envs/puzzle/puzzles.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { benchContext, benchLuck } from '../stepping/step-speed.ts';

// Questions drawn, answers judged and moves performed in a second of the processor, on one core, for each puzzle. All levels take turns.
// `npm run perf -- puzzles`

/** Each figure is the best of some rounds of this many milliseconds: other work on the machine only slows a round down. */
const [rounds, roundMs] = [5, 60];
/** Calls between two looks at the clock. */
const batch = 10;
const half = 0.5;

/** Milliseconds of the processor that this process has used. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Calls a second, the best of the rounds after one that warms up. */
function rate(call: (index: number) => void): number {
  let [best, index] = [0, 0];
  for (let round = 0; round <= rounds; round += 1) {
    const start = processorMs();
    let calls = 0;
    while (processorMs() - start < roundMs) {
      for (let of = 0; of < batch; of += 1) call(index + of);
      index += batch;
      calls += batch;
    }
    if (round > 0) best = Math.max(best, (calls / (processorMs() - start)) * 1_000);
  }
  return Math.round(best);
}

const levelOf = ({ levels }: Puzzle, index: number): number => (index % levels) + 1;

/** Right and wrong answers in turn. The wrong ones are the solutions of other questions. */
function judgeRate(puzzle: Puzzle): number {
  const items = Array.from({ length: 64 }, (_, index) => puzzle.item(index, levelOf(puzzle, index)));
  const judges = items.map(({ question }) => puzzle.judgeOf(question));
  return rate((index) => {
    const at = index % items.length;
    const answer = items[(at + (index & 64 ? puzzle.levels : 0)) % items.length];
    judges[at]?.(answer?.solution ?? '');
  });
}

/** Steps a second by random play through `openEnv`, without the resets. */
async function stepRate(definition: AnyEnvDefinition): Promise<number> {
  const host = await openEnv(definition, {}, benchContext);
  const env = await host.create();
  const rng = createRng(1);
  let best = 0;
  for (let round = 0; round <= rounds; round += 1) {
    let [spent, steps] = [0, 0];
    for (let episode = 0; spent < roundMs; episode += 1) {
      let turn: Opening<unknown, unknown> | Ongoing<unknown, unknown> = await env.reset(
        { panel: 'train', index: episode % 100 },
        benchContext,
      );
      const start = processorMs();
      for (;;) {
        const { admissible = [] } = turn;
        const result = await env.step(admissible[Math.floor(rng.uniform() * admissible.length)], benchLuck);
        steps += 1;
        if (result.kind !== 'ongoing') break;
        turn = result;
      }
      spent += processorMs() - start;
    }
    if (round > 0) best = Math.max(best, (steps / spent) * 1_000);
  }
  await env.close();
  await host.close();
  return Math.round(best);
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * half)] ?? 0;
};

const only = process.env['CAIRN_PUZZLES']?.split(',');
const measured: Record<string, { items: number; judged: number; steps?: number }> = {};
for (const puzzle of puzzles.filter(({ name }) => only?.includes(name) !== false)) {
  const [, moves] = puzzle.envs;
  measured[puzzle.name] = {
    items: rate((index) => void puzzle.item(index, levelOf(puzzle, index))),
    judged: judgeRate(puzzle),
    ...(moves === undefined ? {} : { steps: await stepRate(moves) }),
  };
}
const all = Object.values(measured);
printReport({
  what: 'puzzles: questions drawn, answers judged and moves performed a second on one core',
  ...describeMachine(),
  medians: {
    items: median(all.map(({ items }) => items)),
    judged: median(all.map(({ judged }) => judged)),
    steps: median(all.flatMap(({ steps }) => steps ?? [])),
  },
  puzzles: measured,
});
