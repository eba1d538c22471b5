import { createJiti } from 'jiti';
const jiti = createJiti(import.meta.url);
const { runControl } = await jiti.import('./cli/doctor/trainer-control.ts');
const t = performance.now();
const runs = await runControl(process.argv.slice(2).map(Number), {
  now: () => performance.now(),
  signal: new AbortController().signal,
  progress: { report: () => undefined, say: () => undefined, clear: () => undefined },
});
for (const r of runs) console.log(JSON.stringify(r));
console.log(Math.round(performance.now() - t), Math.round(process.cpuUsage().user / 1e3));
process.exit(0);
