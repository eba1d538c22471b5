import { describe, expect, it } from 'vitest';
import { createRng } from '../../../../envs/core/rng.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { choiceConfigSchema } from '../../../../models/choice/choice-config.ts';
import { createChoiceModel } from '../../../../models/choice/choice-model.ts';
import { ChoiceScorer } from '../../../../trainers/update/choice/choice-scorer.ts';
import { fingerprintEncoder } from '../../../../trainers/update/choice/fingerprint-encoder.ts';

/** Recorded in the config.json of a household run at commit a88c1927, before envs could declare features. */
const ofWords = 'sha256:95feae2e3823728b89648cb753161fefc2d2234bab875eeae3be7dd67264446e';

describe('fingerprintEncoder', () => {
  it('keeps the fingerprint of older versions where nothing is declared, and changes it where features are in use', async () => {
    const scorer = new ChoiceScorer(
      createChoiceModel({
        backend: await openBackend('cpu'),
        config: { ...choiceConfigSchema.parse({}), width: 1, hidden: 1 },
        rng: createRng(0),
      }),
    );
    expect(fingerprintEncoder(scorer)).toBe(ofWords);
    const ofFeatures = fingerprintEncoder(scorer, true);
    expect(ofFeatures).toMatch(/^sha256:/);
    expect(ofFeatures).not.toBe(ofWords);
    expect(fingerprintEncoder(scorer, true)).toBe(ofFeatures);
    await scorer.model.dispose();
  });
});
