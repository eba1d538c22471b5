import { UsageError } from '../../envs/core/errors.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';
import type { PanelInfo } from '../../envs/core/task.ts';

/**
 * The panels that are served: the named ones, or else all that are not held out.
 *
 * @throws UsageError for a name that no panel has, and where all panels are held out and none is named
 */
export function chosenPanels(
  site: string,
  panels: readonly PanelInfo[],
  named: readonly string[],
): readonly PanelInfo[] {
  if (named.length === 0) {
    const open = panels.filter(({ purpose }) => purpose !== 'held-out');
    if (open.length > 0) return open;
    throw new UsageError({
      where: `cairn-gym serve ${site}`,
      what: 'all its panels are held out.',
      fix: `Name one: --panel ${panels.map(({ name }) => name).join(' or --panel ')}.`,
    });
  }
  return [...new Set(named)].map((name) => {
    const panel = panels.find((candidate) => candidate.name === name);
    if (panel !== undefined) return panel;
    const names = panels.map((candidate) => candidate.name);
    throw new UsageError({
      where: `cairn-gym serve ${site}, --panel ${name}`,
      what: 'the panel does not exist.',
      fix: `${didYouMean(nearest(name, names))}There are ${names.join(', ')}.`,
    });
  });
}
