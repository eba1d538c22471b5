import { createContext } from '../../envs/core/context.ts';
import { sleep } from '../../envs/core/waiting.ts';
import { openEnv } from '../../envs/open.ts';
import { webEnv } from '../../envs/web/definition.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { readResources } from '../soak/resources.ts';
import { childrenOf, readProcessesBelow } from './process-memory.ts';

// What 1,000 episodes of web-v1, one after the other in four contexts at once, leave behind in this process and in the browser's.

const episodes = 1_000;
const atOnce = 4;
const every = 100;

const context = createContext({ seed: 0, now: () => performance.now() });
const host = await openEnv(
  webEnv,
  { tasks: ['click-button', 'tick-boxes', 'enter-text', 'open-menu'], maxSteps: 20 },
  context,
);
const readings: object[] = [];
const browsers = new Set<number>();
const machine = describeMachine();
const start = performance.now();

async function play(index: number): Promise<void> {
  const env = await host.create();
  const searcher = host.experts?.searcher?.(context.rng);
  if (searcher === undefined) throw new Error('the pages have no solutions');
  let turn: Parameters<typeof searcher.act>[0] = await env.reset({ panel: 'train', index }, context);
  for (;;) {
    const result = await env.step(searcher.act(turn), context);
    if (result.kind === 'ongoing') turn = result;
    else break;
  }
  await env.close();
}

for (let done = 0; done < episodes; done += every) {
  const queue = Array.from({ length: every }, (_, place) => done + place);
  const work = async (): Promise<void> => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) await play(index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await sleep(1000); // contexts that were closed are gone by then
  const { residentMiB, heapMiB, fileDescriptors } = readResources();
  const { processes, proportionalMiB } = readProcessesBelow();
  for (const browser of childrenOf()) browsers.add(browser);
  readings.push({
    episodes: done + every,
    residentMiB,
    heapMiB,
    fileDescriptors,
    browserProcesses: processes,
    browserMiB: proportionalMiB,
  });
  process.stderr.write(
    `${done + every}/${episodes} episodes, browser ${proportionalMiB} MiB in ${processes} processes\n`,
  );
}
await host.close();
printReport({
  what: 'memory of this process and of the browser while 1,000 episodes are played',
  ...machine,
  atOnce,
  seconds: Math.round((performance.now() - start) / 1000),
  launches: browsers.size,
  readings,
  processesAfterClose: readProcessesBelow().processes,
});
