import { afterAll, expect, test } from 'vitest';
import type { Json } from '../../../envs/core/json.ts';
import type { Problem } from '../../../envs/code/problems/problem.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { openGround, runnerOn, signal } from './ground.ts';

const form: Problem['form'] = { kind: 'function', name: 'add' };

await describeWithParts(['bubblewrap'], 'functions in JavaScript', () => {
  const ground = openGround();
  const runner = runnerOn(ground);
  afterAll(() => ground.provider[Symbol.asyncDispose]());
  const ran = async (program: string, given: readonly Json[] = [1, 2]) =>
    (await runner.run({ language: 'javascript', program, form, given: [given] }, signal))[0];

  test.each([
    ['export function add(a, b) { return a + b; }'],
    ['  export async function other() {}\nexport const add = (a, b) => a + b;\nexport class More {}'],
    ['export default function add(a, b) { return a + b; }'],
    ['export default (a, b) => a + b;'],
    ['const add = (a, b) => a + b;\nexport {\n  add,\n};\nexport default add;'],
    ['module.exports = (a, b) => a + b;'],
    ['exports.add = (a, b) => a + b;'],
    [
      'const module = 1, JSON = 2, Number = 3, BigInt = 4, TypeError = 5, Object = 6, Array = 7, judge = 8, String = 9, context = 10;\nfunction add(a, b) { return a + b; }',
    ],
    [
      'JSON.stringify = JSON.parse = Object.getPrototypeOf = Array.isArray = undefined;\nfunction add(a, b) { return a + b; }',
    ],
  ])('finds and calls the function in %s', async (program) => {
    expect(await ran(program)).toEqual({ kind: 'value', value: 3, printed: '' });
  });

  test('keeps line numbers of exported code, and refuses import', async () => {
    expect(await ran('export {\n};\nexport function add() {\n  return nothing;\n}')).toMatchObject({
      kind: 'error',
      text: expect.stringContaining('line 4') as string,
    });
    expect(await ran('import fs from "fs";\nexport function add() {}')).toMatchObject({
      kind: 'unreadable',
      text: 'import does not work here: use require',
    });
    expect(await ran('export function add( { return 1; }')).toMatchObject({
      kind: 'unreadable',
      text: expect.stringMatching(/^SyntaxError/) as string,
    });
  });

  test.each([
    ['new Map([[1, 2]])', 'an object of another class than Object'],
    ['new Set()', 'an object of another class than Object'],
    ['/x/', 'an object of another class than Object'],
    ['new Date(0)', 'an object of another class than Object'],
    ['new (class Own { x = 1; })()', 'an object of another class than Object'],
    ['Promise.resolve(3)', 'an object of another class than Object'],
    ['{ a: () => 1 }', 'a function'],
    ['[Symbol("x")]', 'a symbol'],
    ['[ , 1]', 'something undefined'],
    ['{ a: undefined }', 'something undefined'],
    ['undefined', 'something undefined'],
    ['[{ toJSON() { return 3; } }]', 'an object that writes itself'],
  ])('reports an error when a function returns %s', async (value, what) => {
    expect(await ran(`function add() { return ${value}; }`)).toMatchObject({
      kind: 'error',
      text: expect.stringContaining(`TypeError: it returned ${what}, which is no plain data`) as string,
    });
  });

  test('returns plain data of any kind', async () => {
    const given: Json = [{ '#int': '9007199254740993' }, { '#float': '2.0' }, [null, { a: 'x' }, true]];
    expect(
      await ran(
        'function add(...all) { return structuredClone(all.concat(Object.create(null), -0, 10n)); }',
        [...given],
      ),
    ).toMatchObject({
      kind: 'value',
      value: [{ '#int': '9007199254740993' }, 2, [null, { a: 'x' }, true], {}, 0, 10],
    });
  });
});
