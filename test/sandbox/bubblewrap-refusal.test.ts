import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBubblewrap, fixOfRefusal, whyNoBubblewrap } from '../../sandbox/bubblewrap/refusal.ts';
import { describeWithParts } from '../support/system-part.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-bwrap-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('an unusable bwrap', () => {
  it('gives way to another one when it is missing or cannot be executed', () => {
    const [closed, open] = [path.join(folder, 'closed'), path.join(folder, 'open')];
    expect(whyNoBubblewrap([closed])).toMatch(/^bwrap is not installed: /);
    writeFileSync(closed, '');
    chmodSync(closed, 0o644);
    expect(whyNoBubblewrap([closed, open])).toBe(
      `${closed} exists but is not executable: as root, \`chmod 755 ${closed}\`; where it lies on a file system without exec, install it elsewhere`,
    );
    writeFileSync(open, '');
    chmodSync(open, 0o755);
    expect([whyNoBubblewrap([closed, open]), findBubblewrap([closed, open])]).toEqual([undefined, open]);
  });

  it.each([
    ['bwrap: Unknown option --clearenv', {}, /^install bubblewrap 0\.8 or newer/],
    ['nsenter: failed to execute bwrap: Exec format error', {}, /^reinstall the package bubblewrap/],
    ['bwrap: error while loading shared libraries: libcap.so.2', {}, /^reinstall the package bubblewrap/],
    [
      'unshare failed: No space left on device',
      { 'user.max_user_namespaces': '0' },
      /^user namespaces are off here \(user\.max_user_namespaces is 0\); as root, `sysctl -w user\.max_user_namespaces=10000`/,
    ],
    [
      'unshare failed: Operation not permitted',
      { 'kernel.unprivileged_userns_clone': '0' },
      /`sysctl -w kernel\.unprivileged_userns_clone=1`/,
    ],
    [
      'setting up uid map: Permission denied',
      { 'kernel.apparmor_restrict_unprivileged_userns': '1', 'user.max_user_namespaces': '9' },
      /`sysctl -w kernel\.apparmor_restrict_unprivileged_userns=0`/,
    ],
    [
      'unshare failed: Operation not permitted',
      { 'kernel.unprivileged_userns_clone': '1' },
      /^in a container, allow it to create user namespaces/,
    ],
  ])('gets a fix for its reason: %s %j', (said, settings, fix) => {
    const known: Readonly<Record<string, string>> = settings;
    expect(fixOfRefusal(said, (name) => known[name])).toMatch(fix);
  });
});

await describeWithParts(['bubblewrap'], 'bubblewrap where user namespaces are off', () => {
  it.each(['createBubblewrapProvider', 'createWasmProvider'])(
    'makes %s report that and how to turn them on',
    async (create) => {
      const program = path.join(folder, 'survey.ts');
      const index = JSON.stringify(fileURLToPath(new URL('../../sandbox/index.ts', import.meta.url)));
      writeFileSync(
        program,
        `import { ${create} } from ${index};\nconst provider = ${create}({ now: () => performance.now(), within: 'bubblewrap' });\nconsole.log(await provider.unavailable(new AbortController().signal));\n`,
      );
      const words = [
        '--user',
        '--map-root-user',
        'sh',
        '-c',
        'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"',
        'sh',
        process.execPath,
        '--import',
        import.meta.resolve('jiti/register'),
        program,
      ];
      const { stdout } = await promisify(execFile)('unshare', words, { timeout: 240_000 });
      expect(stdout).toMatch(
        /: user namespaces are off here \(user\.max_user_namespaces is 0\); as root, `sysctl -w user\.max_user_namespaces=10000` turns them on/,
      );
    },
  );
});
