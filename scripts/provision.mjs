// Installs the system parts that some suites need, on Debian and its kin. What is there already is left alone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { bringDocker } from './system-parts/docker.mjs';
import { bringFacts } from './system-parts/facts.mjs';
import { bringSmollm } from './system-parts/smollm.mjs';
import { bringTensorflow } from './system-parts/tensorflow.mjs';

const libraryFolders = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
];

/** @type {(program: string) => boolean} */
const onPath = (program) =>
  [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin'].some((folder) =>
    existsSync(path.join(folder, program)),
  );

/** @type {readonly { name: string, reason: string, isThere: () => boolean }[]} Debian packages, by name */
const parts = [
  {
    name: 'chromium',
    reason:
      'its software Vulkan driver lets the webgpu backend be tested without a GPU, and pages can be played in it',
    isThere: () => existsSync('/usr/lib/chromium/vk_swiftshader_icd.json') && onPath('chromium'),
  },
  {
    name: 'chromium-headless-shell',
    reason: 'pages are played in it: without windows, contexts take half the time to make',
    isThere: () => onPath('chromium-headless-shell'),
  },
  {
    name: 'libvulkan1',
    reason: 'the webgpu backend reaches a graphics driver through it',
    isThere: () => libraryFolders.some((folder) => existsSync(path.join(folder, 'libvulkan.so.1'))),
  },
  {
    name: 'docker.io',
    reason: 'programs that nobody trusts run in its containers',
    isThere: () => onPath('dockerd') && onPath('docker'),
  },
  {
    name: 'debootstrap',
    reason: 'the image of those containers is made with it',
    isThere: () => onPath('debootstrap'),
  },
  {
    name: 'bubblewrap',
    reason: 'programs that nobody trusts run in its namespaces',
    isThere: () => onPath('bwrap'),
  },
  {
    name: 'iverilog',
    reason: 'the modules of verilog-v1 are simulated by it',
    isThere: () => onPath('iverilog') && onPath('vvp'),
  },
];

/** @type {(line: string) => void} */
const say = (line) => void process.stderr.write(`provision: ${line}\n`);

/** @param {readonly string[]} words */
function aptGet(words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const all = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', ...words];
  return spawnSync('apt-get', all, { stdio: ['ignore', process.stderr, process.stderr], env }).status === 0;
}

function installMissing() {
  const missing = parts.filter((part) => !part.isThere());
  for (const part of parts)
    say(missing.includes(part) ? `${part.name} is missing: ${part.reason}` : `${part.name} is there`);
  if (missing.length === 0) return true;
  const names = missing.map((part) => part.name);
  if (!onPath('apt-get')) {
    say(
      `this system has no apt-get: install what stands for Debian's ${names.join(', ')} with your own package manager.`,
    );
    return false;
  }
  if (process.getuid?.() !== 0) {
    say(`installing packages takes root: run \`sudo apt-get install ${names.join(' ')}\`.`);
    return false;
  }
  const install = ['install', '-y', '--no-install-recommends', ...names];
  if (!aptGet(install) && !(aptGet(['update']) && aptGet(install))) {
    say(`apt-get could not install ${names.join(', ')}; its own words stand above.`);
    return false;
  }
  const still = missing.filter((part) => !part.isThere());
  for (const part of still)
    say(`${part.name} was installed, but what Cairn looks for is not where Debian puts it.`);
  if (still.length === 0) say('all parts are there.');
  return still.length === 0;
}

const [part, ...words] = process.argv.slice(2);
/** @type {Readonly<Record<string, (say: (line: string) => void, words: readonly string[]) => Promise<boolean>>>} parts that are brought by name only */
const named = { tensorflow: bringTensorflow, smollm: bringSmollm, facts: bringFacts };
const bring = part === undefined ? undefined : Object.entries(named).find(([name]) => name === part)?.[1];
if (bring !== undefined) {
  if (!(await bring(say, words))) process.exitCode = 1;
} else if (part !== undefined) {
  say(
    `there is no part "${part}" to name: \`npm run provision\` brings all but ${Object.keys(named).join(', ')}, which are named, such as \`npm run provision -- tensorflow\`.`,
  );
  process.exitCode = 1;
} else if (!installMissing() || !(await bringDocker(say))) process.exitCode = 1;
