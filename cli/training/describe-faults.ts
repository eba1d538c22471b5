import { percentOf } from '../../trainers/results/number-words.ts';
import { isExcessive, type RunFaults } from '../../trainers/loop/health/faults.ts';

/** What must be said of a run's faults, as paragraphs: where there were too many. Nothing where they are within what is tolerated. */
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
      ? 'fix the world and train again'
      : 'fix the world and go on with the run by --resume, which plays those again';
  return [
    `The world failed too often: ${counted.join(', and ')}. Above 1 % these numbers are not to be trusted: ${remedy}.`,
    '',
  ];
}
