/// <reference lib="esnext.disposable" preserve="true" />
/// <reference types="node" preserve="true" />

export { creditConfigSchema, type BuiltInCreditConfig, type CreditConfig } from './credit/credit-config.ts';
export { createCreditEstimator } from './credit/create-credit-estimator.ts';
export { defineCreditEstimator, type CreditEstimatorDefinition } from './credit/define-credit-estimator.ts';
export { creditEstimators } from './credit/estimators/list.ts';
export type {
  AssignInputs,
  CompleteEstimator,
  EstimatorFacts,
  ValidatedEstimator,
} from './credit/validation/validated-estimator.ts';
export type {
  BatchCredit,
  CreditEstimator,
  CreditLevel,
  EstimatorOutput,
  Evidence,
  GroupVerdict,
  Numbers,
  TrajectoryCredit,
  TrajectoryOutput,
} from './credit/estimator.ts';
export {
  assertCreditEstimator,
  checkCreditEstimator,
  type CreditCheckOptions,
} from './credit/laws/check-credit-estimator.ts';
export {
  creditLaws,
  type CreditFinding,
  type CreditLaw,
  type CreditReport,
} from './credit/laws/credit-laws.ts';
export { assertComparable, compareResults, type Comparison } from './results/compare.ts';
export { openKeptEpisodes, type KeptEpisodes, type KeptIdentity } from './evaluate/kept-episodes.ts';
export type {
  Decoding,
  MeanEstimate,
  PolicyDecoding,
  RateEstimate,
  ScoreEstimate,
} from './results/estimate.ts';
export {
  agentPlayer,
  evaluate,
  expertPlayer,
  noisyPlayer,
  policyPlayer,
  randomPlayer,
  type Player,
} from './evaluate/evaluate.ts';
export type { Lineage } from './results/lineage.ts';
export type { PairedCounts } from './results/paired.ts';
export { parseResult } from './results/parse-result.ts';
export type { EpisodeRow, EvaluationResult, RetriedFault, Shown, TrainedOn } from './results/result.ts';
export {
  poolSeeds,
  summarise,
  type EvaluationFacts,
  type RunResult,
  type SeedRun,
} from './results/summarise.ts';
export { renderTable, type TableOptions } from './results/table.ts';
export type { TableColumn } from './results/table-columns.ts';
export type { TokenCounts } from './results/token-counts.ts';
export { trainConfigSchema, type TrainConfig, type TrainConfigInput } from './config/config.ts';
export type { RunFaults } from './loop/health/faults.ts';
export { parseTrainConfig } from './config/parse-train-config.ts';
export type {
  MetricsListener,
  ProgressListener,
  RecordedMetrics,
  TrainingListeners,
  TrainProgress,
} from './loop/progress.ts';
export {
  prepareTraining,
  type TrainingSetup,
  type TrainingSetupOptions,
} from './loop/setup/training-setup.ts';
export type { ResolvedTrainConfig } from './config/resolve-config.ts';
export type { SamplerGap } from './loop/health/sampler-gap.ts';
export type { Stall, StallKind } from './loop/health/stalls.ts';
export { resumeTraining, startTraining } from './loop/start-training.ts';
export {
  defineEvidence,
  type CreditedBatch,
  type EvidenceDefinition,
  type EvidenceSource,
  type Learner,
} from './critics/evidence-source.ts';
export type { OpenedEvidence } from './critics/open-evidence.ts';
export {
  defineCurriculum,
  type Curriculum,
  type CurriculumDefinition,
  type CurriculumSetup,
  type OpenCurriculum,
} from './curriculum/curriculum.ts';
export type { PluginDefinition } from '../envs/core/plugin.ts';
export type { TrainOutcome } from './loop/train.ts';
export type { TrainState } from './loop/train-state.ts';
export {
  backendNames,
  type BackendName,
  type ReadableTensor,
  type TensorBackend,
} from '../models/backend/backend.ts';
export {
  openBackend,
  type BackendPreference,
  type OpenBackendOptions,
} from '../models/backend/open-backend.ts';
export type { ChoiceBatch, ChoiceTraining } from '../models/choice/choice-batch.ts';
export type { ChoiceState } from '../models/choice/choice-checkpoint.ts';
export { choiceConfigSchema, type ChoiceConfig } from '../models/choice/choice-config.ts';
export { createChoiceModel, openChoiceModel, type ChoiceModel } from '../models/choice/choice-model.ts';
export type { ChoiceWeights } from '../models/choice/choice-weights.ts';
export type { Objective } from '../models/objectives/objective.ts';
export {
  defineObjective,
  type BoundName,
  type Bounds,
  type ObjectiveDefinition,
  type Surrogate,
  type SurrogateFacts,
} from '../models/objectives/surrogate.ts';
export type { Optimiser, OptimiserStepInput, PolicyModel, UpdateFigures } from '../models/policy-model.ts';
export { openPolicy } from './policy/create-policy.ts';
export type { PolicyConfig } from './policy/policy-config.ts';
export type {
  CreditedGroups,
  ImitatedSoFar,
  Imitation,
  ImitationSettings,
  PassOptions,
  PassPosition,
  PlayingPolicy,
  PolicyTrait,
  TrainablePolicy,
  TrainingMemory,
  UpdateSettings,
  UpdateShape,
} from './update/policy.ts';
export { benchPresetFor, type BenchPreset, type PresetPrompt } from './recipes/bench-preset.ts';
export { recipeFor, type KnownSettings } from './recipes/recipe.ts';
export type { CheckpointManifest } from './run/checkpoint-manifest.ts';
export { findCheckpoint, listCheckpoints, type ListedCheckpoint } from './run/checkpoint-store.ts';
export type { MetricsLine, TimingsLine } from './run/metrics-schema.ts';
export { readCheckpoint, type CheckpointExpectation } from './run/read-checkpoint.ts';
export type { RunDocument } from './run/run-document.ts';
export {
  openEnvSession,
  rolloutSettingsSchema,
  type RolloutSettings,
  type EnvSession,
} from './env-session.ts';
