import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-program.ts';

const read = (...parts: readonly string[]): string => readFileSync(path.join(root, ...parts), 'utf8');

describe('docs/guides/environment.md', () => {
  const guide = read('docs', 'guides', 'environment.md');
  const examples = readdirSync(path.join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read('examples', file));
  const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);

  it('contains a whole environment, which other tests check', () => {
    expect(blocks[0]).toBe(read('examples', 'coin-env.ts'));
  });

  it.each(blocks.map((code): [string, string] => [code.trim().split('\n')[0] ?? '', code]))(
    'quotes a file of examples: %s',
    (_first, code) => {
      expect(examples.some((example) => example.includes(code))).toBe(true);
    },
  );
});
