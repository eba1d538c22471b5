import { fileURLToPath } from 'node:url';
import { openTrajectoryStore } from '../../../agents/rollout/store/store.ts';
import { trajectorySchema } from '../../../agents/rollout/trajectory.ts';
import { playGoldenEpisodes } from '../../support/golden-episodes.ts';

/*
 * Plays the golden episodes and stores them in today's schema beside this file. Run it once, when a schema is new:
 * `node node_modules/jiti/lib/jiti-cli.mjs test/golden/trajectories/record-store.ts`. It refuses to overwrite a store.
 * `schema-1` was recorded by the last code that wrote schema 1.
 */
const store = await openTrajectoryStore({
  folder: fileURLToPath(new URL('.', import.meta.url)),
  name: `schema-${trajectorySchema}`,
});
await store.append(...(await playGoldenEpisodes()));
await store.close();
