import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import { keysOf } from '../../../../envs/engines/browser/actions/key-press.ts';
import type { PageAction } from '../../../../envs/engines/browser/actions/page-action.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { renderTree } from '../../../../envs/engines/browser/view/page-tree.ts';
import { describeWithParts } from '../../../support/system-part.ts';
import { idOf, noAbort, onePage, onPage, openEngine } from './browse.ts';
import { readFixture } from '../../../support/read-fixture.ts';

describe('keysOf', () => {
  it.each([
    ['a', ['a']],
    ['+', ['+']],
    ['Control+a', ['Control', 'a']],
    ['Control+Shift++', ['Control', 'Shift', '+']],
    ['Alt+ArrowLeft', ['Alt', 'ArrowLeft']],
  ])('splits %s into its keys', (chord, keys) => expect(keysOf(chord)).toEqual(keys));
});

await describeWithParts(['chromium'], 'a page under mouse and keyboard', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await openEngine()));
  afterAll(() => engine.close());

  /** Answers the requests of scripts with a delay. */
  const slow =
    (html: string, ms = 60): PageHandler =>
    async (request) => {
      if (!new URL(request.url).pathname.startsWith('/late')) return onePage(html)(request);
      await pause(ms);
      return new Response('late');
    };

  /** The log of a page after the action. Its listeners call `come` when the work that an event started has ended. */
  const logged = async (html: string, action: PageAction): Promise<unknown> =>
    onPage(engine, slow(`<script>const log = []; let hasMoved = false</script>${html}`), async (episode) => {
      await episode.read('log.length = 0; hasMoved = false', noAbort);
      await episode.act(action, noAbort);
      return episode.read('log', noAbort);
    });

  const goingOn: readonly (readonly [what: string, begin: string])[] = [
    ['fetches', `fetch('/late').then((answer) => answer.text()).then(come)`],
    [
      'uses XMLHttpRequest',
      `const request = new XMLHttpRequest(); request.open('GET', '/late'); request.onload = come; request.send()`,
    ],
    [
      'posts messages to itself',
      `const { port1, port2 } = new MessageChannel(); let left = 2000; port1.onmessage = () => ((left -= 1) > 0 ? port2.postMessage(0) : come()); port2.postMessage(0)`,
    ],
    [
      'stores data',
      `indexedDB.open('x', (globalThis.version = (globalThis.version ?? 0) + 1)).onsuccess = ({ target }) => { target.result.close(); come(); }`,
    ],
    [
      'loads a frame',
      `const frame = document.createElement('iframe'); frame.src = '/late'; frame.onload = come; document.body.append(frame)`,
    ],
  ];
  /** Starts the work on the event, and logs when it has ended. */
  const begins = (type: string, begin: string, says = `'come'`): string =>
    `<script>addEventListener('${type}', () => { const come = () => log.push(${says}); ${begin}; })</script>`;
  const says = (...types: readonly string[]): string =>
    `<script>for (const type of ${JSON.stringify(types)}) addEventListener(type, () => log.push(type))</script>`;
  const first = (begin: string): string => `if (hasMoved) return; hasMoved = true; ${begin}`;
  const field = '<input id="field" autofocus value="">';

  describe.each(goingOn)('that %s on an event', (_what, begin) => {
    it('finishes before the next letter is typed', async () => {
      expect(
        await logged(`${field}${begins('input', begin, 'field.value')}`, {
          kind: 'type',
          element: 'e1',
          text: 'abcd',
        }),
      ).toEqual(['a', 'ab', 'abc', 'abcd']);
    });

    it('finishes before a key is released and before the next is pressed', async () => {
      expect(
        await logged(`${field}${says('keydown', 'keyup')}${begins('keydown', begin)}`, {
          kind: 'press',
          key: 'Shift+a',
        }),
      ).toEqual(['keydown', 'come', 'keydown', 'come', 'keyup', 'keyup']);
    });

    it('finishes before a field is cleared', async () => {
      expect(
        await logged(`<input id="field" value="abc">${begins('keydown', begin, 'field.value')}`, {
          kind: 'clear',
          element: 'e1',
        }),
      ).toEqual(['abc', 'abc', '']);
    });

    it('finishes before the mouse is released', async () => {
      expect(
        await logged(`<button>go</button>${begins('mousedown', begin)}${says('mouseup', 'click')}`, {
          kind: 'click',
          element: 'e1',
        }),
      ).toEqual(['come', 'mouseup', 'click']);
    });

    it('finishes before the mouse is pressed and before it is dragged', async () => {
      const html = `<p id="from" onclick="0">from</p><p onclick="0">to</p>${begins('mousemove', first(begin))}${begins('mousedown', begin)}${says('mousedown')}
        <script>addEventListener('mousemove', ({ buttons }) => buttons === 1 && log.at(-1) !== 'led' && log.push('led'))</script>`;
      expect(await logged(html, { kind: 'drag', element: 'e1', to: 'e2' })).toEqual([
        'come',
        'mousedown',
        'come',
        'led',
      ]);
      expect(await logged(html, { kind: 'click', element: 'e1' })).toEqual(['come', 'mousedown', 'come']);
    });

    it('finishes before a wheel turn, and before text goes into a newly focused field', async () => {
      expect(
        await logged(`<p>p</p>${begins('mousemove', first(begin))}${says('wheel')}`, {
          kind: 'scroll',
          direction: 'down',
        }),
      ).toEqual(['come', 'wheel']);
      expect(
        await logged(`<input id="field">${begins('focusin', begin)}${says('input')}`, {
          kind: 'type',
          element: 'e1',
          text: 'a',
        }),
      ).toEqual(['come', 'input']);
    });
  });

  it('turns the arrows of a number field once, whatever the press starts', async () => {
    const html = readFixture('pages/hands/has-number-fields-whose-arrows-turn-once-whatever.html');
    await onPage(engine, slow(html, 900), async (episode) => {
      await episode.act({ kind: 'click', element: 'e1', at: { x: 97, y: 18 } }, noAbort);
      expect(await episode.read("document.querySelector('input').value", noAbort)).toBe('-1');
    });
  });

  it.each([
    ['of its own origin', ''],
    ['of another origin', ' sandbox="allow-scripts"'],
    ['inside a frame', ' name="outer"'],
  ])(
    'lets frames %s be clicked, hovered, scrolled and dragged from, and be covered',
    async (how, attributes) => {
      const inner = readFixture('pages/hands/inner.html');
      const framed =
        how === 'inside a frame' ? `<iframe style='border:0' srcdoc="${inner}"></iframe>` : inner;
      const html = `<iframe id="frame" aria-label="frame"${attributes} srcdoc="${framed.replaceAll('"', '&quot;')}"></iframe><p onclick="0">there</p>
      <button onclick="cover.hidden = false">cover</button><div id="cover" hidden style="position:fixed;inset:0"></div>`;
      await onPage(engine, html, async (episode, content) => {
        const [frame, there] = [idOf(content, 'frame', 'frame'), idOf(content, 'generic', 'there')];
        const all = (element: string): readonly PageAction[] => [
          { kind: 'hover', element },
          { kind: 'scroll', direction: 'down', element },
          { kind: 'drag', element, to: there },
          { kind: 'drag', element: there, to: element },
          { kind: 'click', element },
        ];
        const refusals = async (actions: readonly PageAction[]): Promise<readonly unknown[]> => {
          const seen: unknown[] = [];
          for (const action of actions) seen.push((await episode.act(action, noAbort)).refusal);
          return seen;
        };
        expect(await refusals(all(frame))).toEqual([undefined, undefined, undefined, undefined, undefined]);
        const { content: clicked } = await episode.look(noAbort);
        const button = idOf(clicked, 'button', '2'); // by the click on its frame
        expect(
          await refusals([...all(button), { kind: 'click', element: idOf(content, 'button', 'cover') }]),
        ).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
        expect(
          await refusals([
            { kind: 'click', element: button },
            { kind: 'click', element: frame },
          ]),
        ).toEqual([`${button} lies under something else`, `${frame} lies under something else`]);
      });
    },
  );

  it.each([
    [
      'in a disabled fieldset',
      '<fieldset disabled><select aria-label="list"><option>a<option>b</select></fieldset>',
      '',
      'is disabled',
    ],
    [
      'with a disabled option group',
      '<select aria-label="list"><option>a<optgroup label="g" disabled><option>b</optgroup></select>',
      '',
      'does not let "b" be chosen',
    ],
    [
      'that is gone',
      '<select aria-label="list"><option>a<option>b</select>',
      'list.remove()',
      'is not to be seen on this page now',
    ],
    [
      'that is hidden',
      '<select aria-label="list"><option>a<option>b</select>',
      "list.style.display = 'none'",
      'is not to be seen on this page now',
    ],
    [
      'behind a dialog',
      '<select aria-label="list"><option>a<option>b</select><dialog>d</dialog>',
      "document.querySelector('dialog').showModal()",
      'cannot be reached now',
    ],
    [
      'that is disabled on focus',
      `<select aria-label="list" onfocus="disabled = true"><option>a<option>b</select>`,
      '',
      'is disabled',
    ],
  ])('refuses to select from a list %s', async (_what, html, change, refusal) => {
    await onPage(
      engine,
      `${html}<script>const list = document.querySelector('select'); let changes = 0; list.onchange = () => (changes += 1)</script>`,
      async (episode, content) => {
        const element = idOf(content, 'combobox', 'list');
        await episode.read(change, noAbort);
        expect((await episode.act({ kind: 'select', element, option: 'b' }, noAbort)).refusal).toBe(
          `${element} ${refusal}`,
        );
        expect(await episode.read('changes + list.value', noAbort)).toBe('0a');
      },
    );
  });

  it.each([
    ['a button', '<button disabled>it</button>', 'button', 'is disabled'],
    ['a button in a fieldset', '<fieldset disabled><button>it</button></fieldset>', 'button', 'is disabled'],
    ['a checkbox', '<input type="checkbox" aria-label="it" disabled>', 'checkbox', 'is disabled'],
    [
      'a picture in a button',
      '<button disabled><img role="img" alt="it" width="20" height="20" src="data:,"></button>',
      'img',
      'is disabled',
    ],
    [
      'a button in an inert part',
      '<div onclick="clicks += 1"><div inert><button>it</button></div></div>',
      'button',
      'is out of use: what it stands in is inert',
    ],
  ])('refuses to click %s that was disabled meanwhile', async (_what, html, role, refusal) => {
    await onPage(
      engine,
      `${html.replace(/ (?:disabled|inert)/, '')}<script>let clicks = 0; addEventListener('click', () => (clicks += 1), true)</script>`,
      async (episode, content) => {
        const element = idOf(content, role, 'it');
        await episode.read(
          `void (document.querySelector('fieldset, div > div, button, input').${html.includes(' inert') ? 'inert' : 'disabled'} = true)`,
          noAbort,
        );
        expect([
          (await episode.act({ kind: 'click', element }, noAbort)).refusal,
          await episode.read('clicks', noAbort),
        ]).toEqual([`${element} ${refusal}`, 0]);
      },
    );
  });

  it('refuses to type into a disabled field, and clicks text in a disabled fieldset', async () => {
    const page = `<input aria-label="field" disabled><fieldset disabled><p onclick="textContent = 'clicked'">text</p></fieldset>`;
    await onPage(engine, page, async (episode, content) => {
      const field = idOf(content, 'textbox', 'field');
      expect((await episode.act({ kind: 'type', element: field, text: 'x' }, noAbort)).refusal).toBe(
        `${field} is disabled`,
      );
      const { refusal, view } = await episode.act(
        { kind: 'click', element: idOf(content, 'generic', 'text') },
        noAbort,
      );
      expect([refusal, renderTree(view.content).join('\n')]).toEqual([
        undefined,
        expect.stringContaining('clicked'),
      ]);
    });
  });
});
