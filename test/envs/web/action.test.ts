import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bareAction,
  describeAction,
  isSameAction,
  readAction,
  type WebAction,
} from '../../../envs/web/action.ts';
import { runs } from '../../support/thorough.ts';

const element = fc.integer({ min: 1, max: 9999 }).map((number) => `e${number}`);
const words = fc.constantFrom('button "Send"', 'textbox "Name" in row "a [e9] b"', 'rect rgb(1, 2, 3)');
const at = fc.record({ x: fc.nat(2000), y: fc.nat(2000) });
const onElement = (kind: 'click' | 'clear' | 'hover') =>
  fc.record({ kind: fc.constant(kind), element, about: words });
const action: fc.Arbitrary<WebAction> = fc.oneof(
  onElement('click'),
  onElement('clear'),
  onElement('hover'),
  fc.record({ kind: fc.constant('click' as const), element, at, about: words }),
  fc.record({ kind: fc.constant('drag' as const), element, at, to: element, toAt: at, about: words }),
  fc.record({ kind: fc.constant('drag' as const), element, to: element, toAt: at }),
  fc.record({
    kind: fc.constant('type' as const),
    element,
    text: fc.string({ unit: 'binary' }),
    about: words,
  }),
  fc.record({
    kind: fc.constant('select' as const),
    element,
    option: fc.string({ unit: 'binary' }),
    about: words,
  }),
  fc.record({ kind: fc.constant('drag' as const), element, to: element, about: words }),
  fc.record({
    kind: fc.constant('scroll' as const),
    direction: fc.constantFrom('up' as const, 'down' as const, 'left' as const, 'right' as const),
    element,
  }),
  fc.record({
    kind: fc.constant('press' as const),
    key: fc.constantFrom('Enter', 'Control+a', 'Shift+Tab', 'x'),
  }),
  fc.record({ kind: fc.constant('tab' as const), tab: fc.integer({ min: 1, max: 99 }) }),
  fc.record({
    kind: fc.constant('goto' as const),
    url: fc.webPath({ size: 'small' }).map((path) => `/${path}`),
  }),
  fc.constantFrom(
    { kind: 'wait' as const },
    { kind: 'back' as const },
    { kind: 'close' as const },
    { kind: 'stop' as const },
  ),
);

describe('web actions as text', () => {
  it('read back from words and from JSON, whatever is said of elements', () => {
    fc.assert(
      fc.property(action, (written) => {
        for (const text of [describeAction(written), JSON.stringify(written)]) {
          expect(readAction(text)).toEqual({ kind: 'action', action: written });
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    ['click[e3]', { kind: 'click', element: 'e3' }],
    ['Click e3', { kind: 'click', element: 'e3' }],
    ['type[e4][Bo "B" Li]', { kind: 'type', element: 'e4', text: 'Bo "B" Li' }],
    ['type [e4] two words', { kind: 'type', element: 'e4', text: 'two words' }],
    [
      'type [e4] "a\\nb" textbox "Name"',
      { kind: 'type', element: 'e4', text: 'a\nb', about: 'textbox "Name"' },
    ],
    ['type [e4] "C:\\q"', { kind: 'type', element: 'e4', text: 'C:\\q' }],
    ['select [e5] "large"', { kind: 'select', element: 'e5', option: 'large' }],
    ['drag e1 to e2', { kind: 'drag', element: 'e1', to: 'e2' }],
    ['click [e4] at 10 20', { kind: 'click', element: 'e4', at: { x: 10, y: 20 } }],
    ['click e4 at (10, 20)', { kind: 'click', element: 'e4', at: { x: 10, y: 20 } }],
    ['click [e4] at the top', { kind: 'click', element: 'e4', about: 'at the top' }],
    [
      'drag [e1] at 0 5 to [e1] at 90 5',
      { kind: 'drag', element: 'e1', at: { x: 0, y: 5 }, to: 'e1', toAt: { x: 90, y: 5 } },
    ],
    ['scroll [down]', { kind: 'scroll', direction: 'down' }],
    ['press [Enter]', { kind: 'press', key: 'Enter' }],
    ['{"name":"click","arguments":{"element":"e3"}}', { kind: 'click', element: 'e3' }],
    ['  stop  ', { kind: 'stop' }],
  ])('give an action for %s', (text, read) =>
    expect(readAction(text)).toEqual({ kind: 'action', action: read }),
  );

  it.each([
    '',
    'click',
    'click the button',
    'press Hyper+x',
    '{"kind":"click"}',
    '{"kind":"click","element":"e3","x":1}',
    '{broken',
    'open e3',
    'click [e3] at -1 2',
    'click [e3] at 1.5 2',
    'hover [e3] at 1 2',
    `type e3 ${'x'.repeat(100_001)}`,
  ])('give a malformed reply for %.40s', (text) => {
    const read = readAction(text);
    expect(read).toMatchObject({ kind: 'malformed', text });
    expect(read.kind === 'malformed' && read.why).toContain('click [e3]');
  });

  it('isSameAction ignores what is said of elements', () => {
    expect(
      isSameAction({ kind: 'click', element: 'e1', about: 'button "a"' }, { kind: 'click', element: 'e1' }),
    ).toBe(true);
    expect(isSameAction({ kind: 'click', element: 'e1' }, { kind: 'click', element: 'e2' })).toBe(false);
    expect(isSameAction({ kind: 'stop' }, { kind: 'back' })).toBe(false);
  });

  it('bareAction drops the words about elements', () =>
    expect(bareAction({ kind: 'click', element: 'e1', about: 'button "a"' })).toEqual({
      kind: 'click',
      element: 'e1',
    }));
});
