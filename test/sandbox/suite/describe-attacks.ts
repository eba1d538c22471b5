import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxProvider } from '../../../sandbox/index.ts';
import { openArena, type Arena } from '../../../bench/sandbox/attacks/arena.ts';
import { attacks, attempt } from '../../../bench/sandbox/attacks/attacks.ts';
import type { Subject } from './subject.ts';

/** @param weak names of attacks that the provider declares it does not withstand, with their results */
export function describeAttacks(subject: Subject, weak: Readonly<Record<string, RegExp>> = {}): void {
  describe(`${subject.title}: attacks`, () => {
    let provider: SandboxProvider;
    let arena: Arena;
    beforeAll(async () => {
      arena = await openArena();
      provider = await subject.provider();
    });
    afterAll(async () => {
      await provider?.[Symbol.asyncDispose]();
      await arena?.[Symbol.asyncDispose]();
    });
    it.each(attacks.map((attack) => [attack.name, attack] as const))(
      'withstands as declared: %s',
      async (name, attack) => {
        const { verdict } = await attempt(attack, { subject, provider, arena });
        const known = weak[name];
        const what = verdict.kind === 'broken' ? verdict.what : undefined;
        if (known === undefined) expect(what).toBeUndefined();
        else expect(what).toMatch(known);
      },
    ); // some start their own daemon
  });
}
