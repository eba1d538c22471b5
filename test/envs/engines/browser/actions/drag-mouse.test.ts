import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../../envs/engines/browser/session/browser-engine.ts';
import { nodesOf, renderTree } from '../../../../../envs/engines/browser/view/page-tree.ts';
import { describeWithParts } from '../../../../support/system-part.ts';
import { idOf, noAbort, onPage, openEngine } from '../browse.ts';
import { readFixture } from '../../../../support/read-fixture.ts';

const listening = (types: readonly string[]): string =>
  `<script>const log = []; for (const type of ${JSON.stringify(types)}) addEventListener(type, ({ type, target, buttons }) => log.push(type + ' ' + (target.id ?? target.name) + (type === 'mousemove' ? buttons : '')), true)</script>`;

await describeWithParts(['chromium'], 'a drag', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  it('ends after dragstart when the drag is refused, as for text of a password field', async () => {
    const page = `${listening(['dragstart', 'pointercancel', 'mouseup'])}<input type="password" id="secret" aria-label="secret" value="abcdef"><p><button id="go">go</button>`;
    await onPage(engine, page, async (episode, content) => {
      const secret = idOf(content, 'textbox', 'secret');
      await episode.act({ kind: 'click', element: secret }, noAbort);
      await episode.act({ kind: 'press', key: 'Control+a' }, noAbort);
      await episode.read('log.length = 0', noAbort);
      expect(
        (await episode.act({ kind: 'drag', element: secret, to: idOf(content, 'button', 'go') }, noAbort))
          .refusal,
      ).toBeUndefined();
      expect(await episode.read('log', noAbort)).toEqual(['dragstart secret', 'mouseup go']);
    });
  });

  it('takes the time of an action, and pages see the mouse move while it is held', async () => {
    const page = readFixture('pages/drag-mouse/takes-an-actions-time-in-which-pages-see.html');
    await onPage(engine, page, async (episode, content) => {
      const begun = await episode.read('performance.now()', noAbort);
      await episode.act(
        { kind: 'drag', element: idOf(content, 'generic', 'from'), to: idOf(content, 'generic', 'to') },
        noAbort,
      );
      expect(await episode.read('seen.length', noAbort)).toBe(5);
      expect(Number(await episode.read('performance.now()', noAbort)) - Number(begun)).toBe(100);
    });
  });

  it('uses the native drag where the page starts one, in frames and for selected text, and drops where accepted', async () => {
    const inside = readFixture('pages/drag-mouse/inside.html');
    const page = `<p id="piece" draggable="true" onclick="0">piece</p><input id="field" aria-label="field" value="words"><iframe name="frame" srcdoc="${inside}"></iframe><div id="box" onclick="0" style="width:200px;height:99px">box</div>
      <script>piece.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'piece'); box.ondragover = (event) => event.preventDefault(); const dropped = []; box.ondrop = (event) => { event.preventDefault(); dropped.push(event.dataTransfer.getData('text/plain')); }</script>`;
    await onPage(engine, page, async (episode, content) => {
      const box = idOf(content, 'generic', 'box');
      const drop = async (element: string): Promise<void> =>
        expect((await episode.act({ kind: 'drag', element, to: box }, noAbort)).refusal).toBeUndefined();
      await drop(idOf(content, 'generic', 'piece'));
      await drop(idOf(content, 'generic', 'inner'));
      const field = idOf(content, 'textbox', 'field');
      await episode.act({ kind: 'click', element: field }, noAbort);
      await episode.act({ kind: 'press', key: 'Control+a' }, noAbort);
      await drop(field);
      expect(await episode.read('dropped', noAbort)).toEqual(['piece', 'inner', 'words']);
    });
  });

  it('works in a frame of another origin and on a page that stops drag events, and releases the mouse', async () => {
    const pieces = readFixture('pages/drag-mouse/pieces.html');
    for (const page of [
      pieces,
      `<iframe sandbox="allow-scripts" srcdoc="${pieces.replaceAll('"', '&quot;')}"></iframe>`,
    ]) {
      await onPage(engine, page, async (episode, content) => {
        const [from, to] = [idOf(content, 'generic', 'from'), idOf(content, 'generic', 'to')];
        await episode.act({ kind: 'drag', element: from, to }, noAbort);
        await episode.act({ kind: 'click', element: to }, noAbort);
        const { view } = await episode.act({ kind: 'drag', element: from, to }, noAbort);
        expect(renderTree(view.content).join(' ')).toContain('dragstart drop mouseup dragstart drop');
      });
    }
  });

  it.each([
    [
      'draggable pieces and drop zones',
      readFixture('pages/drag-mouse/draggable-pieces-and-zones-for-drops.html'),
    ],
    ['boxes that follow the pointer', readFixture('pages/drag-mouse/boxes-that-follow-the-pointer.html')],
    ['boxes that follow the mouse', readFixture('pages/drag-mouse/boxes-that-follow-the-mouse.html')],
    ['such pieces in a frame', readFixture('pages/drag-mouse/these-in-a-frame.html')],
  ])('gives both ends ids on pages without click listeners: %s', async (_what, page) => {
    await onPage(engine, page, async (episode, content) => {
      const named = (name: string): string =>
        [...nodesOf(content)].find((node) => node.name === name)?.id ?? expect.fail(`${name} has no id`);
      const { view, refusal } = await episode.act(
        { kind: 'drag', element: named('from'), to: named('to') },
        noAbort,
      );
      expect([refusal, renderTree(view.content).some((line) => line.includes('dropped'))]).toEqual([
        undefined,
        true,
      ]);
    });
  });

  it('moves the mouse when nothing is draggable or the page refuses, and releases it', async () => {
    const page = `${listening(['dragstart', 'mousedown', 'mousemove', 'mouseup', 'click'])}<p id="from" draggable="true" onclick="0" style="margin:0">from</p><p id="to" onclick="0">to</p><script>from.ondragstart = (event) => event.preventDefault()</script>`;
    await onPage(engine, page, async (episode, content) => {
      const [from, to] = [idOf(content, 'generic', 'from'), idOf(content, 'generic', 'to')];
      await episode.act({ kind: 'drag', element: from, to }, noAbort);
      const counted = (pattern: string) =>
        episode.read(`log.filter((each) => ${pattern}.test(each)).length`, noAbort);
      expect(
        await Promise.all(
          ['/^mousedown from/', '/^dragstart from/', '/^mousemove.*1$/', '/^mouseup to/'].map(counted),
        ),
      ).toEqual([1, 1, 5, 1]);
      await episode.read('log.length = 0', noAbort);
      await episode.act({ kind: 'click', element: to }, noAbort);
      expect(
        await episode.read(
          "log.filter((each) => each.startsWith('click') || each.startsWith('mousemove'))",
          noAbort,
        ),
      ).toEqual(['mousemove to0', 'click to']);
    });
  });

  it.each([
    ['is gone', 'to.remove()'],
    ['is hidden', "to.style.display = 'none'"],
    ['vanishes when the mouse is pressed', 'from.onmousedown = () => to.remove()'],
  ])('refuses a target that %s, and does not click the start', async (_what, change) => {
    const page = `${listening(['click', 'mouseup'])}<button id="from">from</button><p><button id="to">to</button>`;
    await onPage(engine, page, async (episode, content) => {
      const [from, to] = [idOf(content, 'button', 'from'), idOf(content, 'button', 'to')];
      await episode.read(`void (${change})`, noAbort);
      expect((await episode.act({ kind: 'drag', element: from, to }, noAbort)).refusal).toBe(
        `${to} is not to be seen on this page now`,
      );
      expect(await episode.read("log.filter((line) => line.endsWith('from'))", noAbort)).toEqual([]);
    });
  });
});
