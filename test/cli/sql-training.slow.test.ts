// Slow: trains until something is learnt.
import { expect, it } from 'vitest';
import { useFolder } from '../support/own-folder.ts';
import { trainShortly } from '../support/short-training.ts';

const inFolder = useFolder();

/** The recipe, cut to ten iterations after half of its cloning: some 12 seconds of one core. */
const changes = [
  'warmStart.epochs=14',
  'warmStart.evaluateEvery=14',
  'evaluation.every=10',
  'evaluation.tasks=69',
  'trajectories.every=10',
  'finalPanels=[]',
];

it('cairn-gym train sql raises success from below 0.48 to above 0.52 in ten iterations', async () => {
  const evaluations = await trainShortly(
    inFolder('run'),
    ['sql', '--seed', '12', '--iterations', '10'],
    changes,
  );
  const rates = evaluations.map(({ success }) => success.rate);
  expect(rates).toHaveLength(2);
  expect(rates[0]).toBeLessThan(0.48);
  expect(rates[1]).toBeGreaterThan(0.52);
});
