import { percentOf } from '../../trainers/results/number-words.ts';
import { isExcessive, type RunFaults } from '../../trainers/loop/health/faults.ts';

/** A paragraph about a run's faults if there were too many; otherwise nothing. */
export function describeFaults({ training, dev, final, excessive }: RunFaults): readonly string[] {
  if (!excessive) return [];
  const counted = [
    ...(isExcessive(training.share)
      ? [`${training.count} of ${training.episodes} training episodes faulted (${percentOf(training.share)})`]
      : []),
    ...(isExcessive(dev.share) ? [`up to ${percentOf(dev.share)} of an evaluation on dev`] : []),
    ...final.map(
      ({ agent, panel, share }) => `${percentOf(share)} of the final evaluation of ${agent} on ${panel}`,
    ),
  ];
  const remedy =
    isExcessive(training.share) || isExcessive(dev.share)
      ? 'fix the environment and train again'
      : 'fix the environment and continue the run with --resume, which replays those';
  return [
    `The environment failed too often: ${counted.join(', and ')}. Above 1 % these numbers are unreliable: ${remedy}.`,
    '',
  ];
}
