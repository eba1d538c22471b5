// Tries every attack on every provider that works here and writes the table into bench/sandbox/README.md. `CAIRN_ATTACKS` may name some
// attacks by parts of their names, with commas between; the other rows stay.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openArena, type Arena } from './attacks/arena.ts';
import { attacks, attempt, type Verdict } from './attacks/attacks.ts';
import { never, type Subject } from './attacks/subject.ts';
import { subjects } from './attacks/subjects.ts';
import { describeMachine } from '../report/machine.ts';

const document = path.join(process.cwd(), 'bench', 'sandbox', 'README.md'); // `npm run perf` runs in the root of the tree
const marks = { begin: '<!-- attacks: begin -->', end: '<!-- attacks: end -->' } as const;

const parts = (process.env['CAIRN_ATTACKS'] ?? '')
  .split(',')
  .map((part) => part.trim())
  .filter((part) => part !== '');
const chosen = attacks.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));

/** The table as it stands: what its figures were taken on, its head, and its rows by the names of their attacks. */
interface Standing {
  readonly machine: string;
  readonly head: string;
  readonly rows: ReadonlyMap<string, string>;
}

interface Column {
  readonly title: string;
  readonly cells: readonly string[];
}

async function columnOf(subject: Subject, arena: Arena): Promise<Column | undefined> {
  await using provider = await subject.provider();
  const reason = await provider.unavailable(never);
  if (reason !== undefined) {
    process.stderr.write(`${subject.title} is left out: ${reason}\n`);
    return undefined;
  }
  const cells: string[] = [];
  for (const attack of chosen) {
    const { verdict, ms } = await attempt(attack, { subject, provider, arena });
    cells.push(cellOf(verdict, ms));
    process.stderr.write(`${subject.title}: ${attack.name}: ${cells.at(-1)}\n`);
  }
  return { title: subject.title, cells };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function cellOf(verdict: Verdict, ms: number): string {
  if (verdict.kind === 'inapplicable') return `cannot be tried: ${verdict.why}`;
  const text = verdict.kind === 'held' ? `held: ${verdict.by}` : `**not held**: ${verdict.what}`;
  return `${text.replaceAll('|', '\\|')}, ${seconds(ms)}`;
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function readTable(text: string): Standing {
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  return {
    machine:
      text
        .split('\n')
        .find((line) => line.endsWith(':'))
        ?.slice(0, -1) ?? '',
    head: lines[0] ?? '',
    rows: new Map(lines.slice(2).map((line) => [line.slice(2, line.indexOf(' | ')), line])),
  };
}

/** Rows that were not tried stay as they are; what the others were tried on is said beside it. */
function tableOf(columns: readonly Column[], standing: Standing): string {
  const { date, processor, cores } = describeMachine();
  const machine = `${String(date)}, ${String(processor)}, ${String(cores)} cores`;
  const head = lineOf(['attack', ...columns.map(({ title }) => title)]);
  if (parts.length > 0 && head !== standing.head)
    throw new Error(
      `its columns are ${standing.head}, and those that work here ${head}: only the whole table can be written anew`,
    );
  const tried = new Map(
    chosen.map(({ name }, index) => [
      name,
      lineOf([name, ...columns.map(({ cells }) => cells[index] ?? '')]),
    ]),
  );
  const rows = attacks.flatMap(({ name }) => tried.get(name) ?? standing.rows.get(name) ?? []);
  const said =
    parts.length === 0
      ? machine
      : `${standing.machine}; the rows ${chosen.map(({ name }) => `"${name}"`).join(', ')}: ${machine}`;
  return [`${said}:`, '', head, lineOf(['---', ...columns.map(() => '---')]), ...rows].join('\n');
}

if (chosen.length === 0) throw new Error(`no attack has ${parts.join(' or ')} in its name`);
await using arena = await openArena();
const columns: Column[] = [];
for (const subject of subjects) {
  const column = await columnOf(subject, arena);
  if (column !== undefined) columns.push(column);
}
const text = readFileSync(document, 'utf8');
const [before, after] = [text.indexOf(marks.begin), text.indexOf(marks.end)];
if (before < 0 || after < before)
  throw new Error(`${document} has no place for the table between ${marks.begin} and ${marks.end}`);
writeFileSync(
  document,
  `${text.slice(0, before + marks.begin.length)}\n${tableOf(columns, readTable(text.slice(before + marks.begin.length, after)))}\n${text.slice(after)}`,
);
