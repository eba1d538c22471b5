/// <reference lib="esnext.disposable" preserve="true" />
/// <reference types="node" preserve="true" />
export { assertMeets, guaranteeLevels, meets, type Guarantees, type Shortfall } from './guarantees.ts';
export { innerPath } from './inner-path.ts';
export type {
  CommandLine,
  Conversation,
  ExecOptions,
  ExecResult,
  KilledBy,
  Language,
  Limits,
  OpenOptions,
  Printed,
  Sandbox,
  SandboxProvider,
  SayOptions,
  Snapshot,
} from './sandbox.ts';
export { createBubblewrapProvider, type BubblewrapOptions } from './bubblewrap/provider.ts';
export {
  chooseProvider,
  providerNames,
  surveyProviders,
  type ChosenProvider,
  type ProviderChoice,
  type ProviderMakers,
  type ProviderName,
  type ProviderParts,
  type ProviderReport,
} from './providers.ts';
export { createWasmProvider, openWasmProvider, type WasmProviderOptions } from './wasm/provider.ts';
export {
  createFakeProvider,
  type FakeExec,
  type FakeSandboxProvider,
  type FakeScript,
} from './fake/provider.ts';
export { createDockerProvider } from './docker/provider.ts';
export type { DockerOptions } from './docker/options.ts';
