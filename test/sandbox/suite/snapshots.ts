import { expect, it } from 'vitest';
import { type Sandbox, type SandboxProvider } from '../../../sandbox/index.ts';
import { never, readText, suiteLimits } from './subject.ts';

/** Names that can be mistaken for the end of a line, a number, or a path outside. */
const oddNames = [
  'a\nb',
  '5\n6',
  'a\n/etc',
  '\n',
  ' spaces \n\n',
  '9999999999 ./x',
  '-n',
  'tab\there',
  '"\'$(id)',
];

/** What a snapshot keeps, whatever the names of its files. */
export function describeSnapshots({
  provider,
  open,
}: {
  readonly provider: () => SandboxProvider;
  readonly open: () => Promise<Sandbox>;
}): void {
  it('keeps files in a snapshot whatever characters their names have', async () => {
    await using first = await open();
    if (first.snapshot === undefined) return;
    for (const name of oddNames) await first.write(name, `in ${name}`, { signal: never });
    await using from = await first.snapshot({ signal: never });
    await using second = await provider().open({ limits: suiteLimits, needs: {}, signal: never, from });
    for (const name of oddNames) expect(await readText(second, name)).toBe(`in ${name}`);
  });
}
