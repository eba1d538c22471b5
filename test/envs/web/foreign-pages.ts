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

export const context: Context = createContext({ seed: 1, now: () => 0 });
export type WebHost = EnvHost<WebObservation, WebAction>;
export type WebOpening = Opening<WebObservation, WebAction>;
export type Playing = { readonly env: Env<WebObservation, WebAction>; readonly opening: WebOpening };

/** Opens the env, plays its first task of dev and closes all. */
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

/** The id of the first element of that role and name; of none, where there is none. */
export function named({ observation }: Pick<WebOpening, 'observation'>, role: string, name: RegExp): string {
  const found = [...nodesOf(observation.content)].find((node) => node.role === role && name.test(node.name));
  return found?.id ?? 'e9999';
}

/**
 * A core by the convention, as small as can be, with what the original has: globals by `var`, a cover, an end timer that an episode needs to end, a display
 * with clock and score, a canvas that shows clicks, an utterance with fields.
 */
export const foreignCore = `var core = core || {};
var WOB_REWARD_GLOBAL = 0, WOB_RAW_REWARD_GLOBAL = 0, WOB_REWARD_REASON = null, WOB_DONE_GLOBAL = false, WOB_EPISODE_ID = 0, WOB_TASK_READY = true;
Math.seedrandom = function (seed) { var state = seed; Math.random = function () { state = (state * 16807 + 1) % 2147483647; return state / 2147483647; }; };
core.EPISODE_MAX_TIME = 10000;
core.EP_TIMER = null;
core.createDisplay = function () {
  if (document.getElementById('reward-display') !== null) return;
  var canvas = document.createElement('canvas'); canvas.id = 'click-canvas'; canvas.width = 160; canvas.height = 210; document.body.appendChild(canvas);
  canvas.getContext('2d').fillRect(0, 0, 160, 210);
  var display = document.createElement('div'); display.id = 'reward-display'; display.innerHTML = 'Last reward: <span id="reward-last">-</span> Time left: <span id="timer-countdown" style="visibility: visible">-</span>'; document.body.appendChild(display);
};
core.countdown = function () { var left = core.EPISODE_MAX_TIME / 1000; clearInterval(core.CD_TIMER); core.CD_TIMER = setInterval(function () { left -= 1; document.getElementById('timer-countdown').textContent = left + ' / ' + core.EPISODE_MAX_TIME / 1000 + 'sec'; }, 1000); };
core.startEpisode = function () { core.createDisplay(); core.cover_div = document.createElement('div'); core.cover_div.id = 'sync-task-cover'; core.cover_div.innerHTML = 'START'; core.cover_div.onclick = function () { core.startEpisodeReal(); }; document.body.appendChild(core.cover_div); };
core.startEpisodeReal = function () { if (core.cover_div) core.cover_div.style.display = 'none'; genProblem(); WOB_DONE_GLOBAL = false; core.ept0 = new Date().getTime(); core.createDisplay(); core.countdown(); clearTimeout(core.EP_TIMER); core.EP_TIMER = setTimeout(function () { core.endEpisode(-1, false, 'timed out'); }, core.EPISODE_MAX_TIME); };
core.endEpisode = function (reward, proportional, reason) { if (core.EP_TIMER === null) return; clearTimeout(core.EP_TIMER); core.EP_TIMER = null; var dt = new Date().getTime() - core.ept0; WOB_RAW_REWARD_GLOBAL = reward; WOB_REWARD_GLOBAL = proportional ? reward * Math.max(0, 1 - dt / core.EPISODE_MAX_TIME) : reward; WOB_REWARD_REASON = reason || null; WOB_DONE_GLOBAL = true; WOB_EPISODE_ID += 1; core.startEpisode(); };
var WOB_DATA_MODE = new URLSearchParams(location.search).get('mode') || 'default';
core.getUtterance = function () { return { utterance: document.getElementById('query').textContent, fields: { target: 'x' } }; };`;

/** A page of that core: press one of three buttons. */
export const foreignPage = `<!doctype html><title>two buttons</title><script src="../core/core.js"></script><div id="query"></div><div id="area"></div><a href="other.html">elsewhere</a>
<script>var genProblem = function () { var wanted = Math.random() < 0.5 ? 'left' : 'right'; document.getElementById('query').textContent = 'Press  ' + wanted; document.getElementById('area').innerHTML = '';
['left', 'right', 'half'].forEach(function (name) { var b = document.createElement('button'); b.textContent = name; b.onclick = function () { core.endEpisode(name === wanted ? 1 : name === 'half' ? 0.5 : -1, true); }; document.getElementById('area').appendChild(b); }); };
window.onload = function () { core.startEpisode(); };</script>`;

/** A page of that core that asks for `go`, with a body and scripts of its own. */
export const pageWith = (
  body: string,
  script = '',
): string => `<!doctype html><title>go</title><script src="../core/core.js"></script><div id="query">Press "go"</div>${body}
<script>var genProblem = function () {}; ${script}; window.onload = function () { core.startEpisode(); };</script>`;
