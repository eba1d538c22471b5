/** How to reach containers, and how to create them. */
export interface DockerOptions {
  /**
   * The daemon's socket in the format of `DOCKER_HOST`, such as `unix:///run/user/1000/docker.sock`. Default:
   * the first of the usual places that answers.
   */
  readonly host?: string | undefined;
  /**
   * The image of the containers. It needs `sh`, `env`, `timeout`, `mv`, `head`, `mkdir`, `stat`, and GNU
   * `find` and `tar`. Default: the image that `npm run provision` creates.
   */
  readonly image?: string;
  /** A runtime that the daemon knows, such as `runsc` (gVisor). Default: the daemon's default. */
  readonly runtime?: string;
  /** The number of containers kept ready, for the limits of the last request. */
  readonly warm?: number;
  /** The most sandboxes that are open at one time. Further calls of `open` wait. */
  readonly most?: number;
  /** Processors per container, such as 0.5. */
  readonly cpus?: number;
  /** The lifetime of a container in milliseconds. It ends after that, whatever runs in it. */
  readonly lifetimeMs?: number;
  /**
   * A container that receives nothing for this time ends by itself, because its daemon is gone. In
   * milliseconds, longer than this process is ever busy.
   */
  readonly silenceMs?: number;
  /** Time limit of one request to the daemon, in milliseconds. */
  readonly answerMs?: number;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

/** The options with their defaults. */
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
