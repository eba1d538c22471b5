import { buildIsCurrent, build, compilerIsThere } from './build.mjs';
import { acceptInstalled, dependenciesAreCurrent, install, underSetUp } from './install.mjs';
import { withLock } from './lock.mjs';

/** @type {(line: string) => void} */
const say = (line) => void process.stderr.write(`set-up: ${line}\n`);

/**
 * Installs and builds what is missing or out of date, one process at a time. `--prepare` is for npm, which installs by itself and then
 * asks for the build: of a Git checkout that someone names as a dependency, and after `npm install` in a clone.
 * @param {readonly string[]} flags
 */
export async function run(flags) {
  const unknown = flags.find((flag) => flag !== '--build' && flag !== '--prepare');
  if (unknown !== undefined)
    throw new Error(`there is no option ${unknown}. The options are --build and --prepare.`);
  if (flags.includes('--prepare')) return await prepare();
  const wantsBuild = flags.includes('--build');
  if (dependenciesAreCurrent() && (!wantsBuild || buildIsCurrent())) return;
  await withLock(say, async () => {
    if (!dependenciesAreCurrent()) await install(say); // asked again: the process we waited for may have done it
    if (wantsBuild && !buildIsCurrent()) await build(say);
  });
}

/** Builds with what npm has installed. A set-up that started npm builds by itself, and holds the lock meanwhile. */
async function prepare() {
  if (process.env[underSetUp] !== undefined) return;
  acceptInstalled();
  if (buildIsCurrent()) return;
  if (!compilerIsThere()) return say('not built: the compiler is not installed. `npm run build` installs it');
  await withLock(say, async () => {
    if (!buildIsCurrent()) await build(say);
  });
}
