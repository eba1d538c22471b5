import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { messageOf, RunError } from '../../../core/errors.ts';
import { abortable, settlesWithin, sleep } from '../../../core/waiting.ts';
import { makeBrowserFolder, removeBrowserFolder } from './browser-folder.ts';
import type { BrowserProgram } from './find-browser.ts';
import { TabOrder } from '../actions/tab-order.ts';

/** A browser that runs, with the one folder that is its own. */
export interface LaunchedBrowser {
  readonly context: BrowserContext;
  readonly order: TabOrder;
  /** Asks it for a sign of life, and kills it with all its processes where none comes soon. */
  check(): Promise<void>;
  /** Ends it, by force where it does not heed soon, and removes its folder. */
  close(): Promise<void>;
}

export interface LaunchOptions {
  readonly program: BrowserProgram;
  /** The address of the gateway for what the browser wants on its own account. */
  readonly proxy: string;
  readonly timeoutMs: number;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
}

/** A browser that works answers at once, however busy its pages are: they are other processes. */
const answerMs = 3000;

/** What it may take to end of itself. */
const closeMs = 2000;

/** Chromium's sandbox does not work for root, so that it is started as nobody. */
const nobody = 65_534;

/** Bytes of memory that a process of a page may write to: one that wants more crashes its tab. The kernel sees to it, where it is Linux. */
const mostOfPage = 1.5 * 2 ** 30;

/** The same for the browser's own process, in KiB. It holds what pages put into blobs, where Chromium itself lets a context have 2 GiB and no more: none ends it alone. */
const mostOfBrowserKiB = 6 * 2 ** 20;

/** No child of ours inherits our environment: secrets live there. */
const environmentOf = (folder: string): Record<string, string> => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: folder,
  TMPDIR: folder,
  XDG_CONFIG_HOME: folder,
  XDG_CACHE_HOME: folder,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
});

/** What Playwright turns off for its own sake: of two such lists Chromium heeds the last, which is ours. */
const driverUnwanted = [
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'NetworkTimeServiceQuerying',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** What would speak to others. */
const talkative = [
  'AutofillServerCommunication',
  'OptimizationHints',
  'Translate',
  'MediaRouter',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'CertificateTransparencyComponentUpdater',
];

/** Toolbars that are pages themselves: each context would have processes of 160 MB for a window that nobody sees, and spend a second on them. */
const windowDressing = [
  'InitialWebUI',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
  'WebUIToolbar',
];

/** Keeps tasks of a page back until what the mouse or a key did is drawn: now before and now after its clock goes on. */
const hurries = ['DeferRendererTasksAfterInput'];

/** That there is a mouse, as Playwright says: here too Chromium heeds the last, which is ours. */
const mouseSettings = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
];

/** All traffic goes to the proxy, loopback's too; nothing is fetched on the browser's own account; frames are drawn as soon as they can be. */
const argumentsFor = (proxy: string): readonly string[] => [
  `--proxy-server=${proxy}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--no-first-run',
  '--no-pings',
  '--disable-frame-rate-limit',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  `--disable-features=${[...driverUnwanted, ...talkative, ...windowDressing, ...hurries].join(',')}`,
  '--lang=en-US',
  `--blink-settings=${[...mouseSettings, 'imageAnimationPolicy=2', 'scrollAnimatorEnabled=false'].join(',')}`, // no picture moves, nor do SVG's own animations, and wheel and keys scroll at once
  '--js-flags=--max-old-space-size=512', // a page that eats memory crashes its own tab; where it is one of many small things, its episode's patience may end before
];

/**
 * Starts a browser with its sandbox on, also where we are root: then as nobody, through a script of its own. It ends with us, however we
 * end: it is steered through a pipe, and ends when that breaks.
 *
 * @throws RunError when it does not start in time
 */
export async function launchBrowser({
  program,
  proxy,
  timeoutMs,
  signal,
}: LaunchOptions): Promise<LaunchedBrowser> {
  signal?.throwIfAborted();
  const folder = await makeBrowserFolder();
  try {
    const executablePath = await runnable(program.path, folder);
    const { chromium } = await import('playwright-core'); // a second of loading, for who launches one
    const launching = chromium.launchPersistentContext(folder, {
      executablePath,
      chromiumSandbox: true,
      headless: true,
      args: [...argumentsFor(proxy)],
      env: environmentOf(folder),
      timeout: timeoutMs,
      handleSIGINT: false, // whoever holds it closes it, after the episodes under way
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    return await started(launching, { folder, signal });
  } catch (thrown) {
    await removeBrowserFolder(folder);
    throw notStarted(program, thrown);
  }
}

/**
 * Waits for a browser until it is given up or its process ends: Playwright, which may be talking to its first page by then, would wait for
 * an answer until its own time is over.
 */
async function started(
  launching: Promise<BrowserContext>,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal | undefined },
): Promise<LaunchedBrowser> {
  const watching = new AbortController();
  const whole = launching.then(async (context) =>
    running(context, { folder, order: await TabOrder.of(browserOf(context)), pid: await numberOf(folder) }),
  );
  try {
    const given = [watching.signal, ...(signal === undefined ? [] : [signal])];
    void untilEnded(folder, watching);
    return await abortable(AbortSignal.any(given), whole);
  } catch (thrown) {
    launching.then((context) => context.close()).catch(() => undefined); // it may yet come
    await killStarting(folder, launching);
    throw thrown;
  } finally {
    watching.abort();
  }
}

function browserOf(context: BrowserContext): Browser {
  const browser = context.browser();
  if (browser === null) throw new Error('the browser ended.');
  return browser;
}

/** How often a browser that starts is looked after, and how long Playwright has to tell by itself that it ended. */
const watchMs = 100;
const tellMs = 1000;

/** Aborts when the browser's process, which has been there, is there no more. */
async function untilEnded(folder: string, watching: AbortController): Promise<void> {
  while (!watching.signal.aborted && (await lives(folder)) !== false) await sleep(watchMs);
  if (watching.signal.aborted) return;
  await sleep(tellMs);
  watching.abort(new Error('it ended while it was starting'));
}

/** Undefined where it has not begun. */
async function lives(folder: string): Promise<boolean | undefined> {
  const pid = await numberOf(folder);
  if (pid === undefined) return undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Kills a browser that is starting, or that is just about to. */
async function killStarting(folder: string, launching: Promise<unknown>): Promise<void> {
  for (const late = AbortSignal.timeout(closeMs); !late.aborted; await sleep(watchMs)) {
    if (await killTree(folder)) return;
    if (await settlesWithin(0, launching)) return;
  }
}

/** @param own `pid`: kept, since its folder may be removed by somebody to whom this process looks dead, in another namespace of pids */
function running(
  context: BrowserContext,
  own: { readonly folder: string; readonly order: TabOrder; readonly pid: number | undefined },
): LaunchedBrowser {
  const { folder, order, pid } = own;
  let isEnded = false;
  const ended = new Promise<void>((resolve) => {
    context.once('close', () => {
      isEnded = true;
      resolve();
    });
  });
  const kill = async (): Promise<void> => {
    if (!isEnded && pid !== undefined) killGroup(pid); // else its number may be another's by now
    await settlesWithin(closeMs, ended);
  };
  let checking: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  return {
    context,
    order,
    check: () =>
      (checking ??= (async () => {
        const isAlive = signOfLife(context);
        if (!(await settlesWithin(answerMs, isAlive)) || !(await isAlive)) await kill();
        checking = undefined;
      })()),
    close: () =>
      (closing ??= (async () => {
        if (!(await settlesWithin(closeMs, context.close()))) await kill();
        await removeBrowserFolder(folder);
      })()),
  };
}

/** False where it has ended. */
async function signOfLife(context: BrowserContext): Promise<boolean> {
  try {
    const session = await context.browser()?.newBrowserCDPSession();
    await session?.detach();
    return session !== undefined;
  } catch {
    return false;
  }
}

/** The file in which the start script leaves the number of its process, which becomes the browser's, the first of its group. */
const numberFile = 'pid';

/** The number of the browser's process; undefined where it has not begun. */
async function numberOf(folder: string): Promise<number | undefined> {
  const pid = Number(await readFile(join(folder, numberFile), 'utf8').catch(() => ''));
  return pid > 0 ? pid : undefined;
}

/** False where there is none yet. */
async function killTree(folder: string): Promise<boolean> {
  const pid = await numberOf(folder);
  if (pid === undefined) return false;
  killGroup(pid);
  return true;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

/** A script in the browser's folder: it says which process it is, gives root up, where that is who we are, and bounds what each process may take. */
async function runnable(program: string, folder: string): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, nobody, nobody);
  const asNobody = isRoot ? `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups ` : '';
  const script = join(folder, 'start.sh');
  const lines = [
    '#!/bin/sh',
    `ulimit -d ${mostOfBrowserKiB}`,
    `echo $$ > "\${0%/*}/${numberFile}"`,
    `exec ${asNobody}'${program.replaceAll("'", String.raw`'\''`)}' --zygote-cmd-prefix='prlimit --data=${mostOfPage}' "$@"`, // what starts all processes of pages
  ];
  await writeFile(script, `${lines.join('\n')}\n`, { mode: 0o755 });
  return script;
}

/** What browsers say everywhere that no desktop is. */
const harmless = /\bdbus\b|\bD-Bus\b|\bthe bus\b/i;

function notStarted({ path, origin }: BrowserProgram, thrown: unknown): RunError {
  const text = messageOf(thrown);
  const own = [...text.matchAll(/\[err\] (.*)$/gm)]
    .map(([, line = '']) => line)
    .find((line) => !harmless.test(line));
  const [, code, killer = 'null'] = /<process did exit: exitCode=(\w+), signal=(\w+)/.exec(text) ?? [];
  const [first = ''] = text.split('\n');
  const ended = code === undefined ? first : `it ended at once, with exit code ${code}, as no browser does`;
  return new RunError(
    {
      where: `the browser ${path}`,
      what: `it did not start: ${killer === 'null' ? (own ?? ended) : `it was killed (${killer})`}.`,
      fix: `${origin === 'configured' ? 'See that browserPath names a Chromium or Chrome of a recent version' : 'See that it starts from a shell (`chromium --headless --dump-dom about:blank`)'}; in a container its sandbox needs user namespaces.`,
    },
    { cause: thrown },
  );
}
