// Brings what the Docker sandboxes need: a daemon that answers, started here where none does, and the image that programs run in.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import path from 'node:path';

/** Beside the daemon's socket, its log, and why it would not start. */
const home = '/run/cairn-docker';
const ownSocket = `${home}/docker.sock`;
const refusal = `${home}/refused`;
const image = 'cairn-sandbox';
/** Part of the image: another recipe makes it anew. */
const recipe = `python3 and node ${process.versions.node}, 1`;
const startMs = 60_000;
const answerMs = 5_000;

/** @typedef {(line: string) => void} Say */

/**
 * True when programs can run in containers, or when this machine cannot have a daemon at all: then the reason is said and kept where the
 * tests find it, and nothing is broken.
 * @param {Say} say
 */
export async function bringDocker(say) {
  const running = await findDaemon();
  if (process.getuid?.() !== 0) {
    if (running !== undefined && (await hasImage(running))) return true;
    say(
      `${running === undefined ? 'no Docker daemon answers: starting one' : `making the image ${image}`} takes root: run \`sudo npm run provision\`.`,
    );
    return false;
  }
  mkdirSync(home, { recursive: true, mode: 0o755 });
  rmSync(refusal, { force: true });
  const socket = running ?? (await startDaemon(say));
  if (socket === undefined) return false;
  if (socket === refusal) return true;
  say(`a Docker daemon answers at ${socket}`);
  if (!(await bringImage(socket, say))) return false;
  const complaint = tryOut(socket);
  if (complaint === undefined) return true;
  return refuse(`its daemon starts no container: ${complaint}`, say) === refusal;
}

/** Where a daemon answers, if one does. */
async function findDaemon() {
  const named = /^unix:\/\/(.+)$/.exec(process.env['DOCKER_HOST'] ?? '')?.[1];
  for (const socket of named === undefined ? ['/var/run/docker.sock', ownSocket] : [named]) {
    if (existsSync(socket) && (await request(socket, { path: '/_ping' }))?.status === 200) return socket;
  }
  return undefined;
}

/**
 * The socket of the daemon that was started; `refusal` where none can be.
 * @param {Say} say
 */
async function startDaemon(say) {
  if (existsSync('/run/systemd/system')) {
    spawnSync('systemctl', ['start', 'docker'], { stdio: ['ignore', process.stderr, process.stderr] });
    const socket = await findDaemon();
    return socket ?? refuse('systemd did not start its daemon: `systemctl status docker` says more', say);
  }
  const log = `${home}/dockerd.log`;
  const words = [
    '--data-root',
    '/var/lib/cairn-docker',
    '--exec-root',
    `${home}/exec`,
    '--pidfile',
    `${home}/pid`,
    '--host',
    `unix://${ownSocket}`,
  ];
  // containers of sandboxes have no network: so none is set up, which also works where the kernel has no packet filter
  const noNetwork = ['--iptables=false', '--ip6tables=false', '--ip-masq=false', '--bridge=none'];
  const output = openSync(log, 'w');
  const daemon = spawn('dockerd', [...words, ...noNetwork, '--log-level=warn'], {
    stdio: ['ignore', output, output],
    detached: true,
  });
  let ended = false;
  daemon.on('exit', () => (ended = true)).on('error', () => (ended = true));
  for (let waited = 0; waited < startMs && !ended; waited += 200) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if ((await request(ownSocket, { path: '/_ping' }))?.status !== 200) continue;
    daemon.unref();
    say(
      `a Docker daemon was started: socket ${ownSocket}, log ${log}; stop it with \`kill $(cat ${home}/pid)\``,
    );
    return ownSocket;
  }
  if (!ended) daemon.kill();
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
  return refuse(
    `no daemon can run here: ${last === '' ? `it did not answer within ${startMs / 1000} s` : last}`,
    say,
  );
}

/** @type {(why: string, say: Say) => string} */
function refuse(why, say) {
  writeFileSync(refusal, `${why}\n`);
  say(`Docker cannot be used on this machine: ${why}. Its suites will be skipped.`);
  return refusal;
}

/** @type {(socket: string, say: Say) => Promise<boolean>} */
async function bringImage(socket, say) {
  if (await hasImage(socket)) {
    say(`the image ${image} is there`);
    return true;
  }
  say(`the image ${image} is made: a minute or two`);
  const folder = mkdtempSync('/var/tmp/cairn-image-');
  try {
    return await makeImage(socket, { folder: path.join(folder, 'root'), say });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @type {(socket: string) => Promise<boolean>} */
async function hasImage(socket) {
  const found = await request(socket, { path: `/images/${image}/json` });
  return (
    found?.status === 200 && found.body.includes(JSON.stringify({ 'cairn-gym.recipe': recipe }).slice(1, -1))
  );
}

/** @type {(socket: string, what: { folder: string, say: Say }) => Promise<boolean>} */
async function makeImage(socket, { folder, say }) {
  if (readMirror().mirror === undefined)
    spawnSync('apt-get', ['update'], { stdio: ['ignore', process.stderr, process.stderr] }); // lists may have been removed
  const { mirror, suite, proxy } = readMirror();
  if (mirror === undefined) {
    say(`apt knows no mirror of ${suite}: see that its sources name one.`);
    return false;
  }
  const env = {
    ...process.env,
    ...(proxy === '' ? {} : { http_proxy: proxy }),
    PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
  };
  const words = ['--variant=minbase', '--include=python3', suite, folder, mirror];
  if (spawnSync('debootstrap', words, { stdio: ['ignore', 'ignore', process.stderr], env }).status !== 0) {
    say(`debootstrap could not fetch ${suite} from ${mirror}; its own words stand above.`);
    return false;
  }
  for (const needless of [
    'var/cache/apt',
    'var/lib/apt/lists',
    'usr/share/doc',
    'usr/share/locale',
    'usr/share/man',
  ])
    rmSync(path.join(folder, needless), { recursive: true, force: true });
  const node = '/usr/local/bin/node';
  cpSync(process.execPath, path.join(folder, node), { dereference: true });
  if (spawnSync('chroot', [folder, node, '--version'], { stdio: 'ignore', env }).status !== 0) {
    rmSync(path.join(folder, node)); // it leans on libraries of this system
    say('this Node needs more than its own binary: the image has no JavaScript.');
  }
  const tar = spawn('tar', ['-C', folder, '-c', '.'], { stdio: ['ignore', 'pipe', process.stderr] });
  const changes = new URLSearchParams({
    fromSrc: '-',
    repo: image,
    tag: 'latest',
    changes: `LABEL cairn-gym.recipe="${recipe}"`,
  });
  const made = await request(socket, {
    path: `/images/create?${changes.toString()}`,
    method: 'POST',
    body: tar.stdout,
    ms: 10 * 60_000,
  });
  if (made?.status === 200 && !/"error"/.test(made.body)) return true;
  say(`the daemon did not take the image: ${made?.body.trim() ?? 'it does not answer'}`);
  return false;
}

/** The mirror and suite that apt takes packages of this system from. */
function readMirror() {
  const release = readFileSync('/etc/os-release', 'utf8');
  const suite = /^VERSION_CODENAME=(\S+)$/m.exec(release)?.[1] ?? 'stable';
  const targets = spawnSync(
    'apt-get',
    ['indextargets', '--format', '$(CODENAME) $(COMPONENT) $(REPO_URI)', 'Created-By: Packages'],
    { encoding: 'utf8' },
  ).stdout;
  const mirror = targets
    .split('\n')
    .find((line) => line.startsWith(`${suite} main `))
    ?.split(' ')[2];
  const proxy = spawnSync('apt-config', ['shell', 'proxy', 'Acquire::http::Proxy'], {
    encoding: 'utf8',
  }).stdout;
  return { mirror, suite, proxy: /^proxy='(.*)'$/m.exec(proxy)?.[1] ?? '' };
}

/**
 * What is wrong when a container is run under limits; undefined when nothing is.
 * @param {string} socket
 */
function tryOut(socket) {
  const limits = [
    '--network',
    'none',
    '--init',
    '--read-only',
    '--cap-drop',
    'ALL',
    '--memory',
    '64m',
    '--pids-limit',
    '32',
    '--cpus',
    '1',
  ];
  const words = ['--host', `unix://${socket}`, 'run', '--rm', ...limits, image, 'true'];
  const { status, stderr } = spawnSync('docker', words, { encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? undefined : (stderr ?? '').trim().split('\n').at(-1) || 'no word of why';
}

/**
 * @param {string} socketPath
 * @param {{ path: string, method?: string, body?: NodeJS.ReadableStream, ms?: number }} what
 * @returns {Promise<{ status: number | undefined, body: string } | undefined>} undefined when nobody answers
 */
function request(socketPath, { path: place, method = 'GET', body, ms = answerMs }) {
  return new Promise((resolve) => {
    const asked = http.request(
      {
        socketPath,
        path: place,
        method,
        timeout: ms,
        headers: body === undefined ? {} : { 'content-type': 'application/x-tar' },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (/** @type {string} */ part) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode, body: text }));
        answer.on('error', () => resolve(undefined));
      },
    );
    asked.on('timeout', () => asked.destroy()).on('error', () => resolve(undefined));
    if (body === undefined) asked.end();
    else body.pipe(asked);
  });
}
