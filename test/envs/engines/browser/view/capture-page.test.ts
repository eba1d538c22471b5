import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithParts } from '../../../../support/system-part.ts';
import type { BrowserEngine } from '../../../../../envs/engines/browser/session/browser-engine.ts';
import { nodesOf, renderTree } from '../../../../../envs/engines/browser/view/page-tree.ts';
import { idOf, noAbort, onPage, openEngine } from '../browse.ts';
import { readFixture } from '../../../../support/read-fixture.ts';

await describeWithParts(['chromium'], 'the captured content of a page', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());
  const shown = (page: string): Promise<readonly string[]> =>
    onPage(engine, page, async (_episode, content) => renderTree(content));

  it('separates text at blanks of the source and at ends of lines, blocks and cells', async () => {
    const page = readFixture('pages/capture-page/is-text-with-blanks-where-the-source-has.html');
    expect(await shown(page)).toEqual([
      'hello world,',
      '[e1] link "link"',
      '.',
      'xK 9',
      '[e2] generic "hello"',
      '[e3] button "o ne"',
      'a',
      'b',
      'c',
      'd e',
      'f',
      'g',
    ]);
  });

  it.each([
    [
      'a listener on the body',
      readFixture('pages/capture-page/the-body.html'),
      ['[e1] generic "Choose Gamma."', '[e2] generic "Alpha"', '[e3] generic "Gamma"'],
    ],
    [
      'a listener on the document',
      `<p>Choose <span>Gamma</span></p><script>document.addEventListener('click', () => 0)</script>`,
      ['[e1] generic "Choose Gamma"'],
    ],
    [
      'a listener on the container',
      readFixture('pages/capture-page/what-holds-it.html'),
      [
        'Choose',
        '[e1] generic',
        '  [e2] generic "Alpha"',
        '  [e3] generic "B"',
        '  [e4] generic "C"',
        '  DE',
        '  [e5] generic rgb(255, 0, 0) 9x9',
      ],
    ],
    [
      'listeners for presses and drops',
      readFixture('pages/capture-page/nobody-but-of-presses-and-drops.html'),
      [
        '[e1] generic rgb(0, 0, 255) 22x22',
        '[e2] generic "zone"',
        '[e3] generic "held"',
        'still',
        '[e4] generic',
        '  [e5] generic "one"',
        '  [e6] generic "two"',
      ],
    ],
    [
      'a pointer cursor',
      `<p>See <span style="cursor:pointer">more</span> or <b>less</b></p>`,
      ['See', '[e1] generic "more"', 'or less'],
    ],
    ['no listener', `<div style="width:20px;height:20px;border:1px solid blue"></div><p>text</p>`, ['text']],
  ])('gives ids for clicks by %s', async (_whom, page, lines) => expect(await shown(page)).toEqual(lines));

  it('gives ids to elements that scroll or take the focus without a listener', async () => {
    const page = readFixture('pages/capture-page/has-an-id-where-it-scrolls-or-has.html');
    await onPage(engine, page, async (episode, content) => {
      expect(renderTree(content)).toEqual([
        '[e1] textbox "t" holds "a\\n\\n\\n\\nb" disabled multiline',
        '[e2] generic',
        '  one',
        '  two',
        'short',
        'by script',
        '[e3] generic "keys"',
      ]);
      const nodes = [...nodesOf(content)];
      expect([
        nodes.map(({ scrollable = false }) => scrollable),
        nodes.map(({ focusable = false }) => focusable),
      ]).toEqual([
        [true, true, false],
        [false, false, true],
      ]);
      for (const element of ['e1', 'e2'])
        expect(
          (await episode.act({ kind: 'scroll', direction: 'down', element }, noAbort)).refusal,
        ).toBeUndefined();
      expect(await episode.read('log', noAbort)).toEqual(['TEXTAREA', 'd']);
      await episode.act({ kind: 'click', element: 'e3' }, noAbort);
      const { view } = await episode.act({ kind: 'press', key: 'ArrowUp' }, noAbort);
      expect(renderTree(view.content).at(-1)).toBe('[e3] generic "keysArrowUp" focused');
    });
  });

  it('separates a label from its neighbour', async () =>
    expect(
      await shown(`<p><label>Company:</label><span>ABC</span></p><p>A<b>BC</b> <label>in</label>side</p>`),
    ).toEqual(['Company: ABC', 'ABC in side']));

  it('describes clickable elements without a name by their id and class', async () => {
    const page = readFixture('pages/capture-page/is-what-the-document-calls-that-which-can.html');
    expect(await shown(page)).toEqual([
      '[e1] generic',
      '  [e2] img 12x12 class "like"',
      '  [e3] img 12x12 id "trash" class "like red"',
      '  [e4] generic rgb(255, 255, 255) 12x12 class "star"',
      '[e5] generic rgb(255, 255, 255) 12x12 class "font"',
      '[e6] button rgb(239, 239, 239) 16x6 class "close"',
      '[e7] button "Go"',
      '[e8] button class "send"',
      '  [e9] img 0x0',
      '[e10] generic rgb(255, 0, 0) 12x12',
      'text',
      '[e11] img 0x0',
      'User',
      '[e12] textbox holds "" id "user"',
      '[e13] combobox of  class "size"',
      '[e14] img "Star"',
    ]);
  });

  it('marks elements within a click listener as clickable, except titles', async () => {
    await onPage(
      engine,
      readFixture('pages/capture-page/can-be-clicked-where-a-click-is-heard.html'),
      async (_episode, content) =>
        expect(
          [...nodesOf(content)]
            .filter(({ clickable }) => clickable === true)
            .map(({ role, name }) => `${role} ${name}`),
        ).toEqual(['list ', 'listitem one', 'listitem two', 'generic ', 'heading more']),
    );
  });

  it('gives ids to boxes and drawings, but not to parts of a clickable whole or to click-through elements', async () => {
    const page = readFixture('pages/capture-page/has-ids-for-boxes-of-any-look-and.html');
    expect(await shown(page)).toEqual([
      '[e1] generic rgb(0, 0, 255) 22x22',
      '[e2] generic rgb(0, 255, 0) 20x20',
      '[e3] button "Go"',
      'Name of all',
      '[e4] textbox "Name of all" holds ""',
      '[e5] img 40x30',
      '  [e6] circle rgb(255, 0, 0) 8x8 at 5 5',
      '[e7] canvas 30x20',
    ]);
  });

  it('shows the places of several shapes on a drawing that hears no click itself', async () => {
    const circle = (x: number): string => `<circle cx="${x}" cy="9" r="4" fill="red" onclick="0"/>`;
    expect(
      await shown(
        `<svg width="40" height="30"><g>${circle(9)}${circle(29)}</g></svg><svg width="20" height="30">${circle(9)}</svg>`,
      ),
    ).toEqual([
      '[e1] img 40x30',
      '  [e2] circle rgb(255, 0, 0) 8x8 at 5 5',
      '  [e3] circle rgb(255, 0, 0) 8x8 at 25 5',
      '[e4] circle rgb(255, 0, 0) 8x8',
    ]);
  });

  it('shows editable text as a text box', async () => {
    await onPage(
      engine,
      '<div contenteditable aria-label="letter">dear <b>Bo</b><p>hello</p></div><p contenteditable="false">fixed</p>',
      async (episode, content) => {
        expect(renderTree(content)).toEqual(['[e1] textbox "letter" holds "dear Bo\\nhello"', 'fixed']);
        const { view } = await episode.act({ kind: 'clear', element: 'e1' }, noAbort);
        expect(renderTree(view.content)[0]).toBe('[e1] textbox "letter" holds "" focused');
        expect(
          renderTree(
            (await episode.act({ kind: 'type', element: 'e1', text: 'hi' }, noAbort)).view.content,
          )[0],
        ).toBe('[e1] textbox "letter" holds "hi" focused');
      },
    );
  });

  it.each([
    ['transparent', '<div style="opacity:0"><span>x</span><button>x</button></div>'],
    ['collapsed', '<div style="height:0;overflow:hidden"><button>x</button>x</div>'],
    ['clipped by its container', readFixture('pages/capture-page/clipped-by-what-holds-it.html')],
    [
      'for screen readers only',
      '<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">x</span>',
    ],
    ['clipped away', '<div style="clip-path:inset(100%)">x</div>'],
    ['left of the page', '<div style="position:absolute;left:-9999px">x<button>x</button></div>'],
    ['above the window', '<div style="position:fixed;top:-100px">x</div>'],
    ['of zero size', '<p style="font-size:0">x</p><p style="transform:scale(0)">x</p>'],
  ])('leaves out what is %s', async (_how, page) =>
    expect((await shown(`${page}<p>seen</p>`)).filter((line) => !line.endsWith('seen'))).toEqual([]),
  );

  it('includes what needs scrolling and what styles write', async () => {
    const page = readFixture('pages/capture-page/is-what-has-to-be-scrolled-to-and.html');
    expect(await shown(page)).toEqual([
      'before real x after',
      '[e1] generic',
      '  one',
      '  two',
      'far',
      'out of its frame',
      'fixed',
      'moved',
    ]);
  });

  it('shows a hidden checkbox by its label', async () => {
    const page = readFixture('pages/capture-page/is-a-box-to-tick-that-its-label.html');
    await onPage(engine, page, async (episode, content) => {
      expect(renderTree(content)).toEqual(['[e1] checkbox "gift"', 'gift', '[e2] radio "fast"', 'fast']);
      for (const element of ['e1', 'e2'])
        expect((await episode.act({ kind: 'click', element }, noAbort)).refusal).toBeUndefined();
      expect(renderTree((await episode.look(noAbort)).content)).toContain('[e1] checkbox "gift" checked');
    });
  });

  it('marks disabled options, and leaves out the colour of buttons with text', async () => {
    const page = readFixture('pages/capture-page/tells-which-options-cannot-be-chosen-and-no.html');
    expect(await shown(page)).toEqual([
      '[e1] combobox "s" of "a" (chosen), "b" (disabled), "c" (disabled)',
      '[e2] button "Send"',
      '[e3] button "Reset"',
      '[e4] button "red" rgb(255, 0, 0) 20x20',
      '[e5] img "blue" rgb(0, 0, 255) 9x9',
    ]);
  });

  it('contains all of 5,000 clickable elements', async () => {
    const page = readFixture('pages/capture-page/is-all-of-it-where-thousands-of-elements.html');
    await onPage(engine, page, async (_episode, content) =>
      expect([...nodesOf(content)].filter(({ clickable }) => clickable === true)).toHaveLength(5000),
    );
  });

  it('takes clicks and drags at any place of an element', async () => {
    const page = readFixture('pages/capture-page/can-be-clicked-and-dragged-at-any-place.html');
    await onPage(engine, page, async (episode, content) => {
      const act = async (action: Parameters<typeof episode.act>[0]) =>
        (await episode.act(action, noAbort)).refusal;
      const canvas = idOf(content, 'canvas', '');
      const text = idOf(content, 'generic', 'mark all of this');
      expect(await act({ kind: 'click', element: canvas, at: { x: 10, y: 20 } })).toBeUndefined();
      expect(await act({ kind: 'click', element: canvas })).toBeUndefined();
      expect(await episode.read('log', noAbort)).toEqual([
        [10, 20],
        [75, 60],
      ]);
      expect(await act({ kind: 'click', element: canvas, at: { x: 151, y: 2 } })).toBe(
        `${canvas} is 150x120, and 151 2 lies outside`,
      );
      expect(
        await act({ kind: 'drag', element: text, at: { x: 0, y: 8 }, to: text, toAt: { x: 700, y: 8 } }),
      ).toBeUndefined();
      expect(await episode.read('getSelection().toString()', noAbort)).toBe('mark all of this');
      expect(await act({ kind: 'drag', element: text, to: canvas, toAt: { x: 5, y: 500 } })).toBe(
        `${canvas} is 150x120, and 5 500 lies outside`,
      );
    });
  });

  it('shows the page after each scroll', async () => {
    const page = readFixture('pages/capture-page/is-what-a-page-shows-when-it-has.html');
    await onPage(engine, page, async (episode) => {
      const seen: unknown[] = [];
      for (let round = 0; round < 30; round += 1)
        seen.push(
          ...renderTree((await episode.act({ kind: 'scroll', direction: 'down' }, noAbort)).view.content),
        );
      expect(seen).toEqual(Array.from({ length: 30 }, (_, round) => String(480 * (round + 1))));
    });
  });
});
