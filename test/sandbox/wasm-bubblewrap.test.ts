import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { wasmInBubblewrapSubject } from '../../bench/sandbox/attacks/subjects.ts';
import { openWasmProvider } from '../../sandbox/index.ts';
import { createBubblewrapLauncher } from '../../sandbox/wasm/bubblewrap-launcher.ts';
import { describeWithParts } from '../support/system-part.ts';
import { describeAttacks } from './suite/describe-attacks.ts';
import { describeSandboxContract } from './suite/contract.ts';
import { never, suiteLimits } from './suite/subject.ts';

/** What a program could try that left its interpreter and runs as Node itself. */
const stranger = (port: number): string => `
import fs from 'node:fs'; import net from 'node:net'; import { spawnSync } from 'node:child_process'; import { Worker } from 'node:worker_threads';
const tries = {
  repository: () => fs.readFileSync(${JSON.stringify(new URL('../../package.json', import.meta.url).pathname)}),
  passwords: () => fs.readFileSync('/etc/passwd'),
  write: () => fs.writeFileSync('/tmp/x', 'x'),
  writeBeside: () => fs.writeFileSync(process.cwd() + '/x', 'x'),
  writeDev: () => fs.writeFileSync('/dev/x', 'x'),
  processes: () => { const other = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)); if (other.length > 4) return other; throw new Error(); },
  process: () => { const { status } = spawnSync('/usr/bin/true'); if (status === 0) return status; throw new Error(); },
  threads: () => { let made = 0; try { for (; made < 64; made += 1) new Worker('setInterval(() => {}, 1000)', { eval: true }); } catch {} if (made === 64 || fs.readdirSync('/proc/self/task').length > 20) return made; throw new Error(); },
  mount: () => { const { status } = spawnSync('/usr/bin/unshare', ['-Ur', 'true']); if (status === 0) return status; throw new Error(); },
};
const out = Object.keys(tries).filter((name) => { try { tries[name](); return true; } catch { return false; } });
if (Object.keys(process.env).some((name) => !['PWD'].includes(name))) out.push('environment ' + Object.keys(process.env));
if (process.getuid() === 0) out.push('root');
const socket = net.connect(${port}, '127.0.0.1', () => { out.push('network'); done(); }).on('error', done);
function done() { socket.destroy(); console.log(JSON.stringify(out)); process.exit(); }
`;

await describeWithParts(['bubblewrap'], 'wasm in bubblewrap', () => {
  describeSandboxContract(wasmInBubblewrapSubject);
  describeAttacks(wasmInBubblewrapSubject);

  describe('the isolation of an interpreter', () => {
    it('contains a program that has left the interpreter', async () => {
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const { stdout, stderr, exited } = createBubblewrapLauncher().launch(
        [process.execPath, '--input-type=module', '-e', stranger(port)],
        [],
      );
      let said = '';
      let complaint = '';
      stdout.on('data', (part: Buffer) => (said += part.toString()));
      stderr.on('data', (part: Buffer) => (complaint += part.toString()));
      expect(await exited, complaint).toBe('exit code 0');
      expect(JSON.parse(said)).toEqual([]);
      server.close();
    });

    it('applies where it is available, and the provider declares it', async () => {
      await using provider = await openWasmProvider({ now: () => performance.now() });
      expect(await provider.unavailable(never)).toBeUndefined();
      expect(provider.name).toBe('wasm-bubblewrap');
      expect(provider.guarantees).toMatchObject({
        boundary: 'namespaces',
        network: 'none',
        files: 'private-root',
        environment: 'cleared',
        children: 'all-killed',
        pids: 'enforced',
      });
    });

    it('meets the needs of programs that models write', async () => {
      await using provider = await openWasmProvider({ now: () => performance.now() });
      const needs = {
        boundary: 'namespaces',
        network: 'none',
        environment: 'cleared',
        pids: 'enforced',
        children: 'all-killed',
      } as const;
      await using sandbox = await provider.open({ limits: suiteLimits, needs, signal: never });
      expect(await sandbox.exec(['python3', '-c', 'print(6 * 7)'], { signal: never })).toMatchObject({
        kind: 'exited',
        stdout: { text: '42\n' },
      });
    });
  });
});
