import { describe, expect, it } from 'vitest';
import { interpret, ProgramError, type Value } from '../../../envs/code/language/interpret.ts';
import { change, sitesOf } from '../../../envs/code/language/mutate.ts';
import { parseProgram } from '../../../envs/code/language/parse.ts';
import { renderJavascript } from '../../../envs/code/language/render-javascript.ts';
import { renderPython } from '../../../envs/code/language/render-python.ts';

const program = parseProgram(`
def helper(a, b):
    return (a - b) // 3

def main(values, word):
    total = 0
    for value in values:
        if value == 7 or value < -2 and not value == -9:
            continue
        elif value > 5:
            total += value % 4
        else:
            total -= helper(value, 1)
    at = 0
    while at < len(word):
        if word[at] == "b":
            break
        at += 1
    return total * 10 + at
`);

const run = (values: readonly number[], word: string): Value => interpret(program, [values, word], 10_000);

describe('the little language of code-v1', () => {
  it.each([
    [[], '', 0],
    [[7, -3], 'ab', 1], // 7 goes on; -3 is below -2 and not -9, and goes on
    [[-9], '', 40], // -(-10 // 3) is 4
    [[9], 'b', 10],
    [[2, 6], 'aa', 22], // -(1 // 3) + 6 % 4
  ])('computes as Python does: %j and %j give %j', (values, word, expected) => {
    expect(run(values, word)).toBe(expected);
  });

  it.each([
    ['def f(a):\n    return a[3]', 'error'],
    ['def f(a):\n    return a[0] // 0', 'error'],
    ['def f(a):\n    return b', 'error'],
    ['def f(a):\n    a[0] = 1', 'error'],
    ['def f(a):\n    while True:\n        a[0] += 1\n    return 1', 'time'],
    ['def f(a):\n    return f(a)', 'error'],
  ])('fails where Python would, or when it takes too long: %j', (text, kind) => {
    try {
      interpret(parseProgram(text), [[1, 2]], 100_000);
      expect.unreachable();
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(ProgramError);
      expect(thrown).toMatchObject({ kind });
    }
  });

  it('leaves its arguments unchanged', () => {
    const given: readonly Value[] = [[3, 1]];
    interpret(parseProgram('def f(a):\n    a[0] = 9\n    append(a, 1)\n    return a'), given, 100);
    expect(given).toEqual([[3, 1]]);
  });

  it.each([
    'def f(:\n    return 1',
    'def f(a)\n    return 1',
    'def f(a):\nreturn 1',
    'def f(a):\n    return 1 +',
    'def f(a):\n    a ? 1',
  ])('refuses %j and names the line', (text) => {
    expect(() => parseProgram(text)).toThrow(/^line /);
  });

  it('renders as Python and JavaScript, with brackets where precedence differs', () => {
    const bits = parseProgram(
      'def f(a, b):\n    if a & b == 1 and (a | b) ^ 2 > a << 1:\n        return a % b\n    return a - (b - 1)',
    );
    expect(renderPython(bits)).toBe(
      'def f(a, b):\n    if (a & b) == 1 and ((a | b) ^ 2) > (a << 1):\n        return a % b\n    return a - (b - 1)\n',
    );
    expect(renderJavascript(bits)).toContain(
      'if ((a & b) === 1 && ((a | b) ^ 2) > (a << 1)) {\n    return mod(a, b);',
    );
  });

  it('changes with every piece of a place except the present one', () => {
    const sites = sitesOf(program, () => 1);
    const texts = sites.flatMap((site) =>
      site.pieces.map((_, piece) => ({
        site,
        piece,
        text: renderPython(change(program, [{ site, piece }])),
      })),
    );
    const own = renderPython(program);
    for (const { site, piece, text } of texts) expect(text === own).toBe(piece === site.now);
    expect(new Set(sites.map(({ slip }) => slip))).toEqual(
      new Set(['off by one', 'swapped comparison', 'swapped operator', 'missing case', 'wrong turn']),
    );
  });
});
