import type { MeanEstimate } from '../../trainers/results/estimate.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { layOut } from '../terminal/table.ts';
import { readSeeds } from '../training/sweep.ts';
import { judgeControl, runControl, type ArmVerdict } from './trainer-control.ts';

/** Runs the control of the trainer and describes it as a table with verdicts. */
export async function checkTrainer(seeds: string | undefined, session: CommandContext): Promise<Outcome> {
  const chosen = readSeeds(seeds ?? '0..4');
  const start = session.now();
  const runs = await runControl(chosen, session);
  const seconds = Math.round((session.now() - start) / 1000);
  const verdicts = judgeControl(runs);
  const isMet = verdicts.every((verdict) => verdict.isMet);
  return {
    document: { passes: isMet, seconds, seeds: chosen, verdicts, runs },
    lines: [
      `Control of the trainer: success on held-out random calculations in %, over ${chosen.length} ${chosen.length === 1 ? 'seed' : 'seeds'}, with 95 % intervals.`,
      'GiGPO trains a policy that knows nothing. A guess is right in 20 %.',
      '',
      ...layOut(
        [['rewards', 'before', 'after', 'change', 'entropy', 'expected', 'verdict'], ...verdicts.map(rowOf)],
        {
          indent: 2,
        },
      ),
      '',
      isMet
        ? `The trainer learns from true rewards alone. The control took ${seconds} s.`
        : 'The trainer fails the control: look at the rows with "no".',
    ],
    failed: !isMet,
  };
}

const rowOf = ({
  arm,
  before,
  after,
  change,
  entropyBefore,
  entropyAfter,
  expected,
  isMet,
}: ArmVerdict): readonly string[] => [
  arm,
  before.mean.toFixed(1),
  after.mean.toFixed(1),
  `${change.mean > 0 ? '+' : ''}${withInterval(change)}`,
  `${entropyBefore.toFixed(2)} to ${entropyAfter.toFixed(2)} nats`,
  expected,
  isMet ? 'yes' : 'no',
];

/** One seed alone has no interval. */
const withInterval = ({ mean, low, high }: MeanEstimate): string =>
  Number.isFinite(low) ? `${mean.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]` : mean.toFixed(1);
