import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { messageOf, RunError } from '../../core/errors.ts';
import { makeBrowserFolder, removeBrowserFolder } from './browser-folder.ts';
import type { BrowserProgram } from './find-browser.ts';
import { settledWithin } from './settled-within.ts';

/** A browser that runs, with the one folder that is its own. */
export interface LaunchedBrowser {
  readonly context: BrowserContext;
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

/** Memory that a process of the browser may write to, in KiB: a page that wants more crashes its tab. The kernel sees to it, where it is Linux. */
const mostKiB = 1_536 * 1024;

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
const driverUnwanted = ['AimEnabled', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'NetworkTimeServiceQuerying', 'PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning'];

/** What would speak to others. */
const talkative = ['AutofillServerCommunication', 'OptimizationHints', 'Translate', 'MediaRouter', 'DialMediaRouteProvider', 'InterestFeedContentSuggestions', 'CertificateTransparencyComponentUpdater'];

/** Toolbars that are pages themselves: each context would have processes of 160 MB for a window that nobody sees, and spend a second on them. */
const windowDressing = ['InitialWebUI', 'PreloadTopChromeWebUI', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxPopup', 'WebUIToolbar'];

/** Keeps tasks of a page back until what the mouse or a key did is drawn: now before and now after its clock goes on. */
const hurries = ['DeferRendererTasksAfterInput'];

/** That there is a mouse, as Playwright says: here too Chromium heeds the last, which is ours. */
const mouseSettings = ['primaryHoverType=2', 'availableHoverTypes=2', 'primaryPointerType=4', 'availablePointerTypes=4'];

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
  '--js-flags=--max-old-space-size=512', // a page that eats memory crashes its own tab, and soon
];

/**
 * Starts a browser with its sandbox on, also where we are root: then as nobody, through a script of its own. It ends with us, however we
 * end: it is steered through a pipe, and ends when that breaks.
 *
 * @throws RunError when it does not start in time
 */
export async function launchBrowser({ program, proxy, timeoutMs, signal }: LaunchOptions): Promise<LaunchedBrowser> {
  signal?.throwIfAborted();
  const folder = await makeBrowserFolder();
  const giveUp = (): void => void killTree(folder);
  try {
    const executablePath = await runnable(program.path, folder);
    signal?.addEventListener('abort', giveUp, { once: true });
    const context = await chromium.launchPersistentContext(folder, {
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
    return running(context, folder);
  } catch (thrown) {
    await removeBrowserFolder(folder);
    throw notStarted(program, thrown);
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

function running(context: BrowserContext, folder: string): LaunchedBrowser {
  let isEnded = false;
  const ended = new Promise<void>((resolve) => {
    context.once('close', () => {
      isEnded = true;
      resolve();
    });
  });
  const kill = async (): Promise<void> => {
    if (!isEnded) await killTree(folder); // else its number may be another's by now
    await settledWithin(closeMs, ended);
  };
  let checking: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  return {
    context,
    check: () =>
      (checking ??= (async () => {
        const isAlive = signOfLife(context);
        if (!(await settledWithin(answerMs, isAlive)) || !(await isAlive)) await kill();
        checking = undefined;
      })()),
    close: () =>
      (closing ??= (async () => {
        if (!(await settledWithin(closeMs, context.close()))) await kill();
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

async function killTree(folder: string): Promise<void> {
  const pid = Number(await readFile(join(folder, numberFile), 'utf8').catch(() => ''));
  if (!(pid > 0)) return;
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
  await writeFile(script, `#!/bin/sh\nulimit -d ${mostKiB}\necho $$ > "\${0%/*}/${numberFile}"\nexec ${asNobody}'${program.replaceAll("'", String.raw`'\''`)}' "$@"\n`, { mode: 0o755 });
  return script;
}

function notStarted({ path, origin }: BrowserProgram, thrown: unknown): RunError {
  const [first = ''] = messageOf(thrown).split('\n');
  const own = /\[err\] (.*)$/m.exec(messageOf(thrown))?.[1];
  const code = /<process did exit: exitCode=(\d+)/.exec(messageOf(thrown))?.[1];
  const ended = code === undefined ? first : `it ended at once, with exit code ${code}, as no browser does`;
  return new RunError(
    {
      where: `the browser ${path}`,
      what: `it did not start: ${own ?? ended}.`,
      mend: `${origin === 'configured' ? 'See that browserPath names a Chromium or Chrome of a recent version' : 'See that it starts from a shell (`chromium --headless --dump-dom about:blank`)'}; in a container its sandbox needs user namespaces.`,
    },
    { cause: thrown },
  );
}
