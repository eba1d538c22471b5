import { dockerLimits, dockerProvider } from './docker.ts';

// Opens a sandbox with a program in it and containers in the pool, says so, and holds on until it is killed. SIGINT disposes of all.
const provider = dockerProvider();
const { signal } = new AbortController();
const sandbox = await provider.open({ limits: dockerLimits, needs: {}, signal });
process.once('SIGINT', () => {
  void provider[Symbol.asyncDispose]().then(() => process.exit(130));
});
const running = sandbox.exec(['sh', '-c', 'echo running; sleep 600'], {
  signal,
  limits: { wallMs: dockerLimits.wallMs },
  onOutput: () => process.stdout.write('running\n'),
});
await running.catch(() => undefined);
await new Promise((resolve) => setTimeout(resolve, 60_000));
