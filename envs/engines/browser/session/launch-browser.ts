import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { messageOf, RunError } from '../../../core/errors.ts';
import { abortable, settlesWithin, sleep } from '../../../core/waiting.ts';
import { makeBrowserFolder, removeBrowserFolder } from './browser-folder.ts';
import type { BrowserProgram } from './find-browser.ts';
import { TabOrder } from '../actions/tab-order.ts';

/** A running browser with its own folder. */
export interface LaunchedBrowser {
  readonly context: BrowserContext;
  readonly order: TabOrder;
  /** Checks that it answers, and kills it with all its processes where it does not answer soon. */
  check(): Promise<void>;
  /** Closes it, by force after a time limit, and removes its folder. */
  close(): Promise<void>;
}

export interface LaunchOptions {
  readonly program: BrowserProgram;
  /** The address of the gateway for the browser's own requests. */
  readonly proxy: string;
  readonly timeoutMs: number;
  /** Cancels the start. */
  readonly signal?: AbortSignal;
}

/**
 * Time limit of an answer in milliseconds. A working browser answers at once, however busy its pages are,
 * because they are other processes.
 */
const answerMs = 3000;

/** Time limit to end by itself, in milliseconds. */
const closeMs = 2000;

/** Chromium's sandbox does not work for root, so root starts it as nobody. */
const nobody = 65_534;

/**
 * The most bytes of memory that a process of a page may write to. A page that needs more crashes its tab. The
 * Linux kernel enforces it.
 */
const mostOfPage = 1.5 * 2 ** 30;

/**
 * The same for the browser's own process, in KiB. It holds the blobs of pages. Chromium itself allows 2 GiB
 * per context, so no single context exceeds this limit.
 */
const mostOfBrowserKiB = 6 * 2 ** 20;

/** Children do not inherit our environment, which may contain secrets. */
const environmentOf = (folder: string): Record<string, string> => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: folder,
  TMPDIR: folder,
  XDG_CONFIG_HOME: folder,
  XDG_CACHE_HOME: folder,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
});

/**
 * Features that Playwright disables for its own purposes. Chromium uses the last of two such lists, which is
 * ours.
 */
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

/** Features that would contact other machines. */
const talkative = [
  'AutofillServerCommunication',
  'OptimizationHints',
  'Translate',
  'MediaRouter',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'CertificateTransparencyComponentUpdater',
];

/**
 * Toolbars that are pages themselves. Each context would have processes of 160 MB for a window that nobody
 * sees, and spend a second on them.
 */
const windowDressing = [
  'InitialWebUI',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
  'WebUIToolbar',
];

/**
 * Delays a page's tasks until the effect of a mouse or key input is drawn, which happens sometimes before and
 * sometimes after its clock advances.
 */
const hurries = ['DeferRendererTasksAfterInput'];

/** Reports a mouse, as Playwright does. Here too Chromium uses the last setting, which is ours. */
const mouseSettings = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
];

/**
 * All traffic goes to the proxy, including that for loopback. The browser makes no requests of its own.
 * Frames are drawn as soon as possible.
 */
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
  // no animated images, no SVG animations, and wheel and keys scroll at once
  `--blink-settings=${[...mouseSettings, 'imageAnimationPolicy=2', 'scrollAnimatorEnabled=false'].join(',')}`,
  // a page that uses up memory crashes its own tab; where it uses many small pieces, its time limit may come
  // first
  '--js-flags=--max-old-space-size=512',
];

/**
 * Starts a browser with its sandbox enabled. Where we are root it runs as nobody, through a script of its
 * own. It ends with this process, however that ends: it is controlled through a pipe and ends when the pipe
 * breaks.
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
    // takes a second, so only when a browser is launched
    const { chromium } = await import('playwright-core');
    const launching = chromium.launchPersistentContext(folder, {
      executablePath,
      chromiumSandbox: true,
      headless: true,
      args: [...argumentsFor(proxy)],
      env: environmentOf(folder),
      timeout: timeoutMs,
      handleSIGINT: false, // its owner closes it, after the running episodes
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
 * Waits for a browser until the start is cancelled or its process ends. Playwright, which may already wait
 * for its first page, would wait until its own time limit.
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
    launching.then((context) => context.close()).catch(() => undefined); // it may still start
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

/**
 * Milliseconds between looks at a starting browser. Also the time that Playwright has to report its end by
 * itself.
 */
const watchMs = 100;
const tellMs = 1000;

/** Aborts when the browser's process has existed and is gone. */
async function untilEnded(folder: string, watching: AbortController): Promise<void> {
  while (!watching.signal.aborted && (await lives(folder)) !== false) await sleep(watchMs);
  if (watching.signal.aborted) return;
  await sleep(tellMs);
  watching.abort(new Error('it ended while it was starting'));
}

/** Undefined where it has not started. */
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

/** Kills a browser that is starting, or is about to start. */
async function killStarting(folder: string, launching: Promise<unknown>): Promise<void> {
  for (const late = AbortSignal.timeout(closeMs); !late.aborted; await sleep(watchMs)) {
    if (await killTree(folder)) return;
    if (await settlesWithin(0, launching)) return;
  }
}

/**
 * @param own `pid` is kept, because a process in another pid namespace, to which this one looks dead, may
 * remove the folder
 */
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
    // otherwise its id may belong to another process by now
    if (!isEnded && pid !== undefined) killGroup(pid);
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

/**
 * The file in which the start script stores its process id. That process becomes the browser, the first of
 * its group.
 */
const numberFile = 'pid';

/** The id of the browser's process; undefined where it has not started. */
async function numberOf(folder: string): Promise<number | undefined> {
  const pid = Number(await readFile(join(folder, numberFile), 'utf8').catch(() => ''));
  return pid > 0 ? pid : undefined;
}

/** False where there is no process yet. */
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

/**
 * Writes a start script into the browser's folder. It stores its process id, drops root privileges if any,
 * and limits the resources of each process.
 */
async function runnable(program: string, folder: string): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, nobody, nobody);
  const asNobody = isRoot ? `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups ` : '';
  const script = join(folder, 'start.sh');
  const lines = [
    '#!/bin/sh',
    `ulimit -d ${mostOfBrowserKiB}`,
    `echo $$ > "\${0%/*}/${numberFile}"`,
    // the process that starts all processes of pages
    `exec ${asNobody}'${program.replaceAll("'", String.raw`'\''`)}' --zygote-cmd-prefix='prlimit --data=${mostOfPage}' "$@"`,
  ];
  await writeFile(script, `${lines.join('\n')}\n`, { mode: 0o755 });
  return script;
}

/** Messages that browsers print everywhere without a desktop. */
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
      fix: `${origin === 'configured' ? 'Check that browserPath names a recent Chromium or Chrome' : 'Check that it starts from a shell (`chromium --headless --dump-dom about:blank`)'}; in a container its sandbox needs user namespaces.`,
    },
    { cause: thrown },
  );
}
