// Slow: programs run in sandboxes.
import { expect, test } from 'vitest';
import { createNotes } from '../../fixtures/mcp/notes.mjs';
import { useFolder } from '../../support/own-folder.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { mcpInMemory, play, writeTasks } from './playing.ts';

const at = useFolder();
const notes = mcpInMemory({ notes: () => createNotes() });

await describeWithParts(['bubblewrap'], 'a program that checks a task', () => {
  test.each([
    ['print("true" if results[0]["value"] == {"titles": ["milk"]} else "false")', { outcome: 'solved' }],
    ['print("false")', { outcome: 'failed' }],
  ])('%s', async (judge, outcome) => {
    const code = `import json, sys\nresults = json.load(sys.stdin)["results"]\n${judge}\n`;
    const calls = [{ name: 'notes.list', arguments: {} }];
    const task = { says: 'Add milk.', checks: [{ program: { language: 'python', code, calls } }] };
    const tasks = await writeTasks(at('tasks.json'), { panels: { train: [task] } });
    await using playing = await play({ servers: { notes: { command: 'in-memory' } }, tasks }, notes);
    await playing.call('notes.add', { title: 'milk', text: '' });
    expect(await playing.step({ kind: 'done' })).toMatchObject(outcome);
  });

  test('a program without an answer is a fault of the task', async () => {
    const task = {
      says: 'x',
      checks: [{ program: { language: 'python', code: 'raise ValueError("odd")' } }],
    };
    const tasks = await writeTasks(at('tasks.json'), { panels: { train: [task] } });
    await using playing = await play({ servers: { notes: { command: 'in-memory' } }, tasks }, notes);
    await expect(playing.step({ kind: 'done' })).rejects.toMatchObject({
      fault: { kind: 'task-broken', message: expect.stringContaining('odd') as string },
    });
  });
});
