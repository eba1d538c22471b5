/** How to reach containers, and what they are made of. */
export interface DockerOptions {
  /** The daemon's socket as `DOCKER_HOST` has it, such as `unix:///run/user/1000/docker.sock`. Left out: the usual places, the first that answers. */
  readonly host?: string | undefined;
  /** Image of the containers: it needs `sh`, `env`, `timeout`, `mv`, `head`, `mkdir` and `stat`, and of GNU `find` and `tar`. Left out: the one that `npm run provision` makes. */
  readonly image?: string;
  /** Runtime known to the daemon, such as `runsc` (gVisor); left out, the daemon's own. */
  readonly runtime?: string;
  /** Containers kept ready, for limits that were asked for before. */
  readonly warm?: number;
  /** Sandboxes at one time; who opens more waits. */
  readonly most?: number;
  /** Processors that a container may use, such as 0.5. */
  readonly cpus?: number;
  /** After this a container ends by itself, whatever runs in it, in milliseconds. */
  readonly lifetimeMs?: number;
  /** A container that hears nothing for this long ends by itself: its daemon is gone. In milliseconds, longer than this process is ever busy. */
  readonly silenceMs?: number;
  /** How long the daemon may take to answer one request, in milliseconds. */
  readonly answerMs?: number;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

/** The options with what they leave out. */
export type DockerSettings = Required<Omit<DockerOptions, 'host' | 'runtime'>> &
  Pick<DockerOptions, 'host' | 'runtime'>;

export const defaultImage = 'cairn-sandbox';

export const settle = (options: DockerOptions): DockerSettings => ({
  image: defaultImage,
  warm: 2,
  most: 64,
  cpus: 1,
  lifetimeMs: 4 * 60 * 60_000,
  silenceMs: 120_000,
  answerMs: 30_000,
  ...options,
});
