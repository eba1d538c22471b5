// Slow: opens every built-in page in a browser.
import { expect, it } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { openEnv } from '../../../envs/open.ts';
import { describeAction } from '../../../envs/web/action.ts';
import { candidateKinds } from '../../../envs/web/candidates.ts';
import { webEnv } from '../../../envs/web/definition.ts';
import { webPages } from '../../../envs/web/pages.ts';
import { describeWithParts } from '../../support/system-part.ts';

await describeWithParts(['chromium'], 'candidates on the built-in pages', () => {
  it('differ by words alone, on every page', async () => {
    const context = createContext({ seed: 1, now: () => 0 });
    const host = await openEnv(webEnv, webEnv.config.parse({ candidates: candidateKinds }), context);
    const env = await host.create();
    const alike: unknown[] = [];
    for (let index = 0; index < webPages.length; index += 1) {
      const { observation, admissible } = await env.reset({ panel: 'dev', index }, context);
      const words = (admissible ?? []).map((action) => describeAction(action).replaceAll(/\[e\d+\] ?/g, ''));
      for (const [place, each] of words.entries())
        if (words.indexOf(each) !== place) alike.push([observation.url, each]);
    }
    await env.close();
    await host.close();
    expect(alike).toEqual([]);
  });
});
