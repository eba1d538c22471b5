/// <reference lib="esnext.disposable" preserve="true" />
/// <reference types="node" preserve="true" />

export {
  createCreditEstimator,
  creditConfigSchema,
  type BuiltInCreditConfig,
  type CreditConfig,
} from './credit/create-credit-estimator.ts';
export type { CheckedEstimator } from './credit/checked-estimator.ts';
export { defineCreditEstimator, type CreditEstimatorDefinition } from './credit/define-credit-estimator.ts';
export type {
  BatchCredit,
  CreditEstimator,
  Evidence,
  GivenCredit,
  GivenTrajectoryCredit,
  GroupVerdict,
  TrajectoryCredit,
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
export { assertComparable, compareResults, type Comparison } from './evaluate/compare.ts';
export { openKeptEpisodes, type KeptEpisodes, type KeptIdentity } from './evaluate/kept-episodes.ts';
export type {
  Decoding,
  MeanEstimate,
  PolicyDecoding,
  RateEstimate,
  ScoreEstimate,
} from './evaluate/estimate.ts';
export {
  agentContestant,
  evaluate,
  expertContestant,
  policyContestant,
  randomContestant,
  type Contestant,
} from './evaluate/evaluate.ts';
export type { Lineage } from './evaluate/lineage.ts';
export type { PairedCounts } from './evaluate/paired.ts';
export { parseResult } from './evaluate/parse-result.ts';
export type { EpisodeRow, EvaluationResult, RetriedFault, Shown, TrainedOn } from './evaluate/result.ts';
export {
  poolSeeds,
  summarise,
  type EvaluationFacts,
  type RunResult,
  type SeedRun,
} from './evaluate/summarise.ts';
export { renderTable, type TableOptions } from './evaluate/table.ts';
export type { TableColumn } from './evaluate/table-columns.ts';
export type { TokenCounts } from './evaluate/token-counts.ts';
export { trainConfigSchema, type TrainConfig, type TrainConfigInput } from './loop/config.ts';
export type { FamilySuccess } from './loop/family-success.ts';
export type { RunFaults } from './loop/faults.ts';
export { parseTrainConfig } from './loop/parse-train-config.ts';
export type { ProgressListener, TrainProgress } from './loop/progress.ts';
export { prepare, type Preparation, type PreparationOptions } from './loop/session.ts';
export type { SettledTrainConfig } from './loop/settle-config.ts';
export type { SamplerGap } from './loop/sampler-gap.ts';
export type { Stall, StallKind } from './loop/stalls.ts';
export { resumeTraining, startTraining } from './loop/start-training.ts';
export type { TaskSampler } from './loop/task-sampler.ts';
export type { TrainOutcome } from './loop/train.ts';
export type { TrainState } from './loop/train-state.ts';
export {
  backendNames,
  type BackendName,
  type ReadableTensor,
  type TensorBackend,
} from './model/backend/backend.ts';
export { openBackend, type OpenBackendOptions } from './model/backend/open-backend.ts';
export type { ChoiceBatch, ChoiceTraining } from './model/choice/choice-batch.ts';
export type { ChoiceState } from './model/choice/choice-checkpoint.ts';
export { choiceConfigSchema, type ChoiceConfig } from './model/choice/choice-config.ts';
export { createChoiceModel, openChoiceModel, type ChoiceModel } from './model/choice/choice-model.ts';
export type { ChoiceWeights } from './model/choice/choice-weights.ts';
export type { Objective } from './model/objective.ts';
export type { OptimiserStepInput, PolicyModel, UpdateFigures } from './model/policy-model.ts';
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
} from './policy/policy.ts';
export { benchPresetFor, type BenchPreset, type PresetPrompt } from './recipes/bench-presets.ts';
export { recipeFor, type KnownSettings } from './recipes/recipes.ts';
export { exportCsv } from './report/export-csv.ts';
export { exportTensorBoard } from './report/export-tensorboard.ts';
export type { StoredResults } from './report/read-results.ts';
export { readRun, type RunContent } from './report/read-run.ts';
export {
  renderTrajectory,
  type AnchorSharer,
  type TrajectoryCreditView,
  type TrajectoryViewOptions,
} from './report/render-trajectory.ts';
export { writeReport } from './report/write-report.ts';
export type { CheckpointManifest } from './run-folder/checkpoint-manifest.ts';
export { findCheckpoint, listCheckpoints, type ListedCheckpoint } from './run-folder/checkpoint-store.ts';
export type { MetricsLine, TimingsLine } from './run-folder/metrics-schema.ts';
export { readCheckpoint, type CheckpointExpectation } from './run-folder/read-checkpoint.ts';
export type { RunDocument } from './run-folder/run-document.ts';
export { openWorkbench, rolloutSettingsSchema, type RolloutSettings, type Workbench } from './workbench.ts';
