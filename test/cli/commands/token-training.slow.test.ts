// Slow: trains a language model a dozen times.
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cairn } from '../../support/command-line.ts';
import { game, metricsOf, small, succeed, useTaughtModel } from './taught-model.ts';

const at = useTaughtModel();

describe('cairn-gym sft', () => {
  it('trains the same weights on a second run, and others at another learning rate', async () => {
    const weights = (run: string): Promise<Buffer> =>
      readFile(path.join(at(run), 'checkpoints', 'warm-start', 'policy', 'model.safetensors'));
    await succeed([
      'sft',
      ...game,
      '--model',
      at('tiny'),
      '--episodes',
      '4',
      '--epochs',
      '3',
      '--with',
      'finalPanels=[]',
      '--with',
      'groups=99999',
      '--run',
      at('again'),
    ]); // of iterations, which it has none of
    expect((await weights('again')).equals(await weights('taught'))).toBe(true);
    await succeed([
      'sft',
      ...game,
      '--model',
      at('tiny'),
      '--episodes',
      '4',
      '--epochs',
      '3',
      '--learning-rate',
      '1e-3',
      '--with',
      'finalPanels=[]',
      '--run',
      at('faster'),
    ]);
    expect((await weights('faster')).equals(await weights('taught'))).toBe(false);
  });
});

describe('cairn-gym train --policy token', () => {
  it('warns when sequence ratios are clipped at the limits meant for token ratios', async () => {
    const said = async (...words: readonly string[]): Promise<string> =>
      (
        await cairn([
          'train',
          ...game.filter((word) => word !== '--quiet'),
          ...small,
          '--model',
          at('taught'),
          '--with',
          'policy.loss.ratio=sequence',
          ...words,
          '--dry-run',
        ])
      ).err;
    expect(await said()).toContain('warning: policy.loss.ratio=sequence');
    const ofThePaper = [
      'policy.loss.aggregation.unit=sequence',
      'update.clipLow=3e-4',
      'update.clipHigh=4e-4',
    ].flatMap((setting) => ['--with', setting]);
    expect(await said(...ofThePaper)).not.toMatch(/warning|error/);
  });

  it('writes a policy that eval plays like any model in a folder', async () => {
    const options = ['--backend', 'wasm', '--tasks', '2', '--json', '--quiet'];
    const [model, run] = [
      path.join(at('trained'), 'checkpoints', 'iteration-00002', 'policy'),
      at('trained'),
    ];
    /** A model that knows no words yet: nothing that it writes can be read, and the result says so. */
    const result = async (words: readonly string[]): Promise<unknown> => JSON.parse((await cairn(words)).out);
    const evaluated = await result([
      'eval',
      'lights-out',
      '--set',
      'size=3',
      '--agent',
      model,
      '--max-tokens',
      '24',
      '--top-k',
      '20',
      ...options,
    ]);
    expect(evaluated).toMatchObject({
      agent: 'policy',
      shown: {
        kind: 'text',
        checkpoint: 'as given',
        decoding: { kind: 'sampled', temperature: 1, topK: 20 },
        written: { maxTokens: 24 },
      },
    });
    const greedy = await result([
      'eval',
      'lights-out',
      '--set',
      'size=3',
      '--agent',
      at('tiny'),
      '--prompt',
      'plain',
      '--decoding',
      'greedy',
      ...options,
    ]);
    expect(greedy).toMatchObject({
      shown: { decoding: { kind: 'greedy' }, written: { prompt: { name: 'plain' } } },
    });
    expect(
      await result([
        'eval',
        'lights-out',
        '--set',
        'size=3',
        '--agent',
        at('tiny'),
        '--temperature',
        '0',
        ...options,
      ]),
    ).toMatchObject({ shown: { decoding: { kind: 'greedy' } } });
    expect(
      await cairn(['eval', 'lights-out', '--agent', at('tiny'), '--temperature', '0', '--top-k', '3']),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining('decodes greedily. Give a --temperature above 0') as string,
    });
    const restricted = await succeed([
      'eval',
      'lights-out',
      '--set',
      'size=3',
      '--agent',
      at('tiny'),
      '--restricted',
      ...options,
    ]); // whatever it wrote else could not be read
    expect(JSON.parse(restricted)).toMatchObject({
      shown: { written: { restricted: true } },
      reading: { unreadable: 0 },
    });
    const both = await result([
      'bench',
      'lights-out',
      '--set',
      'size=3',
      '--agent',
      model,
      '--agent',
      at('tiny'),
      ...options,
    ]);
    expect(JSON.stringify(both)).toMatch(/"agent":"policy".*"agent":"tiny"/s);
    expect(await cairn(['eval', 'lights-out', '--agent', model, '--checkpoint', 'last'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('it applies to the policy of a run, and no run plays') as string,
    });
    expect(await cairn(['eval', 'lights-out', '--agent', model, '--key-env', 'KEY'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('behind a server') as string,
    });
    expect(await cairn(['eval', '--agent', model])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no environment is named') as string,
    });
    expect(
      await cairn([
        'eval',
        '--agent',
        run,
        '--checkpoint',
        'iteration-00002',
        '--tasks',
        '1',
        '--backend',
        'wasm',
        '--quiet',
      ]),
    ).toMatchObject({ code: 0 });
    expect(
      await cairn(['eval', 'lights-out', '--agent', model, '--top-p', '0.9', '--decoding', 'greedy']),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        '--top-p: it applies to sampling, and the model decodes greedily',
      ) as string,
    });
  });

  it('trains an adapter that can be merged into the weights afterwards', async () => {
    const run = at('adapted');
    await succeed([
      'train',
      ...game,
      ...small,
      '--model',
      at('taught'),
      '--with',
      'policy.adapter.rank=2',
      '--with',
      'update.klWeight=0.1',
      '--with',
      'update.learningRate=0.01',
      '--run',
      run,
    ]);
    expect(await metricsOf(run)).toContain('"update/reference-kl"');
    await succeed(['eval', '--run', run, '--backend', 'wasm', '--tasks', '2', '--quiet']);
    await succeed(['model', 'merge', run, '--out', at('merged')]);
    const [adapter, base] = [
      path.join(run, 'checkpoints', 'iteration-00002', 'policy'),
      path.join(at('taught'), 'checkpoints', 'warm-start', 'policy'),
    ];
    await succeed(['model', 'merge', adapter, '--base', base, '--out', at('merged-again')]);
    const alone = await cairn(['eval', 'lights-out', '--agent', adapter]);
    expect(alone).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        `it is an adapter, not a complete model. Merge it into its base model with \`npx cairn-gym model merge ${adapter} --out FOLDER\``,
      ) as string,
    });
    const whole = await cairn(['model', 'merge', at('taught'), '--out', at('unmade')]);
    expect(whole).toMatchObject({
      code: 2,
      err: expect.stringContaining(`there is nothing to merge. Use it directly: ${base}.`) as string,
    });
    for (const name of ['model.safetensors', 'cairn-prompt.json'])
      expect(await readFile(path.join(at('merged'), name))).toEqual(
        await readFile(path.join(at('merged-again'), name)),
      );
    await succeed(['train', ...game, ...small, '--model', at('merged'), '--run', at('from-merged')]);
    const others = await cairn([
      'model',
      'merge',
      run,
      '--base',
      path.join(at('trained'), 'checkpoints', 'iteration-00002', 'policy'),
      '--out',
      at('mixed'),
    ]);
    expect(others).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /the adapter was trained on other weights than those of .*trained/,
      ) as string,
    });
  });

  it('continues an adapter on its base weights, prompt included', async () => {
    const [adapter, base] = [
      path.join(at('adapted'), 'checkpoints', 'iteration-00002', 'policy'),
      path.join(at('taught'), 'checkpoints', 'warm-start', 'policy'),
    ];
    const begin = (run: string, ...more: readonly string[]) =>
      cairn([
        'train',
        ...game,
        ...small.slice(0, 2),
        '--iterations',
        '0',
        '--with',
        'finalPanels=[]',
        '--with',
        'policy.restricted=true',
        '--model',
        at('adapted'),
        ...more,
        '--run',
        at(run),
      ]);
    expect(await begin('further')).toMatchObject({ code: 0 });
    const made = path.join(at('further'), 'checkpoints', 'warm-start', 'policy');
    for (const file of ['adapter_model.safetensors', 'adapter_config.json', 'cairn-prompt.json'])
      expect(await readFile(path.join(made, file))).toEqual(await readFile(path.join(adapter, file)));
    expect(JSON.parse(await readFile(path.join(at('further'), 'config.json'), 'utf8'))).toMatchObject({
      config: { policy: { model: base, adapter: { rank: 2, from: adapter } } },
    });
    await succeed(['eval', '--run', at('further'), '--backend', 'wasm', '--tasks', '1', '--quiet']);
    expect(await begin('other-rank', '--with', 'policy.adapter.rank=4')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /policy\.adapter: .*policy has rank 2, .* the config has rank 4, .*--with policy\.adapter\.rank=2/,
      ) as string,
    });
    await cp(adapter, at('stray'), { recursive: true });
    const config = path.join(at('stray'), 'adapter_config.json');
    await writeFile(config, (await readFile(config, 'utf8')).replace(base, 'some/base'));
    const stray = [
      'train',
      ...game,
      ...small.slice(0, 2),
      '--iterations',
      '0',
      '--with',
      'finalPanels=[]',
      '--run',
      at('apart'),
    ];
    expect(await cairn([...stray, '--model', at('stray')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /changes some\/base, which is not a model folder here\. Name the two separately: --model FOLDER --with policy\.adapter\.from=/,
      ) as string,
    });
    expect(
      await cairn([
        ...stray,
        '--model',
        base,
        '--with',
        `policy.adapter.from=${at('stray')}`,
        '--with',
        'policy.adapter.rank=2',
      ]),
    ).toMatchObject({ code: 0 });
  });

  it('computes the KL from the initial adapter, even after a resume', async () => {
    await succeed([
      'train',
      ...game,
      ...small,
      '--model',
      at('adapted'),
      '--with',
      'update.klWeight=0.1',
      '--with',
      'update.learningRate=0.01',
      '--run',
      at('anchored'),
    ]);
    const drift = (await metricsOf(at('anchored'))).matchAll(/"update\/reference-kl":([^,}]+)/g);
    const [first = Number.NaN, second = Number.NaN] = [...drift].map(([, value]) => Number(value));
    expect(Math.abs(first)).toBeLessThan(1e-6); // the first update is measured before its step
    expect(second).toBeGreaterThan(1e-4);
    await cp(at('anchored'), at('anchored-on'), { recursive: true });
    await rm(path.join(at('anchored-on'), 'checkpoints', 'iteration-00002'), { recursive: true });
    await succeed(['train', '--resume', at('anchored-on'), '--quiet']);
    expect(await metricsOf(at('anchored-on'))).toBe(await metricsOf(at('anchored')));
  });

  it('writes a policy that model show finds by the run: the newest model, or the adapter with its base', async () => {
    const policyOf = (name: string, checkpoint: string): string =>
      path.join(at(name), 'checkpoints', checkpoint, 'policy');
    expect(await succeed(['model', 'show', at('trained')])).toContain(
      `${policyOf('trained', 'iteration-00002')}: qwen3, 2 layers`,
    );
    const [run, base] = [at('adapted'), policyOf('taught', 'warm-start')];
    const shown = await succeed(['model', 'show', run]);
    expect(shown).toContain(`${policyOf('adapted', 'iteration-00002')}: a LoRA adapter of rank 2, alpha`);
    expect(shown).toContain(`it changes ${base}.`);
    expect(shown).toMatch(
      /on q_proj, .*parameters, all valid\.\n.*\n.*npx cairn-gym model merge .*policy --out FOLDER/,
    );
    const json: unknown = JSON.parse(await succeed(['model', 'show', run, '--json']));
    expect(json).toMatchObject({ adapter: { rank: 2, base, parameters: expect.any(Number) as number } });
    await cp(policyOf('adapted', 'iteration-00002'), at('alone'), { recursive: true });
    const config = path.join(at('alone'), 'adapter_config.json');
    await writeFile(config, (await readFile(config, 'utf8')).replace(base, at('tiny')));
    expect(await cairn(['model', 'show', at('alone')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /alone: the adapter was trained on other weights than those of .*tiny/,
      ) as string,
    });
    await writeFile(config, (await readFile(config, 'utf8')).replace(at('tiny'), 'some/base'));
    expect(await succeed(['model', 'show', at('alone')])).toMatch(
      /it changes some\/base, which is not a model folder here, so its factors were not read/,
    );
    await succeed([
      'train',
      'lights-out',
      '--set',
      'size=3',
      '--backend',
      'cpu',
      '--quiet',
      '--iterations',
      '0',
      '--warm-start',
      '0',
      '--with',
      'policy.buckets=64',
      '--with',
      'evaluation.tasks=1',
      '--with',
      'finalPanels=[]',
      '--run',
      at('choices'),
    ]);
    expect(await cairn(['model', 'show', at('choices')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/choices: the run trained no language model\. Name a run of/) as string,
    });
  });

  it('lets rollouts run ahead of the updates, and reports their staleness', async () => {
    const run = at('ahead');
    await succeed(['train', ...game, ...small, '--model', at('taught'), '--async', '1', '--run', run]);
    expect(await metricsOf(run)).toMatch(/"update\/behaviour-gap":/);
    expect(await metricsOf(run)).toMatch(/"async\/staleness-mean/);
  });
});
