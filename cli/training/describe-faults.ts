import { percentOf } from '../../trainers/evaluate/percent.ts';
import type { RunFaults } from '../../trainers/loop/faults.ts';

/** What must be said of a run's faults, as paragraphs; nothing where they are within what is tolerated. */
export function describeFaults({ training, dev, excessive }: RunFaults): readonly string[] {
  if (!excessive) return [];
  const counted = `${training.count} of ${training.episodes} training episodes faulted (${percentOf(training.share)}), and up to ${percentOf(dev.share)} of an evaluation on dev`;
  return [`The world failed too often: ${counted}. Above 1 % these numbers are not to be trusted: mend the world and train again.`, ''];
}
