import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { UsageError } from '../../../core/errors.ts';

/** A browser's program, and how it was found. */
export interface BrowserProgram {
  readonly path: string;
  readonly origin: 'configured' | 'system' | 'playwright';
}

/**
 * Commands of Chromium and Chrome. The headless shell is first, because its contexts take half the time to
 * create.
 */
const commands: readonly string[] = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/**
 * Folders where packages put commands: those of systems, Snap, Homebrew and NixOS. The `PATH` of the process
 * is not used, so that a run finds the same browser however it was started.
 */
const commandFolders: readonly string[] = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/run/current-system/sw/bin',
];

const systemPaths: readonly string[] = [
  // Debian's own command is a shell script that would remain as a process in between
  '/usr/lib/chromium/chromium-headless-shell',
  ...commands.flatMap((command) => commandFolders.map((folder) => `${folder}/${command}`)),
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const howToGetOne =
  'Install one (`npm run provision` on Debian as root, or `apt-get install chromium-headless-shell`), fetch the one that Playwright publishes (`npx playwright-core install chromium`), or name yours with the config key browserPath.';

/**
 * Finds the browser: the configured one, else the system's headless shell of Chromium, its Chromium or its
 * Chrome, else the one that Playwright has downloaded.
 *
 * @throws UsageError where the configured one is not a program, and where there is none
 */
export async function findBrowser(configured?: string): Promise<BrowserProgram> {
  if (configured !== undefined) {
    if (await isProgram(configured)) return { path: configured, origin: 'configured' };
    throw new UsageError({
      where: `browserPath ${configured}`,
      what: 'there is no executable program.',
      fix: 'Name the program of a Chromium or Chrome, or remove the key.',
    });
  }
  for (const path of systemPaths) if (await isProgram(path)) return { path, origin: 'system' };
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  if (await isProgram(path)) return { path, origin: 'playwright' };
  throw new UsageError({
    where: 'the browser',
    what: `no Chromium was found, neither in the system nor at ${path}.`,
    fix: howToGetOne,
  });
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile(); // the executable bit of a folder means something else
  } catch {
    return false;
  }
}
