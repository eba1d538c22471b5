import type { z } from 'zod';
import { createContext, type Context } from '../../../envs/core/context.ts';
import type { Env, EnvHost } from '../../../envs/core/env.ts';
import { openEnv } from '../../../envs/open.ts';
import type { Opening } from '../../../envs/core/step.ts';
import { nodesOf } from '../../../envs/engines/browser/view/page-tree.ts';
import type { WebAction } from '../../../envs/web/action.ts';
import type { webConfig } from '../../../envs/web/config.ts';
import { webEnv } from '../../../envs/web/definition.ts';
import type { WebObservation } from '../../../envs/web/observation.ts';
import { readFixture } from '../../support/read-fixture.ts';

export const context: Context = createContext({ seed: 1, now: () => 0 });
export type WebHost = EnvHost<WebObservation, WebAction>;
export type WebOpening = Opening<WebObservation, WebAction>;
export type Playing = { readonly env: Env<WebObservation, WebAction>; readonly opening: WebOpening };

/** Opens the env, plays its first task of dev and closes everything. */
export async function onFirst<T>(
  config: z.input<typeof webConfig>,
  play: (playing: Playing, host: WebHost) => Promise<T>,
): Promise<T> {
  const host = await openEnv(webEnv, config, context);
  try {
    const env = await host.create();
    try {
      return await play({ env, opening: await env.reset({ panel: 'dev', index: 0 }, context) }, host);
    } finally {
      await env.close();
    }
  } finally {
    await host.close();
  }
}

/** The id of the first element of that role and name, or one that does not exist. */
export function named({ observation }: Pick<WebOpening, 'observation'>, role: string, name: RegExp): string {
  const found = [...nodesOf(observation.content)].find((node) => node.role === role && name.test(node.name));
  return found?.id ?? 'e9999';
}

/**
 * The smallest core by the convention, with the parts of the original. Its globals are declared by `var`, and an episode needs its end timer to end. It has
 * a cover, a display with clock and score, a canvas that shows clicks, and an utterance with fields.
 */
export const foreignCore = readFixture('pages/foreign-pages/core.js');

/** A page of that core: press one of three buttons. */
export const foreignPage = readFixture('pages/foreign-pages/two-buttons.html');

/** A page of that core that asks for `go`, with a body and scripts of its own. */
export const pageWith = (
  body: string,
  script = '',
): string => `<!doctype html><title>go</title><script src="../core/core.js"></script><div id="query">Press "go"</div>${body}
<script>var genProblem = function () {}; ${script}; window.onload = function () { core.startEpisode(); };</script>`;
