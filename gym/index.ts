/// <reference lib="esnext.disposable" preserve="true" />
/// <reference types="node" preserve="true" />

/*
 * `import { makeEnv } from 'cairn-gym'`: one environment and the loop that every gym shows first. Everything else has an entry of its
 * own: `cairn-gym/envs`, `cairn-gym/agents`, `cairn-gym/trainers`, `cairn-gym/lab` and `cairn-gym/sandbox`.
 */
export { makeEnv, type GymEnv, type GymObservation, type GymStep, type MakeEnvOptions } from './make-env.ts';
