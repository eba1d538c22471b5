import { quoted, quotedAt } from './instruction.ts';
import { click, find, need, press, within, type Solution } from './look.ts';
import type { PageAction } from '../../engines/browser/actions/page-action.ts';

const dragTo = (element: string, to: string): PageAction => ({ kind: 'drag', element, to });

export const dragPiece: Solution = (seen) => {
  const [piece = '', box = ''] = quoted(seen.instruction);
  return dragTo(need(seen, 'button', piece).id, need(seen, 'region', box).id);
};

export const sortPieces: Solution = (seen) => {
  const wanted = quoted(seen.instruction).filter((name) => name !== 'Suitcase');
  const [room, suitcase] = [need(seen, 'region', 'Room'), need(seen, 'region', 'Suitcase')];
  const left = within(room, 'button').find(({ name }) => wanted.includes(name));
  return left === undefined ? press(seen, 'Done') : dragTo(left.id, suitcase.id);
};

export const scrollLoad: Solution = (seen) => {
  const wanted = find(seen, 'link', quotedAt(seen.instruction, 0));
  return wanted === undefined
    ? { kind: 'scroll', direction: 'down', element: need(seen, 'region', 'Members').id }
    : click(wanted);
};

/** The number that an element shows. */
const numberOf = (node: { readonly name: string; readonly children: readonly unknown[] }): number =>
  Number(node.children.find((child) => typeof child === 'string') ?? node.name);

/** Focuses the slider by a click that leaves its value unchanged, and then uses the arrow keys. */
export const setSlider: Solution = (seen) => {
  const name = quotedAt(seen.instruction, 0);
  const wanted = Number(/(?:to|at) (\d+)/.exec(seen.instruction)?.[1]);
  const slider = need(seen, 'slider', name);
  const away = wanted - numberOf(need(seen, 'status', `${name} now`));
  if (away === 0) return press(seen, 'Submit');
  return slider.states.includes('focused')
    ? { kind: 'press', key: away > 0 ? 'ArrowRight' : 'ArrowLeft' }
    : click(slider);
};

export const setQuantities: Solution = (seen) => {
  for (const [, count, name] of seen.instruction.matchAll(/(\d+) of "([^"]*)"/g)) {
    const away = Number(count) - numberOf(need(seen, 'status', `Count of ${name}`));
    if (away !== 0) return press(seen, `One ${away > 0 ? 'more' : 'less'} ${name}`);
  }
  return press(seen, 'Order');
};
