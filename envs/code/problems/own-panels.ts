import { createRng } from '../../core/rng.ts';
import { OwnProblem } from './own-problem.ts';
import type { Template } from './template.ts';
import { templates } from './templates/templates.ts';

/** Which panel a problem belongs to. */
export type OwnPanel = 'train' | 'dev' | 'unseen';

interface Place {
  readonly template: Template;
  readonly variant: number;
  readonly reads: boolean;
}

/** One in this many variants of a template is for `dev`. */
const devShare = 8;

/** Every third variant reads lines; the others are functions. */
const placesOf = (template: Template): readonly Place[] =>
  template.variants.map((_, variant) => ({ template, variant, reads: variant % 3 === 2 }));

/**
 * The place of each problem, in an order that mixes templates. Whole templates are held out, so that their
 * statements and solutions are new too.
 */
const places: Readonly<Record<OwnPanel, readonly Place[]>> = (() => {
  const rng = createRng(0).fork('code-v1 panels');
  const known = templates
    .filter(({ heldOut }) => heldOut !== true)
    .flatMap((template, number) =>
      placesOf(template).map((place, at) => ({ place, forDev: (at + number) % devShare === 3 })),
    );
  return {
    train: rng.fork('train').shuffle(known.filter(({ forDev }) => !forDev).map(({ place }) => place)),
    dev: rng.fork('dev').shuffle(known.filter(({ forDev }) => forDev).map(({ place }) => place)),
    unseen: rng.fork('unseen').shuffle(templates.filter(({ heldOut }) => heldOut === true).flatMap(placesOf)),
  };
})();

/** The number of problems of each panel. */
export const ownPanelSizes: Readonly<Record<OwnPanel, number>> = {
  train: places.train.length,
  dev: places.dev.length,
  unseen: places.unseen.length,
};

const made = new Map<string, OwnProblem>();

/** The problem of that place, created on demand and then kept (some 20 kB each). */
export function ownProblem(panel: OwnPanel, index: number): OwnProblem {
  const key = `${panel}/${index}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const { template, variant, reads } = places[panel][index] as Place;
  const problem = new OwnProblem(template, variant, reads);
  made.set(key, problem);
  return problem;
}
