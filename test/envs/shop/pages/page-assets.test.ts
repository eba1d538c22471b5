import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { drawHtml } from '../../../../envs/shop/pages/draw-html.ts';
import { shopScript, shopStyle } from '../../../../envs/shop/pages/page-assets.ts';
import { pageOf, receiptOf } from '../../../../envs/shop/pages/page-of.ts';
import type { ItemPlace, Place } from '../../../../envs/shop/place.ts';
import { shopOf } from '../corner-shop.ts';

const shop = shopOf(undefined, { showAttributes: true });
const item: ItemPlace = { kind: 'item', query: 'shirt', page: 1, product: 0, options: new Map([['color', 'red']]) };
const reviews: ItemPlace = { ...item, product: shop.catalogue.find('B0QUOTES01') ?? -1 };
const places: readonly Place[] = [{ kind: 'start' }, { kind: 'results', query: 'shirt', page: 1 }, item, { ...reviews, kind: 'sub-page', name: 'Reviews' }];
const pages = [
  ...places.map((place) => drawHtml(pageOf(shop, { place, visited: new Set([0]) }, { instruction: 'a shirt', name: '0' }))),
  drawHtml(receiptOf(shop, item, { name: '0' }, 1)),
].join('\n');

describe('the style sheet', () => {
  it('speaks of nothing that no page has', () => {
    const selectors = shopStyle.replaceAll(/\{[^{}]*\}/g, ' ');
    const classes = new Set([...selectors.matchAll(/\.([a-z][a-z-]*)/g)].map(([, name]) => name));
    const ids = new Set([...selectors.matchAll(/#([a-z][a-z_-]*)/g)].map(([, name]) => name));
    expect([classes.size, ids.size].every((count) => count > 1)).toBe(true);
    for (const name of classes) expect(pages).toMatch(new RegExp(`class="[^"]*\\b${name}\\b`));
    for (const name of ids) expect(pages).toContain(`id="${name}"`);
    expect(pages).toContain(' data-visited');
  });
});

interface Listening {
  /** Sends the page an event. */
  readonly send: (type: string, target?: object) => void;
  readonly radio: (type?: string) => object;
  readonly submitted: () => number;
}

function runScript(): Listening {
  const listeners = new Map<string, (event: { readonly target: unknown }) => void>();
  let submits = 0;
  class HTMLInputElement {
    readonly type: string;
    readonly form = { requestSubmit: (): void => void (submits += 1) };
    constructor(type: string) {
      this.type = type;
    }
  }
  const document = { addEventListener: (type: string, listener: (event: { readonly target: unknown }) => void) => void listeners.set(type, listener) };
  runInNewContext(shopScript, { document, HTMLInputElement });
  return { send: (type, target = {}) => listeners.get(type)?.({ target }), radio: (type = 'radio') => new HTMLInputElement(type), submitted: () => submits };
}

describe('the script', () => {
  it('chooses an option value that is picked, by a pointer or a program', () => {
    const { send, radio, submitted } = runScript();
    send('change', radio());
    expect(submitted()).toBe(1);
    send('keydown');
    send('pointerdown');
    send('change', radio());
    expect(submitted()).toBe(2);
  });

  it('leaves those alone who move among the values by the keyboard, and other fields', () => {
    const { send, radio, submitted } = runScript();
    send('change', radio('search'));
    send('change', {});
    send('keydown');
    send('change', radio());
    expect(submitted()).toBe(0);
  });
});
