import { createRng } from '../core/rng.ts';
import type { Assembly } from './assembly.ts';
import { change, type Site } from './language/mutate.ts';
import type { OwnProblem } from './problems/own-problem.ts';
import type { ProgramLanguage } from './problems/problem.ts';
import { spelled } from './spelled.ts';

/**
 * Makes places out of a solution: some random sites of those with alternatives. The initial piece of each is
 * random too. The order of the pieces does not depend on the right one, so only the statement and the tests
 * reveal it.
 */
export function assemble(own: OwnProblem, language: ProgramLanguage, places: number): Assembly {
  const rng = createRng(1).fork('code-v1 pieces').fork(own.problem.name);
  const killable = new Map<Site, number>();
  for (const { site } of own.killable) killable.set(site, (killable.get(site) ?? 0) + 1);
  // A site is useless where another piece is right too, or where dropping a line is one of the pieces.
  const fit = own.sites.filter(
    (site) => site.slip !== 'missing case' && killable.get(site) === site.pieces.length - 1,
  );
  const sites = rng
    .fork('places')
    .shuffle(fit)
    .slice(0, places)
    .toSorted((a, b) => a.id - b.id);
  const stated = new Set(own.problem.statement.split('\n')[0]?.match(/\d+/g) ?? []);
  const written = new Map<string, string>();
  return {
    pieces: sites.map(({ pieces }) => pieces.length),
    start: sites.map(({ pieces }, at) => rng.fork('start').fork(at).int(pieces.length)),
    right: sites.map(({ now }) => now),
    says: (place, piece) => {
      const { says } = (sites[place] as Site).pieces[piece] as Site['pieces'][number];
      return stated.has(says)
        ? `${spelled(says)} as stated`
        : /^-?\d/.test(says)
          ? `${spelled(says)} not stated`
          : says;
    },
    remark: language === 'python' ? '#' : '//',
    write: (choice) => {
      const key = choice.join();
      const known = written.get(key);
      if (known !== undefined) return known;
      const text = own.write(
        change(
          own.solution,
          sites.map((site, at) => ({ site, piece: choice[at] as number })),
        ),
        language,
      );
      written.set(key, text);
      return text;
    },
  };
}
