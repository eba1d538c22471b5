// Tries every attack on every provider that works here and writes the table into docs/sandbox.md.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openArena, type Arena } from './attacks/arena.ts';
import { attacks, attempt, type Verdict } from './attacks/attacks.ts';
import { never, type Subject } from './attacks/subject.ts';
import { subjects } from './attacks/subjects.ts';
import { describeMachine } from '../report/machine.ts';

const document = path.join(process.cwd(), 'docs', 'sandbox.md'); // `npm run perf` runs in the root of the tree
const marks = { begin: '<!-- attacks: begin -->', end: '<!-- attacks: end -->' } as const;

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
  for (const attack of attacks) {
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

function tableOf(columns: readonly Column[]): string {
  const { date, processor, cores } = describeMachine();
  const rows = attacks.map((attack, index) => [attack.name, ...columns.map(({ cells }) => cells[index] ?? '')]);
  const lines = [['attack', ...columns.map(({ title }) => title)], ['---', ...columns.map(() => '---')], ...rows];
  return [`${String(date)}, ${String(processor)}, ${String(cores)} cores:`, '', ...lines.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

await using arena = await openArena();
const columns: Column[] = [];
for (const subject of subjects) {
  const column = await columnOf(subject, arena);
  if (column !== undefined) columns.push(column);
}
const text = readFileSync(document, 'utf8');
const [before, after] = [text.indexOf(marks.begin), text.indexOf(marks.end)];
if (before < 0 || after < before) throw new Error(`${document} has no place for the table between ${marks.begin} and ${marks.end}`);
writeFileSync(document, `${text.slice(0, before + marks.begin.length)}\n${tableOf(columns)}\n${text.slice(after)}`);
