import { openTrajectoryStore } from '../../agents/rollout/store/store.ts';
import { sampleGroup } from './trajectory-arbitrary.ts';

/** Writes groups to the folder named by its argument until it is killed; says so after the fifth. */
const store = await openTrajectoryStore({
  folder: process.argv[2] as string,
  name: 'train',
  maxFileBytes: 200_000,
});
for (let index = 0; ; index += 1) {
  await store.append(sampleGroup(index, 20_000));
  if (index === 4) process.stdout.write('five\n');
}
