import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CommandLine, Language, Sandbox, SandboxProvider } from '../../sandbox/index.ts';
import { never, suiteLimits, type Subject } from '../sandbox/attacks/subject.ts';
import { subjects } from '../sandbox/attacks/subjects.ts';
import { describeMachine } from '../report/machine.ts';
import { readLeftovers, sleepMark, type Leftovers } from './leftovers.ts';
import { sleep } from '../../envs/core/waiting.ts';

const atOnce = 8;
/** Sessions before the first sample: what is loaded once is loaded. */
const warmUp = 50;
/** Growth from the first sample to the last that is noise. */
const noise = { heapMiB: 16, residentMiB: 64 } as const;

/** What a session runs in a language. */
interface Programs {
  /** Prints the file `in/number` and writes it to `out`; leaves a child behind where programs can start one. */
  readonly usual: string;
  readonly endless: string;
  /** A piece of a conversation. */
  readonly word: string;
}

const programsOf: Readonly<Record<Language, Programs>> = {
  shell: {
    usual: `cat in/number; cat in/number > out; (setsid sleep ${sleepMark} >/dev/null 2>&1 &)`,
    endless: 'while :; do :; done',
    word: 'x=1',
  },
  python: {
    usual: 'text = open("in/number").read(); print(text, end=""); open("out", "w").write(text)',
    endless: 'while True: pass',
    word: 'x = 1',
  },
  javascript: {
    usual:
      'const fs = require("fs"); const text = fs.readFileSync("in/number", "utf8"); process.stdout.write(text); fs.writeFileSync("out", text);',
    endless: 'for (;;);',
    word: 'x = 1',
  },
};

/** Every session writes, runs and reads; some are killed at a limit, some by their caller, some talk, some leave children behind. */
async function session({ provider, languages }: Ground, number: number): Promise<void> {
  const sandbox = await provider.open({ limits: { ...suiteLimits, pids: 32 }, needs: {}, signal: never });
  const language = languages[number % languages.length] as Language;
  try {
    await sandbox.write('in/number', String(number), { signal: never });
    const result = await sandbox.exec(commandOf(sandbox, language, programsOf[language].usual), {
      signal: never,
    });
    const kept = await sandbox.read('out', { signal: never, maxBytes: 100 });
    if (result.stdout.text !== String(number) || Buffer.from(kept ?? []).toString() !== String(number))
      throw new Error(`session ${number} ended otherwise than it should`);
    if (number % 10 === 0) await unusual(sandbox, language, number);
  } finally {
    await sandbox[Symbol.asyncDispose]();
  }
}

async function unusual(sandbox: Sandbox, language: Language, number: number): Promise<void> {
  const endless = commandOf(sandbox, language, programsOf[language].endless);
  if (number % 30 === 0) await sandbox.exec(endless, { signal: never, limits: { wallMs: 50 } });
  else if (number % 30 === 10)
    await sandbox.exec(endless, { signal: AbortSignal.timeout(50) }).catch(() => undefined);
  else {
    const conversation = await sandbox.converse(language, { signal: never });
    await conversation.say(programsOf[language].word, { signal: never });
  }
}

function commandOf(sandbox: Sandbox, language: Language, program: string): CommandLine {
  const interpreter = sandbox.interpreters[language];
  if (interpreter === undefined) throw new Error(`this sandbox does not run ${language}`);
  return [...interpreter, language === 'javascript' ? '-e' : '-c', program];
}

interface Ground {
  readonly provider: SandboxProvider;
  /** By turns. */
  readonly languages: readonly Language[];
}

/**
 * Runs so many sessions on every provider that works here, or on those named; what was left behind, in words. Nothing is good. The
 * process's temporary folder is one of its own meanwhile.
 */
export async function soakSandboxes(
  { sessions, titles }: { readonly sessions: number; readonly titles: readonly string[] },
  say: (line: string) => void,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-soak-'));
  process.env['TMPDIR'] = folder;
  for (const subject of subjects)
    if (titles.length === 0 || titles.includes(subject.title))
      failures.push(...(await soak(subject, sessions, say)));
  rmSync(folder, { recursive: true });
  return failures;
}

/** Both samples are taken without a provider: nothing waits for a next session then. */
async function soak(
  subject: Subject,
  sessions: number,
  say: (line: string) => void,
): Promise<readonly string[]> {
  const { title } = subject;
  const machine = describeMachine();
  const reason = await during(subject, warmUp, () => undefined);
  if (reason !== undefined) {
    say(`${title} is left out: ${reason}`);
    return [];
  }
  const before = await settled();
  const start = performance.now();
  await during(subject, sessions, (number) =>
    say(`${title}: ${number} sessions in ${Math.round((performance.now() - start) / 1000)} s`),
  );
  const seconds = Math.round((performance.now() - start) / 1000);
  const after = await settled();
  say(
    JSON.stringify(
      { what: `${title}: ${sessions} sessions, ${atOnce} at once`, ...machine, seconds, before, after },
      undefined,
      2,
    ),
  );
  return grown(title, before, after);
}

/** Plays sessions with a provider of their own. @returns why it cannot be used here, where it cannot */
async function during(
  subject: Subject,
  sessions: number,
  tell: (number: number) => void,
): Promise<string | undefined> {
  await using provider = await subject.provider();
  const reason = await provider.unavailable(never);
  if (reason === undefined)
    await play(
      { provider, languages: subject.startsProcesses === false ? ['python', 'javascript'] : ['shell'] },
      sessions,
      tell,
    );
  return reason;
}

/** @param tell is called after every thousandth session */
async function play(ground: Ground, sessions: number, tell: (number: number) => void): Promise<void> {
  let next = 0;
  const runner = async (): Promise<void> => {
    while (next < sessions) {
      next += 1;
      const number = next;
      await session(ground, number);
      if (number % 1000 === 0) tell(number);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
}

/** After a while in which the system takes away what it takes away late. */
async function settled(): Promise<Leftovers> {
  await sleep(2_000);
  return readLeftovers();
}

function grown(title: string, before: Leftovers, after: Leftovers): readonly string[] {
  const allowed = {
    childProcesses: 0,
    detached: 0,
    fileDescriptors: 0,
    mounts: 0,
    controlGroups: 0,
    files: 0,
    containers: 0,
    volumes: 0,
    ...noise,
  } as const;
  const names = Object.keys(allowed) as (keyof typeof allowed)[];
  return names
    .filter((name) => after[name] - before[name] > allowed[name])
    .map((name) => `${title}: ${name} grew from ${before[name]} to ${after[name]}`);
}
