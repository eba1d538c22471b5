import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';
import type Dockerode from 'dockerode';
import { codeOf, FaultError, messageOf, UsageError } from '../../envs/core/errors.ts';
import { withinMs } from '../../envs/core/waiting.ts';
import { failed } from '../faults.ts';

/**
 * A connection to a Docker daemon. Every request has a deadline, and every failure is a fault. Disposing it
 * cuts pending requests.
 */
export interface Daemon extends Disposable {
  readonly socketPath: string;
  /**
   * Makes a request. A daemon that is known to be silent first has to answer a ping. So a series of requests
   * does not wait for one deadline after the other.
   *
   * @param what part of the fault's message, such as `start a container`
   */
  ask<T>(what: string, request: (docker: Dockerode, signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Reports that the daemon left something unanswered. */
  suspect(): void;
}

/** The usual sockets of a daemon: the system's, the user's, and that of `npm run provision`. */
export const usualSockets = (): readonly string[] => [
  '/var/run/docker.sock',
  `/run/user/${process.getuid?.() ?? 0}/docker.sock`,
  '/run/cairn-docker/docker.sock',
];

const provision = '`npm run provision` installs and starts one (Debian, as root)';
const probeMs = 5_000;
/** How long an idle connection is kept for the next request, in milliseconds. */
const idleMs = 5_000;

/**
 * Connects to a daemon.
 *
 * @throws FaultError with a fix where none answers
 */
export async function connect(host: string | undefined, answerMs: number): Promise<Daemon> {
  const Docker = await load();
  const sockets = host === undefined || host === '' ? usualSockets() : [socketOf(host)];
  const reasons: string[] = [];
  for (const socketPath of sockets) {
    const refused = await whyRefused(socketPath);
    if (refused === undefined) return daemonAt(Docker, socketPath, answerMs);
    reasons.push(refused);
  }
  const known = reasons.filter((reason) => !reason.includes('is not there'));
  const told = known.length > 0 ? known.join('; ') : reasons.join('; ');
  throw failed(
    'open',
    `no Docker daemon answers: ${told}. Start one, or name its socket in DOCKER_HOST; ${provision}`,
  );
}

function daemonAt(Docker: typeof Dockerode, socketPath: string, answerMs: number): Daemon {
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  // without `host` here, dockerode would use DOCKER_HOST
  const options = { socketPath, host: undefined, protocol: 'http', agent } as const;
  const docker = new Docker(options);
  const silence = new Silence(docker, Math.min(answerMs, probeMs));
  return {
    socketPath,
    suspect: () => silence.begin(),
    ask: async (what, request) => {
      try {
        await silence.assertOver();
        return await answerWithin(answerMs, (signal) => request(docker, signal));
      } catch (thrown) {
        if (FaultError.is(thrown)) throw thrown;
        if (thrown instanceof Unanswered) silence.begin();
        throw failed(
          'exec',
          `the Docker daemon at ${socketPath} could not ${what}: ${messageOf(thrown).trim()}`,
          thrown,
        );
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

class Unanswered extends Error {}

async function answerWithin<T>(ms: number, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  try {
    return await withinMs(ms, request(late.signal), () => new Unanswered(`no answer within ${ms / 1000} s`));
  } catch (thrown) {
    late.abort();
    throw thrown;
  }
}

/** The state of a daemon that has left something unanswered. */
class Silence {
  readonly #docker: Dockerode;
  readonly #trialMs: number;
  #isSuspected = false;
  /** The last ping. */
  #trial: Promise<void> | undefined;

  constructor(docker: Dockerode, trialMs: number) {
    this.#docker = docker;
    this.#trialMs = trialMs;
  }

  begin(): void {
    this.#isSuspected = true;
  }

  /**
   * Waits for the end of the silence.
   *
   * @throws Unanswered while the daemon is silent
   */
  async assertOver(): Promise<void> {
    if (!this.#isSuspected) return;
    this.#trial ??= this.#try();
    await this.#trial;
  }

  /** Pings the daemon. A failed ping counts as long as it took. A refusal is an answer. */
  async #try(): Promise<void> {
    try {
      await answerWithin(this.#trialMs, () => this.#docker.ping());
    } catch (thrown) {
      if (thrown instanceof Unanswered) {
        setTimeout(() => (this.#trial = undefined), this.#trialMs).unref();
        throw thrown;
      }
    }
    this.#isSuspected = false;
    this.#trial = undefined;
  }
}

/** The daemon's status code for a refusal, such as 404, from a fault of `ask`. */
export function statusOf(thrown: unknown): number | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error && 'statusCode' in cause && typeof cause.statusCode === 'number'
    ? cause.statusCode
    : undefined;
}

async function load(): Promise<typeof Dockerode> {
  try {
    return (await import('dockerode')).default;
  } catch (thrown) {
    throw failed(
      'open',
      'the package dockerode is not installed: it is an optional dependency. `npm install dockerode@5` brings it',
      thrown,
    );
  }
}

function socketOf(host: string): string {
  const path = /^unix:\/\/(\/.+)$/.exec(host)?.[1];
  if (path !== undefined) return path;
  throw new UsageError({
    where: `Docker host ${JSON.stringify(host)}`,
    what: 'it must be the socket of a daemon on this machine.',
    fix: 'Use unix:///path/to/docker.sock. To reach a remote daemon, forward it to a socket, for example with `ssh -nNT -L /tmp/docker.sock:/var/run/docker.sock HOST`.',
  });
}

/** Why the socket cannot be reached; undefined when a daemon listens. */
function whyRefused(socketPath: string): Promise<string | undefined> {
  if (!existsSync(socketPath)) return Promise.resolve(`${socketPath} is not there`);
  return new Promise((resolve) => {
    const socket: Duplex = createConnection(socketPath);
    const end = (reason: string | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reason);
    };
    const timer = setTimeout(() => end(`${socketPath} does not answer`), probeMs);
    socket.on('connect', () => end(undefined));
    socket.on('error', (error) => end(describeRefusal(socketPath, error)));
  });
}

function describeRefusal(socketPath: string, error: Error): string {
  const code = codeOf(error);
  if (code === 'EACCES')
    return `this user has no access to ${socketPath}: join its group (often \`sudo usermod -aG docker $USER\`, then log in again), or run a rootless daemon`;
  if (code === 'ECONNREFUSED') return `${socketPath} exists, but no daemon listens on it`;
  return `${socketPath}: ${messageOf(error)}`;
}
