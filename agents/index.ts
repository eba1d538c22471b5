/// <reference lib="esnext.disposable" preserve="true" />
/// <reference types="node" preserve="true" />

export type { ActingTurn } from '../envs/core/step.ts';
export type {
  Agent,
  Answer,
  ChoiceDecision,
  Decision,
  EpisodePlayer,
  OtherCandidate,
  ShownLess,
  TextDecision,
  TokenDecision,
  TokenSpan,
  TokenUsage,
} from './core/agent.ts';
export {
  createOwnAgent,
  defineAgent,
  type AgentAnswer,
  type AgentCall,
  type AgentDefinition,
  type AgentEpisode,
  type AgentFacts,
  type AgentPlay,
  type AgentTurn,
  type OwnAgentOptions,
} from './policy/define-agent.ts';
export { createChoiceAgent, type ChoiceMode } from './policy/choice.ts';
export type { ChoiceSampler, ChoiceSession, Scores } from './core/choice-sampler.ts';
export type {
  SampledTokens,
  TokenDecoding,
  TokenRequest,
  TokenSampler,
  TokenSession,
} from './core/token-sampler.ts';
export { createExpertAgent, type ExpertKind } from './policy/expert.ts';
export { createNoisyAgent } from './policy/noisy.ts';
export { createHumanAgent, playerLeft, type Conversation } from './policy/human.ts';
export { createRandomAgent } from './policy/random.ts';
export { createScriptedAgent, type ScriptedReply } from './policy/scripted.ts';
export { createTokenAgent, type TokenAgentOptions } from './policy/token.ts';
export type { ChatMessage, ChatModel, ChatReply, ChatRequest } from './prompt/chat-model.ts';
export type { WrittenCall } from './prompt/tool-calls.ts';
export { loadPrompt, promptNames, type PromptName } from './prompt/load-prompt.ts';
export { describeHistory, readHistory, type History } from './prompt/history.ts';
export { parsePrompt, type Prompt } from './prompt/prompt.ts';
export type { TextView } from './prompt/transcript.ts';
export { createTextAgent, type TextAgentOptions } from './prompt/text-agent.ts';
export type { Backoff } from './servers/backoff.ts';
export { openChatClient, type ChatClient } from './servers/client.ts';
export {
  defaultChatLimits,
  type ChatClientOptions,
  type OptionalField,
  type ChatLimits,
  type Retry,
  type ServerOptions,
} from './servers/client-options.ts';
export { parseEndpoint, type Endpoint } from './servers/endpoint.ts';
export type { AnswerReader, PromptTooLong, UsableAnswer } from './servers/judge.ts';
export type { ProblemHandling, ServerProblem } from './servers/problem.ts';
export type { ServerQuestion, RemoteServer, RequestContext } from './servers/remote-server.ts';
export { Secret, type KeyOf } from './servers/secret.ts';
export type { Adapter } from './servers/tokens/adapters.ts';
export { findTokenServer, tokenServers, type TokenServerKind } from './servers/tokens/list.ts';
export {
  openRemoteSampler,
  type RemoteSampler,
  type RemoteSamplerOptions,
} from './servers/tokens/remote-sampler.ts';
export type {
  LoraApi,
  LoraHost,
  SampleRequest,
  SampleResponse,
  ServerProtocol,
  Unsupported,
} from './servers/tokens/server-protocol.ts';
export {
  defineTokenServer,
  type AdapterPublishing,
  type TokenServer,
} from './servers/tokens/token-server.ts';
export type { TextGuard } from './prompt/text-guard.ts';
export type { ContextReset } from './render/context-reset.ts';
export type { MessageTemplate, TokenCodec } from './render/token-prompt.ts';
export type { Tokenizer } from './render/tokenizer/tokenizer.ts';
export { loadChatFormat, type ChatFormat } from './render/chat-format.ts';
export { decodeGroup, encodeGroup, type GroupOrigin } from './rollout/format/codec.ts';
export { createEnvPool, type EnvPool } from './rollout/env-pool.ts';
export { episodePath } from './rollout/episode-path.ts';
export { runEpisode, type EpisodePlan } from './rollout/episode.ts';
export { runGroup, runGroups, type GroupsPlan } from './rollout/group.ts';
export { episodeLimitsSchema, type EpisodeLimits } from './rollout/limits.ts';
export type { LoopClock } from './rollout/event-loop-yield.ts';
export { defaultReadLimits, type ReadLimits } from './rollout/format/read-limits.ts';
export { readTrajectories, readTrajectoryFile, type ReadOptions } from './rollout/store/read-store.ts';
export type { GroupResult, GroupStrategy, RolloutPlan, RolloutProgress } from './rollout/rollout-plan.ts';
export { openTrajectoryStore, type StoreOptions, type TrajectoryStore } from './rollout/store/store.ts';
export {
  storePositionSchema,
  type StoreFileSystem,
  type StorePosition,
} from './rollout/store/store-files.ts';
export {
  isSolved,
  netRewardOf,
  returnOf,
  scoreOf,
  trajectorySchema,
  type Stop,
  type Trajectory,
  type TrajectoryGroup,
  type TrajectoryStep,
} from './rollout/trajectory.ts';
export type { DamagedStretch, LossListener, TornTail } from './rollout/store/walk-groups.ts';
