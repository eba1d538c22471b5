import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cairn } from '../../support/command-line.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { makeTinyModel } from '../../support/tiny-model.ts';
import { temporaryFolder } from '../../trainers/run/make-run.ts';

const own = temporaryFolder();
afterAll(() => own[Symbol.dispose]());
const put = (name: string, ...ids: readonly number[]): string => {
  const file = path.join(own.path, name);
  const records = ids.map((id) => ({
    task_id: id,
    text: `Add ${id}.`,
    code: `def add(n):\n    return n + ${id}`,
    test_list: [`assert add(1) == ${1 + id}`, `assert add(2) == ${2 + id}`],
  }));
  writeFileSync(file, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
  return file;
};
const problems = (of: object): readonly string[] => [
  '--set',
  `problems=${JSON.stringify({ kind: 'mbpp', ...of })}`,
];
const many = Array.from({ length: 24 }, (_, at) => 200 + at); // of which some fall to each panel;

describe('cairn-gym train code with problems of files', () => {
  it('reports that a choice policy writes no programs, and suggests a token policy', async () => {
    const { code, err } = await cairn([
      'train',
      'code',
      ...problems({ train: put('train.jsonl', ...many) }),
      '--dry-run',
      '--quiet',
    ]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /^error: recipe of code-v1: it trains a choice policy, which chooses among listed actions, .*--policy token --model FOLDER/,
      ) as string,
    });
  });
});

await describeWithParts(['bubblewrap'], 'language model on problems from files', () => {
  it('trains on one file, selects a checkpoint on a part of it and is evaluated on another', async () => {
    const model = await makeTinyModel(path.join(own.path, 'tiny'), 1, { longestContext: 4_096 });
    const size = [
      '--groups',
      '2',
      '--group-size',
      '2',
      '--iterations',
      '1',
      '--with',
      'policy.workers=1',
      '--with',
      'policy.maxTokens=8',
      '--with',
      'policy.contextLength=4096',
      '--set',
      'maxSteps=2',
    ];
    const files = problems({ train: put('learn.jsonl', ...many), file: put('held.jsonl', 100, 101) });
    const { code, out, err } = await cairn([
      'train',
      'code',
      ...files,
      '--policy',
      'token',
      '--model',
      model,
      '--backend',
      'wasm',
      ...size,
      '--dry-run',
      '--json',
      '--quiet',
    ]);
    expect(code, err).toBe(0);
    const { config } = z
      .object({ config: z.object({ devPanel: z.string(), finalPanels: z.array(z.string()) }) })
      .parse(JSON.parse(out));
    expect(config).toEqual({ devPanel: 'dev', finalPanels: ['test'] });
  });

  it('names the missing training file', async () => {
    const model = await makeTinyModel(path.join(own.path, 'other'));
    const { code, err } = await cairn([
      'train',
      'code',
      ...problems({ file: put('only.jsonl', 100) }),
      '--policy',
      'token',
      '--model',
      model,
      '--backend',
      'wasm',
      '--dry-run',
      '--quiet',
    ]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /no panel "dev".*test \(held out: never used for model selection\); dev is empty: no file to learn from is named \(problems\.train\)/,
      ) as string,
    });
  });
});
