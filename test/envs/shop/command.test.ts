import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clickOn, isClickable, readCommand, searchFor, type Command } from '../../../envs/shop/command.ts';
import { runs } from '../../support/thorough.ts';

const plain = { strict: false };
const strict = { strict: true };
const search = (query: string): Command => ({ kind: 'search', query });
const click = (target: string): Command => ({ kind: 'click', target });
const none: Command = { kind: 'none' };

describe('readCommand', () => {
  it.each<[string, Command]>([
    ['search[red shoes]', search('red shoes')],
    ['search[Red SHOES]', search('red shoes')],
    ['search[ ]', search(' ')],
    ['search[]', none],
    ['search', none],
    ['', none],
    ['Search[red]', none],
    [' search[red]', none],
    ['search [red]', none],
    ['click[Buy Now]', click('buy now')],
    ['click[< Prev] please', click('< prev')],
    ['click[a] then click[b]', none],
    ['search[a]] and more]', search('a]] and more')],
    ['click[red [large]]', none],
    ['search[[red]]', none],
    ['click[x]\nclick[y]', click('x')],
    ['I think\nclick[y]', none],
    ['think[about it]', none],
    ['[red]', none],
    ['search[İ]', search('i̇')],
  ])('reads %j as the original does', (action, command) => {
    expect(readCommand(action, plain)).toEqual(command);
  });

  it.each<[string, Command]>([
    ['click[red [large]]', click('red [large]')],
    ['search[[red]]', search('[red]')],
    ['click[a] then click[b]', click('a] then click[b')],
    ['click[]', none],
    ['[click]', none],
  ])('keeps inner brackets of %j in strict mode', (action, command) => {
    expect(readCommand(action, strict)).toEqual(command);
  });

  it('agrees with the pattern (.+)\\[(.+)\\] for any text', () => {
    const anyAction = fc.oneof(
      fc.string(),
      fc.stringMatching(/^(?:search|click|x| )?[a-c[\]\n ]{0,12}$/),
      fc.tuple(fc.constantFrom('search', 'click'), fc.string()).map(([name, words]) => `${name}[${words}]`),
    );
    fc.assert(
      fc.property(anyAction, (action) => {
        const [, name, argument = ''] = /^([^\n]+)\[([^\n]+)\]/.exec(action) ?? [];
        const expected =
          name === 'search'
            ? search(argument.toLowerCase())
            : name === 'click'
              ? click(argument.toLowerCase())
              : none;
        expect(readCommand(action, plain)).toEqual(expected);
      }),
      { seed: 20_260_101, numRuns: runs(3000) },
    );
  });

  it('ends soon for a million brackets', () => {
    expect(readCommand(`search${'['.repeat(1_000_000)}`, plain)).toEqual(none);
    expect(readCommand(`search${'[a'.repeat(500_000)}]`, plain)).toEqual(none);
  });

  it('reads back what searchFor and clickOn write', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9 "'<>&|.\]]{1,20}$/), (words) => {
        expect(readCommand(searchFor(words), plain)).toEqual(search(words));
        expect(readCommand(clickOn(words), strict)).toEqual(click(words));
      }),
    );
  });
});

describe('isClickable', () => {
  it.each([
    ['red', true, true],
    ['< prev', true, true],
    ['red [large]', false, true],
    ['two\nlines', false, false],
    ['', false, false],
    ['search', false, false],
    ['RED', false, false],
  ])('returns for %j %s, and %s in strict mode', (name, plainly, strictly) => {
    expect([isClickable(name, plain), isClickable(name, strict)]).toEqual([plainly, strictly]);
  });
});
