import { createContext } from '../../envs/core/context.ts';
import { createRng } from '../../envs/core/rng.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import type { SearchAction } from '../../envs/search/action.ts';
import { searchEnv } from '../../envs/search/definition.ts';
import { openWorld } from '../../envs/search/world/open-world.ts';
import { worldPanels, worldQuestions } from '../../envs/engines/questions/world/world-questions.ts';
import { quantiles, timeEach } from '../report/latencies.ts';
import { describeMachine, machineLoad, peakMemoryMiB } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { inTemporaryFolder } from '../report/temporary-folder.ts';

/*
 * Worlds of 1,000, 100,000 and, with SEARCH_LARGE=1, a million pages: to write and index them, and to ask for the names on
 * the ways of questions and for the questions themselves. Then the steps of the env that ask nothing.
 */

const sizes = process.env['SEARCH_LARGE'] === '1' ? [1_000_000] : [1_000, 100_000];
const topk = 10;
const { signal } = new AbortController();

async function measureWorld(documents: number): Promise<Record<string, unknown>> {
  return inTemporaryFolder('bench-search', async (cacheFolder) => {
    const options = { seed: 1, documents, wordings: 4, cacheFolder, signal };
    const before = process.cpuUsage();
    const start = performance.now();
    const { graph, retriever } = await openWorld(options);
    const buildSeconds = (performance.now() - start) / 1_000;
    const { user, system } = process.cpuUsage(before);
    const memory = peakMemoryMiB();
    const again = performance.now();
    if (documents > 20_000) await openWorld(options);
    const reopenSeconds = (performance.now() - again) / 1_000;
    const panel = worldPanels[0];
    if (panel === undefined) throw new RangeError('there is no panel');
    const questions = worldQuestions(graph, 1, panel, [1, 2, 3, 4, 5]);
    const names = questions.map(({ path }) => path.at(-1) ?? '');
    const texts = questions.map(({ question }) => question);
    return {
      documents,
      buildSeconds: rounded(buildSeconds),
      buildCpuSeconds: rounded((user + system) / 1e6),
      peakMemoryMiB: memory,
      reopenSeconds: rounded(reopenSeconds),
      namesMs: quantiles(
        timeEach(names, (query) => retriever.searchNow(query, topk)),
        rounded,
      ),
      questionsMs: quantiles(
        timeEach(texts, (query) => retriever.searchNow(query, topk)),
        rounded,
      ),
    };
  });
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Steps of the env that do not search: verdicts, pages, lines and thoughts. */
async function measureSteps(): Promise<Record<string, unknown>> {
  const context = createContext({ seed: 0, now: () => performance.now() });
  const config = parseEnvConfig(searchEnv, { maxSteps: 1_000 });
  const host = await searchEnv.open(config, context);
  const env = await host.create();
  const opening = await env.reset({ panel: 'train', index: 0 }, context);
  const search = opening.admissible?.[0] ?? { kind: 'search', query: 'mayor' };
  await env.step(search, context);
  const rng = createRng(1);
  const actions: readonly SearchAction[] = [
    { kind: 'open', doc: 1 },
    { kind: 'open', doc: 2 },
    { kind: 'find', text: 'the' },
    { kind: 'think', text: 'on' },
  ];
  const steps = 20_000;
  for (let warm = 0; warm < 2_000; warm += 1) await env.step(rng.pick(actions), context);
  const before = process.cpuUsage();
  const start = performance.now();
  for (let step = 0; step < steps; step += 1) await env.step(rng.pick(actions), context);
  const perSecond = Math.round((steps / (performance.now() - start)) * 1_000);
  const { user, system } = process.cpuUsage(before);
  const searches = performance.now();
  for (let step = 0; step < 2_000; step += 1) await env.step(search, context);
  const searchesPerSecond = Math.round((2_000 / (performance.now() - searches)) * 1_000);
  await env.close();
  await host.close();
  return {
    stepsPerSecond: perSecond,
    stepsPerCpuSecond: Math.round((steps / (user + system)) * 1e6),
    searchStepsPerSecond: searchesPerSecond,
  };
}

const machine = { ...describeMachine(), loadBefore: machineLoad() };
const worlds: Record<string, unknown>[] = [];
for (const documents of sizes) worlds.push(await measureWorld(documents));
printReport({ what: 'worlds of search-v1', machine, worlds, steps: await measureSteps() });
