import { describe, expect, it } from 'vitest';
import type { PageNode } from '../../../envs/engines/browser/view/page-tree.ts';
import { describeAction } from '../../../envs/web/action.ts';
import { candidateKinds, candidatesOn, type CandidateKind } from '../../../envs/web/candidates.ts';
import { valuesIn } from '../../../envs/web/instruction-values.ts';

let made = 0;
const node = (role: string, name: string, rest: Partial<PageNode> = {}): PageNode => ({
  id: `e${(made += 1)}`,
  role,
  name,
  states: [],
  box: [0, 0, 9, 9],
  children: [],
  ...rest,
});

/** The candidates on those nodes, as text without ids. */
function offered(
  content: PageNode['children'],
  instruction: string,
  kinds: readonly CandidateKind[] = ['click', 'type', 'clear', 'select', 'press'],
): readonly string[] {
  return candidatesOn({ content }, valuesIn(instruction), new Set(kinds)).map((action) =>
    describeAction(action).replaceAll(/ \[e\d+\]/g, ''),
  );
}

describe('candidatesOn', () => {
  it('offers clicks on what can be clicked, and on nothing disabled or mere text', () => {
    const content = [
      node('heading', 'Title'),
      node('button', 'Send'),
      node('button', 'Off', { states: ['disabled'] }),
      node('listitem', 'own script', { clickable: true }),
      node('rect', '', { colour: 'rgb(1, 2, 3)', clickable: true }),
    ];
    expect(offered(content, 'x')).toEqual([
      'click button "Send"',
      'click listitem "own script"',
      'click rect rgb(1, 2, 3) 9x9',
    ]);
  });

  it('offers values of the instruction for empty fields, and clearing for the others', () => {
    const content = [
      node('textbox', 'Name', { value: '', states: ['focused'] }),
      node('textbox', 'City', { value: 'Rome' }),
      node('textbox', 'Fixed', { states: ['readonly'] }),
      node('date', 'Day', { value: '' }),
    ];
    expect(offered(content, 'Put "Bo" and 12 into "Name" on March 5, 2024')).toEqual([
      'type "Bo" textbox "Name"',
      'type "12" textbox "Name"',
      'type "5" textbox "Name"',
      'type "2024" textbox "Name"',
      'press Enter',
      'clear textbox "City"',
      'type "2024-03-05" date "Day"',
    ]);
  });

  it('offers no name of a button, choice or field as a value, but other visible texts', () => {
    const content = [
      node('textbox', 'Name', { value: '' }),
      node('button', 'Send'),
      node('generic', 'Bo', { clickable: true }),
      node('listitem', 'Ann'),
      node('combobox', 'Size', { options: [] }),
    ];
    const typed = (instruction: string): readonly string[] => offered(content, instruction, ['type']);
    expect(typed('Put "Bo" or "Ann" into "Name", choose a "Size" and press "Send"')).toEqual([
      'type "Bo" textbox "Name"',
      'type "Ann" textbox "Name"',
    ]);
    expect(typed('Write "Send"')).toEqual(['type "Send" textbox "Name"']);
  });

  it('offers arrows for an element with the focus, and a click to focus it', () => {
    const board = (states: readonly string[]): readonly string[] =>
      offered(
        [
          node('generic', 'board', { focusable: true, states }),
          node('button', 'b', { focusable: true, states }),
          node('region', 'r', { focusable: true, scrollable: true, states }),
        ],
        'x',
      );
    expect(board([])).toEqual(['click generic "board"', 'click button "b"']);
    expect(board(['focused'])).toEqual([
      'click generic "board"',
      'press ArrowLeft',
      'press ArrowRight',
      'press ArrowUp',
      'press ArrowDown',
      'click button "b"',
    ]);
  });

  it('offers scrolling of overflowing elements on request, disabled or not', () => {
    const content = [
      node('textbox', 'Terms', { scrollable: true, states: ['disabled'], value: 'a' }),
      node('list', '', { scrollable: true }),
    ];
    expect(offered(content, 'x', ['click', 'scroll'])).toEqual([
      'scroll down',
      'scroll up',
      'scroll down textbox "Terms"',
      'scroll up textbox "Terms"',
      'scroll down list',
      'scroll up list',
    ]);
    expect(offered(content, 'x', ['click'])).toEqual(['press Tab']);
  });

  it('offers options that are not chosen', () => {
    const options = [
      { label: 'a', selected: true },
      { label: 'b', selected: false },
      { label: 'c', selected: false, disabled: true as const },
    ];
    expect(
      offered(
        [
          node('combobox', 'one', { options }),
          node('listbox', 'many', { options, states: ['multiselectable'] }),
        ],
        'x',
      ),
    ).toEqual(['select "b" combobox "one"', 'select "a" listbox "many"', 'select "b" listbox "many"']);
  });

  it('distinguishes similar elements by their container', () => {
    const row = (who: string): PageNode =>
      node('row', '', { children: [node('cell', who), node('button', 'Delete')] });
    expect(offered([row('Ann'), row('Bo')], 'x')).toEqual([
      'click button "Delete" in row "Ann"',
      'click button "Delete" in row "Bo"',
    ]);
  });

  it('distinguishes elements without a container by the text before them, then by their number', () => {
    const remove = (): PageNode => node('button', 'Delete');
    const described = candidatesOn(
      { content: ['Ann', remove(), 'Bo', remove(), remove()] },
      valuesIn('x'),
      new Set<CandidateKind>(['click']),
    ).map((action) => describeAction(action).replace(/ \[e\d+\]/, ''));
    expect(described).toEqual([
      'click button "Delete" after "Ann"',
      'click button "Delete" after "Bo", number 1',
      'click button "Delete" after "Bo", number 2',
    ]);
  });

  it('distinguishes elements by the nearest text before them that is unique, when the very nearest repeats', () => {
    const post = (who: string): PageNode['children'] => [
      who,
      '2 hours ago',
      'Lovely day',
      node('img', '', { mark: 'class "like"', clickable: true }),
      node('img', '', { mark: 'class "share"', clickable: true }),
    ];
    expect(offered([...post('Ann'), ...post('Bo'), ...post('Bo')], 'x')).toEqual([
      'click img 9x9 class "like" after "Ann"',
      'click img 9x9 class "share" after "Ann"',
      'click img 9x9 class "like" after "Lovely day", number 1',
      'click img 9x9 class "share" after "Lovely day", number 1',
      'click img 9x9 class "like" after "Lovely day", number 2',
      'click img 9x9 class "share" after "Lovely day", number 2',
    ]);
  });

  it('leaves out a container that adds nothing', () =>
    expect(offered([node('row', '', { children: [node('button', '1')] })], 'x')).toEqual([
      'click button "1"',
    ]));

  it('describes each of 5,000 similar elements differently', () => {
    const many = node('generic', '', {
      children: Array.from({ length: 5000 }, () => node('generic', 'x', { clickable: true })),
    });
    const all = offered([many], 'x');
    expect(new Set(all).size).toBe(5000);
  });

  it('describes rows always, and the states that a click changes', () => {
    const content = [
      node('row', '', { children: [node('cell', 'Ann'), node('link', 'Budget')] }),
      node('checkbox', 'gift', { states: ['checked', 'focused'] }),
      node('tab', 'One', { states: ['selected'] }),
    ];
    expect(offered(content, 'x').filter((action) => !action.startsWith('press'))).toEqual([
      'click link "Budget" in row "Ann"',
      'click checkbox "gift" checked',
      'click tab "One" selected',
    ]);
  });

  it('offers values for the field with the focus only, when there are too many pairs', () => {
    const fields = Array.from({ length: 30 }, (_, place) =>
      node('textbox', `f${place}`, { value: '', states: place === 7 ? ['focused'] : [] }),
    );
    const instruction = Array.from({ length: 30 }, (_, place) => `"v${place}"`).join(' ');
    const all = offered(fields, instruction);
    expect(all.filter((action) => action.startsWith('type'))).toHaveLength(30);
    expect(all.filter((action) => action.startsWith('click'))).toHaveLength(29);
    expect(
      offered(fields.slice(0, 10), instruction).filter((action) => action.startsWith('type')),
    ).toHaveLength(300);
  });

  it('offers hovers, drags, scrolls, waiting and the way back on request, and is never empty', () => {
    const content = [node('generic', 'piece'), node('generic', 'box')];
    const all = offered(content, 'x', candidateKinds);
    expect(all).toEqual([
      'hover generic "piece"',
      'hover generic "box"',
      'drag generic "piece" to generic "box"',
      'drag generic "box" to generic "piece"',
      'scroll down',
      'scroll up',
      'wait',
      'back',
    ]);
    expect(offered([], 'x')).toEqual(['press Tab']);
  });
});
