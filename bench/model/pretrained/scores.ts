import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { describeMachine } from '../../report/machine.ts';
import { printReport } from '../../report/print-report.ts';
import { inTemporaryFolder } from '../../report/temporary-folder.ts';

/*
 * Plays small panels of six envs with a pretrained model, free and restricted to admissible actions, through the command line:
 * CAIRN_MODEL=FOLDER npm run --silent perf -- pretrained/scores
 */

interface Panel {
  readonly env: string;
  readonly tasks: number;
  readonly maxSteps: number;
  /** Tokens of a free reply. */
  readonly maxTokens: number;
}

const panels: readonly Panel[] = [
  { env: 'household-small', tasks: 32, maxSteps: 10, maxTokens: 24 },
  { env: 'shop', tasks: 32, maxSteps: 6, maxTokens: 32 },
  { env: 'sql', tasks: 32, maxSteps: 6, maxTokens: 32 },
  { env: 'search', tasks: 32, maxSteps: 6, maxTokens: 32 },
  { env: 'tools', tasks: 32, maxSteps: 6, maxTokens: 32 },
  { env: 'web', tasks: 32, maxSteps: 6, maxTokens: 32 },
];
const folder = process.env['CAIRN_MODEL'];
/** Names of envs, separated by commas; all where it is missing. */
const chosen = process.env['CAIRN_ENVS']?.split(',');

const promptFile = 'bench/model/pretrained/one-line.json';

function flagsOf({ env, tasks, maxSteps, maxTokens }: Panel, isRestricted: boolean): readonly string[] {
  const flags =
    `bench ${env} --prompt ${promptFile} --decoding greedy --history all --tasks ${tasks} --set maxSteps=${maxSteps} ` +
    `--concurrency 8 --context-length 4096 --max-tokens ${isRestricted ? 128 : maxTokens} --backend tensorflow`;
  return [...flags.split(' '), ...(isRestricted ? ['--restricted'] : [])];
}

const stored = (file: string): unknown =>
  existsSync(file) ? brief(JSON.parse(readFileSync(file, 'utf8'))) : [];

/** Each result without its families, which have too few tasks, and without its episodes. */
function brief(document: unknown): unknown {
  return documentSchema
    .parse(document)
    .results.map((result) =>
      Object.fromEntries(
        Object.entries(result).filter(([key]) => !['byFamily', 'episodes', 'versions'].includes(key)),
      ),
    );
}

const documentSchema = z.object({ results: z.array(z.record(z.string(), z.unknown())) });

async function play(model: string, panel: Panel, isRestricted: boolean): Promise<Record<string, unknown>> {
  const flags = flagsOf(panel, isRestricted);
  return inTemporaryFolder('scores', async (place) => {
    const out = path.join(place, 'out.json');
    const start = performance.now();
    const words = [
      path.join('dist', 'cli', 'main.js'),
      ...flags,
      '--agent',
      model,
      '--agent',
      'random',
      '--out',
      out,
      '--json',
    ];
    const { status, signal, stderr, stdout } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const seconds = Math.round((performance.now() - start) / 1_000);
    process.stderr.write(`${panel.env} ${isRestricted ? 'restricted' : 'free'}: ${seconds} s\n${stderr}\n`);
    const ending = signal === null ? { status } : { status, signal };
    const common = {
      command: `cairn-gym ${flags.join(' ')} --agent MODEL --agent random`,
      seconds,
      ...ending,
    };
    const notes = stderr.split('\n').filter((line) => /: \d|^error/.test(line));
    return { ...common, notes, results: status === 0 ? brief(JSON.parse(stdout)) : stored(out) };
  });
}

if (folder === undefined) {
  printReport({ what: 'scores of a pretrained model', skipped: 'CAIRN_MODEL names no folder' });
} else {
  const machine = describeMachine();
  const rows: Record<string, unknown>[] = [];
  for (const panel of panels) {
    if (chosen !== undefined && !chosen.includes(panel.env)) continue;
    for (const isRestricted of [true, false]) {
      rows.push(await play(folder, panel, isRestricted));
      process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
    }
  }
  printReport({ what: 'scores of a pretrained model', machine, rows });
}
