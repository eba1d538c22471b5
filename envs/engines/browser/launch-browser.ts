import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { codeOf, messageOf, RunError } from '../../core/errors.ts';
import type { BrowserProgram } from './find-browser.ts';

/** A browser that runs, with the one folder that is its own. */
export interface LaunchedBrowser {
  readonly context: BrowserContext;
  /** Ends it, by force where it does not heed, and removes its folder. */
  close(): Promise<void>;
}

export interface LaunchOptions {
  readonly program: BrowserProgram;
  /** The address of the gateway. */
  readonly proxy: string;
  readonly timeoutMs: number;
}

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
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  `--disable-features=${[...driverUnwanted, ...talkative, ...windowDressing].join(',')}`,
  '--lang=en-US',
  '--js-flags=--max-old-space-size=512', // a page that eats memory crashes its own tab, and soon
];

/**
 * Starts a browser with its sandbox on, also where we are root: then as nobody, through a script of its own. It ends with us, however we
 * end: it is steered through a pipe, and ends when that breaks.
 *
 * @throws RunError when it does not start in time
 */
export async function launchBrowser({ program, proxy, timeoutMs }: LaunchOptions): Promise<LaunchedBrowser> {
  await sweepFolders();
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  try {
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: await runnable(program.path, folder),
      chromiumSandbox: true,
      headless: true,
      args: [...argumentsFor(proxy)],
      env: environmentOf(folder),
      timeout: timeoutMs,
      handleSIGINT: false, // whoever holds it closes it, after the episodes under way
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    return {
      context,
      close: async () => {
        await context.close().catch(() => undefined); // a browser that is gone is closed
        await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      },
    };
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw notStarted(program, thrown);
  }
}

const folderPrefix = 'cairn-browser-';

/** Removes the folders of browsers whose holder was killed. What is not ours stays: it cannot be removed. */
async function sweepFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const holder = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1];
    if (holder === undefined || isAlive(Number(holder))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== 'ESRCH';
  }
}

/** A script in the browser's folder: it gives root up, where that is who we are, and bounds what each process may take. */
async function runnable(program: string, folder: string): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, nobody, nobody);
  const asNobody = isRoot ? `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups ` : '';
  const script = join(folder, 'start.sh');
  await writeFile(script, `#!/bin/sh\nulimit -d ${mostKiB}\nexec ${asNobody}'${program.replaceAll("'", String.raw`'\''`)}' "$@"\n`, { mode: 0o755 });
  return script;
}

function notStarted({ path, origin }: BrowserProgram, thrown: unknown): RunError {
  const [first = ''] = messageOf(thrown).split('\n');
  const own = /\[err\] (.*)$/m.exec(messageOf(thrown))?.[1];
  return new RunError(
    {
      where: `the browser ${path}`,
      what: `it did not start: ${own ?? first}.`,
      mend: `${origin === 'configured' ? 'See that browserPath names a Chromium or Chrome of a recent version' : 'See that it starts from a shell (`chromium --headless --dump-dom about:blank`)'}; in a container its sandbox needs user namespaces.`,
    },
    { cause: thrown },
  );
}
