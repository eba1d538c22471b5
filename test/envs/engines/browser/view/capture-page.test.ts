import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithParts } from '../../../../support/system-part.ts';
import type { BrowserEngine } from '../../../../../envs/engines/browser/session/browser-engine.ts';
import { nodesOf, renderTree } from '../../../../../envs/engines/browser/view/page-tree.ts';
import { idOf, noAbort, onPage, openEngine } from '../browse.ts';

await describeWithParts(['chromium'], 'what is seen of a page', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());
  const shown = (page: string): Promise<readonly string[]> =>
    onPage(engine, page, async (_episode, content) => renderTree(content));

  it('is text with blanks where the source has them, and at the ends of lines, blocks and cells', async () => {
    const page = `<p>hel<b>lo</b> wor<i>ld</i>, <a href="#">li<b>nk</b></a>.</p><p><span style="display:inline-block">x</span><span style="display:inline-block">K</span> <span>9</span></p>
      <div onclick="0">he<b>ll</b>o</div><button>o<br>ne</button><div>a<div>b</div>c</div><span>d</span>
      <span>e</span><div style="display:flex"><span>f</span><span>g</span></div>`;
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
      'the body',
      `<body><p id="q">Choose <b>Gamma</b>.</p><div id="all"></div><script>document.body.addEventListener('click', (e) => (q.textContent = e.target.textContent)); all.innerHTML = '<div>Alpha</div><div>Gamma</div>'</script>`,
      ['[e1] generic "Choose Gamma."', '[e2] generic "Alpha"', '[e3] generic "Gamma"'],
    ],
    [
      'the document',
      `<p>Choose <span>Gamma</span></p><script>document.addEventListener('click', () => 0)</script>`,
      ['[e1] generic "Choose Gamma"'],
    ],
    [
      'what holds it',
      `<p>Choose</p><div onclick="0"><div><b>Alpha</b></div><span>B</span> <span>C</span> <span>D</span><span>E</span><i style="display:inline-block;width:9px;height:9px;background:red"></i></div>`,
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
      'nobody, but of presses and drops',
      `<style>div { width: 20px; height: 20px; border: 1px solid blue }</style><div ondragover="0"></div><div ondrop="0">zone</div><div onpointerdown="0">held</div><div onpointermove="0">still</div><section></section><script>const list = document.querySelector('section'); list.addEventListener('pointerdown', () => 0); list.innerHTML = '<p>one</p><p>two</p>'</script>`,
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
      'the cursor',
      `<p>See <span style="cursor:pointer">more</span> or <b>less</b></p>`,
      ['See', '[e1] generic "more"', 'or less'],
    ],
    ['nobody', `<div style="width:20px;height:20px;border:1px solid blue"></div><p>text</p>`, ['text']],
  ])('has an id where a click is heard by %s', async (_whom, page, lines) =>
    expect(await shown(page)).toEqual(lines),
  );

  it('has an id where it scrolls or has the focus by the document itself', async () => {
    const page = `<textarea aria-label="t" style="height:20px" disabled>a\n\n\n\nb</textarea><div id="d" style="height:20px;overflow-y:auto"><p>one<p>two</div><div style="height:20px;overflow:hidden"><p style="margin-top:50px">cut</p></div>
      <div style="height:99px;overflow:auto">short</div><div tabindex="-1">by script</div><div tabindex="0" onkeydown="this.textContent += event.key">keys</div><script>const log = []; addEventListener('scroll', ({ target }) => log.push(target.id || target.tagName), true)</script>`;
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

  it('is set apart from its label, as a thing of its own', async () =>
    expect(
      await shown(`<p><label>Company:</label><span>ABC</span></p><p>A<b>BC</b> <label>in</label>side</p>`),
    ).toEqual(['Company: ABC', 'ABC in side']));

  it('is what the document calls that which can be clicked and has nothing else to be known by', async () => {
    const page = `<style>span, i { display: inline-block; width: 12px; height: 12px } .like { content: url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='12' height='12'/>") } .star { background: white url("data:,") } .font::before { content: "\\e001" }</style>
      <p onclick="0"><span class="like"></span><span id="trash" class=" like  red "></span><span class="star"></span></p><i class="font" style="background:white" onclick="0"></i><button class="close"></button><button class="go">Go</button>
      <button class="send"><img></button><i class="patch" style="background:red" onclick="0"></i><p class="mere">text <img class="still"></p><label>User</label> <input id="user"><select class="size"></select><i class="named" role="img" aria-label="Star" onclick="0"></i>`;
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

  it('can be clicked where a click is heard around it, but for titles', async () => {
    await onPage(
      engine,
      '<ul onclick="0"><li>one</li><li><span>two</span></li></ul><section onclick="0"><h2>title</h2><h2 style="cursor:pointer">more</h2></section><li>three</li>',
      async (_episode, content) =>
        expect(
          [...nodesOf(content)]
            .filter(({ clickable }) => clickable === true)
            .map(({ role, name }) => `${role} ${name}`),
        ).toEqual(['list ', 'listitem one', 'listitem two', 'generic ', 'heading more']),
    );
  });

  it('has ids for boxes of any look, and for what is drawn, but not for parts of what is clicked as a whole, nor for what clicks go through', async () => {
    const page = `<body onclick="0"><style>div { width: 20px; height: 20px }</style><div style="border:1px solid blue"></div><div style="background:rgb(0,255,0)"></div><div></div><button><span>Go</span></button><label>Name <span>of all</span><input></label>
      <div style="background:red;pointer-events:none"></div><svg width="40" height="30" onclick="0"><circle cx="9" cy="9" r="4" fill="red"/></svg><svg width="9" height="9"></svg><canvas width="30" height="20"></canvas>`;
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

  it('tells where shapes stand on a drawing that hears no click itself, where there are several', async () => {
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

  it('is a field where a text is edited', async () => {
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
    ['seen through', '<div style="opacity:0"><span>x</span><button>x</button></div>'],
    ['folded', '<div style="height:0;overflow:hidden"><button>x</button>x</div>'],
    [
      'clipped by what holds it',
      '<div style="height:20px;width:50px;overflow:hidden;position:relative">seen<p style="position:absolute;top:30px">x</p></div>',
    ],
    [
      'for readers of screens',
      '<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">x</span>',
    ],
    ['clipped away', '<div style="clip-path:inset(100%)">x</div>'],
    ['left of the page', '<div style="position:absolute;left:-9999px">x<button>x</button></div>'],
    ['above the window', '<div style="position:fixed;top:-100px">x</div>'],
    ['of no size', '<p style="font-size:0">x</p><p style="transform:scale(0)">x</p>'],
  ])('is nothing that is %s', async (_how, page) =>
    expect((await shown(`${page}<p>seen</p>`)).filter((line) => !line.endsWith('seen'))).toEqual([]),
  );

  it('is what has to be scrolled to, and what styles write', async () => {
    const page = `<style>.q::before { content: "before " } .q::after { content: "\\e001 after" } body { overflow-x: hidden }</style><p class="q">real <b>x</b></p>
      <div style="height:40px;overflow:auto" id="s"><p style="height:300px">one</p><p>two</p></div><div style="position:absolute;left:2000px;top:0">far</div><div style="height:3000px"></div>
      <div style="overflow:hidden;height:20px"><p style="position:absolute;top:200px">out of its frame</p></div><div style="position:fixed;top:0">fixed</div><div style="transform:translate(5px)"><p style="position:fixed;top:900px">moved</p></div><script>s.scrollTop = 999; scrollTo(0, 2000)</script>`;
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

  it('is a box to tick that its label stands for', async () => {
    const page = `<label><input type="checkbox" style="opacity:0;position:absolute"> gift</label><input type="radio" id="r" style="position:absolute;clip:rect(0,0,0,0)"><label for="r">fast</label>`;
    await onPage(engine, page, async (episode, content) => {
      expect(renderTree(content)).toEqual(['[e1] checkbox "gift"', 'gift', '[e2] radio "fast"', 'fast']);
      for (const element of ['e1', 'e2'])
        expect((await episode.act({ kind: 'click', element }, noAbort)).refusal).toBeUndefined();
      expect(renderTree((await episode.look(noAbort)).content)).toContain('[e1] checkbox "gift" checked');
    });
  });

  it('tells which options cannot be chosen, and no colour of buttons with a text', async () => {
    const page = `<select aria-label="s"><option>a<option disabled>b<optgroup label="g" disabled><option>c</optgroup></select><input type="submit" value="Send"><input type="reset"><input type="button" aria-label="red" style="width:20px;height:20px;background:red;border:0;padding:0">
      <div role="img" aria-label="blue" style="width:9px;height:9px;background:blue"></div>`;
    expect(await shown(page)).toEqual([
      '[e1] combobox "s" of "a" (chosen), "b" (disabled), "c" (disabled)',
      '[e2] button "Send"',
      '[e3] button "Reset"',
      '[e4] button "red" rgb(255, 0, 0) 20x20',
      '[e5] img "blue" rgb(0, 0, 255) 9x9',
    ]);
  });

  it('is all of it where thousands of elements can be clicked', async () => {
    const page = `<body onclick="0"><div id="all"></div><script>all.innerHTML = Array.from({ length: 5000 }, (_, place) => '<span>w' + place + '</span> ').join('')</script>`;
    await onPage(engine, page, async (_episode, content) =>
      expect([...nodesOf(content)].filter(({ clickable }) => clickable === true)).toHaveLength(5000),
    );
  });

  it('can be clicked and dragged at any place of an element', async () => {
    const page = `<style>body { margin: 0 } p { font: 16px monospace; margin: 0 }</style><div style="height:900px"></div><canvas width="150" height="120" onclick="log.push([event.offsetX, event.offsetY])"></canvas><p onclick="0">mark all of this</p><script>const log = []</script>`;
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

  it('is what a page shows when it has been scrolled, each time', async () => {
    const page = `<p id="p" style="position:fixed">0</p><div style="height:90000px"></div><script>addEventListener('scroll', () => (p.textContent = scrollY))</script>`;
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
