import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import os from 'node:os';
import { FaultError, messageOf } from '../../envs/core/errors.ts';
import { abortable } from '../../envs/core/waiting.ts';
import { impossible } from '../faults.ts';
import { assertNode, describeForeignRuntime } from '../foreign-runtime.ts';
import { assertMeets, type Guarantees } from '../guarantees.ts';
import { assertHolds, assertLimits } from '../limits.ts';
import { afterDisposalOf, assertClock, foreignSnapshot } from '../misuse.ts';
import type { CommandLine, Language, Limits, OpenOptions, Sandbox, SandboxProvider } from '../sandbox.ts';
import { openBox } from './box.ts';
import { BubblewrapSandbox, providerName, TreeSnapshot } from './bubblewrap-sandbox.ts';
import type { BoundProgram } from './command-words.ts';
import { bytesForTree } from './inner-files.ts';
import { findControlGroups } from './control-groups.ts';
import { countsProcesses, isRoot, newOwner } from './owner.ts';
import type { Surroundings } from './running-program.ts';
import { fixOfRefusal, whyNoBubblewrap } from './refusal.ts';
import { isArchitecture, seccompFilter } from './seccomp.ts';

export interface BubblewrapOptions {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** The path inside of a Node that is not below /usr. */
const innerNode = '/node';

const python: CommandLine = ['/usr/bin/python3'];
const shell: CommandLine = ['/usr/bin/sh'];

/** The limits of the trial program. */
const trialLimits: Limits = {
  wallMs: 20_000,
  cpuMs: 5_000,
  memoryBytes: 2 ** 26,
  pids: 8,
  diskBytes: 2 ** 20,
  outputBytes: 4096,
};

/**
 * Creates a provider of sandboxes made of namespaces. It uses the programs `bwrap` of bubblewrap and
 * `unshare`, `nsenter` and `prlimit` of util-linux. Files are in memory, in a mount namespace that ends with
 * the sandbox. Nothing is ever written to disk.
 */
export function createBubblewrapProvider(options: BubblewrapOptions): SandboxProvider {
  assertClock(providerName, options.now);
  return new BubblewrapProvider(options);
}

class BubblewrapProvider implements SandboxProvider {
  readonly name = providerName;
  readonly guarantees: Guarantees;
  readonly #now: () => number;
  readonly #isRoot = isRoot();
  readonly #surroundings: Omit<Surroundings, 'filter'>;
  readonly #interpreters: Readonly<Partial<Record<Language, CommandLine>>>;
  readonly #open = new Set<Sandbox>();
  #filter: number | undefined;
  #trial: Promise<string | undefined> | undefined;
  readonly #closing = new AbortController();

  constructor({ now }: BubblewrapOptions) {
    this.#now = now;
    const groups = process.platform === 'linux' ? findControlGroups() : undefined;
    const node = nodeInside();
    this.#surroundings = { groups, programs: node.programs };
    this.#interpreters = { ...(existsSync(python[0]) && { python }), javascript: node.command, shell };
    const counted = groups === undefined ? 'advisory' : 'enforced';
    this.guarantees = {
      boundary: 'namespaces',
      user: 'unprivileged',
      files: 'private-root',
      network: 'none',
      environment: 'cleared',
      memory: counted,
      cpu: counted,
      pids: groups !== undefined || countsProcesses() ? 'enforced' : 'advisory',
      disk: 'enforced',
      children: 'all-killed',
      kernel: 'filtered',
    };
  }

  /** Runs a trial program, because an installed bwrap may still be refused here. */
  async unavailable(signal: AbortSignal): Promise<string | undefined> {
    this.#assertUsable();
    signal.throwIfAborted();
    this.#trial ??= this.#try(this.#closing.signal).catch((thrown: unknown) => {
      this.#trial = undefined;
      throw thrown;
    });
    return abortable(signal, this.#trial); // others may wait for the same trial
  }

  async open({ limits, needs, signal, from }: OpenOptions): Promise<Sandbox> {
    signal.throwIfAborted();
    this.#assertUsable();
    assertNode(providerName);
    assertMeets(this, needs);
    assertLimits(limits);
    const tree = from === undefined ? undefined : treeOf(from);
    if (tree !== undefined) assertHolds(limits, bytesForTree(tree));
    const reason = await this.unavailable(signal);
    this.#assertUsable();
    if (reason !== undefined) throw impossible('open', reason);
    const sandbox = await this.#make(limits, signal);
    try {
      if (tree !== undefined) await sandbox.fill(tree, signal);
      this.#assertUsable();
      return sandbox;
    } catch (thrown) {
      await sandbox[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(afterDisposalOf(providerName));
    await Promise.all([
      this.#trial?.catch(() => undefined),
      ...[...this.#open].map((sandbox) => sandbox[Symbol.asyncDispose]()),
    ]);
    if (this.#filter !== undefined) closeSync(this.#filter);
    this.#filter = undefined;
  }

  async #make(limits: Limits, signal: AbortSignal): Promise<BubblewrapSandbox> {
    const owner = newOwner();
    const box = await openBox(limits.diskBytes, { owner, isRoot: this.#isRoot }, signal);
    if (this.#closing.signal.aborted) await box[Symbol.asyncDispose]();
    this.#assertUsable(); // otherwise a filter would be opened that nobody closes
    const { guarantees } = this;
    const sandbox = new BubblewrapSandbox({
      box,
      owner,
      surroundings: { ...this.#surroundings, filter: (this.#filter ??= filterFile()) },
      limits,
      guarantees,
      interpreters: this.#interpreters,
      now: this.#now,
      onClose: (closed) => void this.#open.delete(closed),
    });
    this.#open.add(sandbox);
    return sandbox;
  }

  async #try(signal: AbortSignal): Promise<string | undefined> {
    const foreign = describeForeignRuntime();
    if (foreign !== undefined) return foreign;
    if (process.platform !== 'linux') return 'bubblewrap needs Linux: use docker';
    if (!isArchitecture(process.arch))
      return `its system call filter supports x64 and arm64, not ${process.arch}: use docker`;
    const none = whyNoBubblewrap();
    if (none !== undefined) return none;
    const missing = ['unshare', 'nsenter', 'prlimit'].find((name) => !existsSync(`/usr/bin/${name}`));
    if (missing !== undefined) return `${missing} is not installed: the package util-linux`;
    try {
      await using sandbox = await this.#make(trialLimits, signal);
      const result = await sandbox.exec(['sh', '-c', 'echo well'], { signal });
      if (result.kind === 'exited' && result.stdout.text === 'well\n') return undefined;
      return `a trial program failed: ${result.stderr.text.trim() || result.kind}`;
    } catch (thrown) {
      signal.throwIfAborted();
      const said =
        FaultError.is(thrown) && thrown.fault.kind === 'sandbox-failed'
          ? thrown.fault.message
          : messageOf(thrown);
      return `this machine refuses what it needs (${said}): ${fixOfRefusal(said)}`;
    }
  }

  #assertUsable(): void {
    this.#closing.signal.throwIfAborted();
  }
}

function treeOf(from: NonNullable<OpenOptions['from']>) {
  if (from instanceof TreeSnapshot) return from.tree();
  throw foreignSnapshot(providerName, from);
}

/** A Node below /usr is visible already. Another one is mounted inside. */
function nodeInside(): { readonly command: CommandLine; readonly programs: readonly BoundProgram[] } {
  if (process.execPath.startsWith('/usr/')) return { command: [process.execPath], programs: [] };
  return { command: [innerNode], programs: [{ outside: process.execPath, inside: innerNode }] };
}

/** The filter as a nameless file, so that each program can read it from its start. */
function filterFile(): number {
  if (!isArchitecture(process.arch))
    throw new TypeError(`there is no filter of system calls for ${process.arch}`);
  const file = openSync(os.tmpdir(), 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR, 0o600);
  writeSync(file, seccompFilter(process.arch, { startsProcesses: true }));
  return file;
}
