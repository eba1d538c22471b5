import { z } from 'zod';
import type { Audit, Snapshot } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import type { ShownPage } from './shown-page.ts';
import type { Shopping } from './shopping.ts';

const episodeSchema = z.strictObject({
  shop: z.json(),
  shown: z.strictObject({ observation: z.string(), admissible: z.array(z.string()) }),
});

/** A point of an episode: what the shop saves, and what was shown last, which the page must show again. */
interface ShownPoint {
  readonly saved: Snapshot;
  readonly shown: ShownPage;
}

export function saveShownPoint({ visit, shown }: Pick<Shopping, 'visit' | 'shown'>): Snapshot {
  const { world, episode, steps } = visit.save();
  return {
    world,
    episode: { shop: episode, shown: { observation: shown.observation, admissible: [...shown.admissible] } },
    steps,
  };
}

/**
 * Parses a snapshot.
 *
 * @throws UsageError for a snapshot that does not belong to this env
 */
export function readShownPoint({ world, episode, steps }: Snapshot): ShownPoint {
  const parsed = episodeSchema.safeParse(episode);
  if (parsed.success) return { saved: { world, episode: parsed.data.shop, steps }, shown: parsed.data.shown };
  throw new UsageError({
    where: 'shop-browser snapshot',
    what: `it is not a snapshot of a shop in a browser: ${describeIssues(parsed.error)}.`,
    fix: 'Restore only snapshots from snapshots.take() of the same env and configuration.',
  });
}

/** The shop's own swap of hidden facts, within what was shown. */
export const swapGoalOf =
  (swap: NonNullable<Audit<string>['swapHidden']>): NonNullable<Audit<string>['swapHidden']> =>
  (snapshot, rng) => {
    const { saved, shown } = readShownPoint(snapshot);
    const swapped = swap(saved, rng);
    if (swapped === undefined) return undefined;
    const { world, episode, steps } = swapped.snapshot;
    return {
      ...swapped,
      snapshot: {
        world,
        episode: { shop: episode, shown: { ...shown, admissible: [...shown.admissible] } },
        steps,
      },
    };
  };
