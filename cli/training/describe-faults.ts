import type { RunFaults } from '../../trainers/loop/faults.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** What must be said of a run's faults, as paragraphs; nothing where they are within what is tolerated. */
export function describeFaults({ training, dev, excessive }: RunFaults): readonly string[] {
  if (!excessive) return [];
  const counted = `${training.count} of ${training.episodes} training episodes faulted (${percent(training.share)}), and up to ${percent(dev.share)} of an evaluation on dev`;
  return [`The world failed too often: ${counted}. Above 1 % these numbers are not to be trusted: mend the world and train again.`, ''];
}
