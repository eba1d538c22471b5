import { describe, expect, test } from 'vitest';
import { describeAction, readAction } from '../../../envs/code/action.ts';
import { readCritiqueAction } from '../../../envs/code/critique/action.ts';
import { argumentsIn } from '../../../envs/code/own-input.ts';

const long = 1_000_000;
const of = (part: string): string => part.repeat(Math.ceil(long / part.length));

// Each takes milliseconds in linear time, and an hour in quadratic time, so that the test would not end.

describe('parsing a million characters', () => {
  test.each([
    ['backticks', of('`')],
    ['backticks and another', `${of('`')} \``],
    ['tildes and a backtick', `${of('~')} \``],
    ['a fence, a label and a backtick', `\`\`\`${of('a')}\``],
    ['a fence, blanks and a backtick', `\`\`\`${of(' ')}\``],
    ['a fence, blanks, a label and a backtick', `\`\`\`${of(' ')}${of('a')}\``],
    ['fences', of('```\n')],
    [
      'fences of another length each',
      Array.from({ length: 1_400 }, (_, at) => `${'`'.repeat(at + 3)}x`).join('\n'),
    ],
    ['openings', of('<action>')],
    ['blanks before a word', `submit${of(' ')}x`],
    ['lines of blanks', of(' \t\n')],
    ['blanks after finish', `finish:${of(' ')}\nx`],
    ['blanks after put', `put${of(' ')}x`],
    ['digits', `put 1.${of('1')}`],
    ['a verdict after blanks', `verdict${of(' ')}x`],
    ['blanks after a verdict', `right:${of(' ')}\rx`],
    ['lists in lists', of('[')],
  ])('action parsers end soon on %s', (_, text) => {
    for (const read of [readAction, readCritiqueAction])
      for (const said of [text, `submit\n${text}`, `run ${text}`, `test ${text}`])
        expect(['action', 'malformed']).toContain(read(said).kind);
  });

  test.each([
    ['quotes', of('"')],
    ['quotes behind backslashes', of(String.raw`\"`)],
    ['a text that does not end', `["${of('a')}`],
    ['a text of escapes that does not end', `["${of(String.raw`\"`)}`],
    ['digits', `[${of('1')}]`],
    ['digits and a letter', `[${of('1')}x]`],
    ['digits behind a point', `[1.${of('1')}]`],
    ['points and digits', `[${of('1.')}]`],
    ['exponents', `[${of('1e')}]`],
    ['signs', `[${of('-')}]`],
    ['blanks', `[${of(' ')}`],
    ['lists in lists', of('[')],
  ])('argumentsIn ends soon on %s', (_, text) => {
    expect(argumentsIn(text)).toEqual(
      text.endsWith('11]')
        ? [expect.anything()]
        : { refused: expect.stringMatching(/^it is not JSON/) as string },
    );
  });

  test.each([
    ['backticks', of('` ')],
    ['longer and longer runs of them', Array.from({ length: 1_400 }, (_, at) => '`'.repeat(at)).join(' ')],
  ])('describeAction and readAction end soon on %s', (_, program) => {
    const action = { kind: 'submit', program } as const;
    expect(readAction(describeAction(action))).toEqual({ kind: 'action', action });
  });
});
