import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { surrogateOf } from '../../../models/objectives/policy-term.ts';
import { updateSchema } from '../../../trainers/config/config.ts';
import { openObjective } from '../../../trainers/update/open-objective.ts';
import { useFolder } from '../../support/own-folder.ts';

const inFolder = useFolder();

const ownObjective = `import { defineObjective } from 'cairn-gym/trainers';
import { z } from 'zod';

export const objective = defineObjective({
  kind: 'scaled',
  summary: 'the plain policy gradient times a factor',
  options: z.strictObject({ factor: z.number().default(2) }),
  bounds: [],
  create: ({ factor }) => ({ advantage, ratio }) => ({
    loss: -factor * advantage * ratio,
    slope: -factor * advantage * ratio,
    clipped: false,
  }),
});
`;

test('openObjective uses the clipped surrogate by default', async () => {
  const { settings, versions } = await openObjective(updateSchema.parse({}));
  expect(settings).toEqual({ kind: 'clipped', options: {} });
  expect(versions).toEqual({});
});

test('openObjective refuses a bound that the objective does not use', async () => {
  const cispo = { objective: { kind: 'cispo' } };
  await expect(openObjective(updateSchema.parse({ ...cispo, dualClip: 3 }))).rejects.toThrow(
    /update\.dualClip: the objective "cispo" does not use it/,
  );
  expect((await openObjective(updateSchema.parse({ ...cispo, clipHigh: 0.9 }))).settings.kind).toBe('cispo');
});

test('openObjective computes the loss with the objective of the user’s file', async () => {
  const file = inFolder('scaled.ts');
  await writeFile(file, ownObjective);
  const update = updateSchema.parse({ objective: { kind: 'module', file } });
  const { config, settings, versions } = await openObjective(update);
  expect(config).toEqual({ kind: 'module', file, options: { factor: 2 } });
  expect(versions).toEqual({ 'objective-file': expect.stringMatching(/^sha256:/) as string });
  const surrogate = surrogateOf({ surrogate: { ...settings, options: { factor: 3 } }, low: 0.2, high: 0.2 });
  expect(surrogate({ advantage: 1, ratio: 2, logRatio: Math.log(2), isBounded: false }).loss).toBe(-6);
  await expect(openObjective({ ...update, clipLow: 0.1 })).rejects.toThrow(
    /update\.clipLow: the objective "scaled"/,
  );
});

test('openObjective refuses a file that exports no objective', async () => {
  const file = inFolder('none.ts');
  await writeFile(file, ownObjective.replace('bounds: [],', ''));
  const update = updateSchema.parse({ objective: { kind: 'module', file } });
  await expect(openObjective(update)).rejects.toThrow(/objective module "[^"]*", objective: bounds/);
});
