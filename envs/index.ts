/// <reference lib="esnext.disposable" preserve="true" />
/// <reference types="node" preserve="true" />

export { alfworldEnv } from './alfworld/definition.ts';
export { builtInEnvs } from './catalog.ts';
export { assertEnv, checkEnv } from './check/check-env.ts';
export { laws, type Law } from './check/laws.ts';
export type { CheckOptions, CheckPlan, Opener } from './check/options.ts';
export {
  describeFinding,
  formatReport,
  type CheckReport,
  type Finding,
  type FindingPlace,
  type Unchecked,
} from './check/report.ts';
export { critiqueEnv } from './code/critique/definition.ts';
export { codeEnv } from './code/definition.ts';
export { machineLearningEnv } from './code/machine-learning/definition.ts';
export { verilogEnv } from './code/verilog/definition.ts';
export type { Condition, ConfigKey } from './core/config-keys.ts';
export {
  createContext,
  forkContext,
  StepContext,
  type Context,
  type OwnedContext,
  type AskAgent,
  type ResetContext,
} from './core/context.ts';
export type { RulesAudit, RulesAuditResult, RulesFinding } from './core/audit.ts';
export {
  defineEnv,
  type AnyEnvDefinition,
  type Audit,
  type Baseline,
  type Env,
  type EnvDefinition,
  type EnvHost,
  type EnvId,
  type Experts,
  type Searcher,
  type Snapshot,
  type Snapshots,
} from './core/env.ts';
export {
  boundary,
  describeFault,
  FaultError,
  messageOf,
  RunError,
  UsageError,
  type ErrorParts,
  type Fault,
  type FaultKind,
  type RetrieverFaultCode,
  type ToolServerFaultCode,
  type SamplerFaultCode,
} from './core/errors.ts';
export type {
  ActionTarget,
  Features,
  Fields,
  FieldValue,
  Grid,
  GridCell,
  TurnFeatures,
} from './core/features.ts';
export { describeIssues, type Parsed } from './core/issues.ts';
export { canonicalJson, type Json } from './core/json.ts';
export { createMemoryLogger, silentLogger, type GymEvent, type Logger } from './core/log.ts';
export type {
  BenchColumn,
  BenchPrompt,
  EnvBench,
  EnvCatalogue,
  EnvNeed,
  EnvRecipes,
  KeyCondition,
  Recipe,
  RecordedStudy,
  TrainingSettings,
} from './core/presets.ts';
export { mapDefinition, mapHost } from './core/map-env.ts';
export { createRegistry, type Registry } from './core/registry.ts';
export { createRng, type Rng } from './core/rng.ts';
export {
  reward,
  type Ongoing,
  type Opening,
  type Reward,
  type StepResult,
  type Terminated,
  type Truncated,
  type Turn,
} from './core/step.ts';
export {
  assertTask,
  findPanel,
  fingerprintTasks,
  readPanel,
  type UnavailablePanel,
  type PanelInfo,
  type PanelRequest,
  type TaskInfo,
  type TaskPanel,
  type TaskRef,
  type TaskSource,
} from './core/task.ts';
export { familyColumns, costColumns } from './kit/bench-columns.ts';
export { readSnapshot, type Frozen } from './kit/snapshot.ts';
export { survivalScore } from './games/survival/rules.ts';
export { drawnTasks, type DrawnPanel, type TaskDraw } from './kit/drawn-tasks.ts';
export { defineTextEnv } from './kit/text-env.ts';
export { from } from './engines/tools/argument.ts';
export type { End, ToolAction } from './engines/tools/action.ts';
export { defineToolEnv, type ToolEnvParts, type ToolWorld } from './engines/tools/define-tool-env.ts';
export type { Caller, EpisodeEnd, Grade, Grader } from './engines/tools/grader.ts';
export type { ToolObservation } from './engines/tools/observation.ts';
export type { GoldCall, ToolRequest, ToolTask } from './engines/tools/task.ts';
export {
  defineTool,
  functionTool,
  refuse,
  type FunctionTool,
  type Refusal,
  type RefusalCode,
  type Tool,
  type ToolContext,
  type ToolParts,
  type ArgumentError,
} from './engines/tools/tool.ts';
export type { RowOf, TableRows, TableSchemas } from './engines/tools/tables.ts';
export type { CallError, CallFailure, ErrorWording } from './engines/tools/run-call.ts';
export type { SettingDefaults, ToolSettings } from './engines/tools/settings.ts';
export {
  scriptedUser,
  type Heard,
  type UserAnswer,
  type UserSimulator,
  type UserTurn,
} from './engines/tools/user.ts';
export type { World } from './engines/tools/world.ts';
export type {
  ActionWords,
  ObservationWords,
  RefusedTurn,
  TextStep,
  TextWorld,
  WorldAudit,
  WorldExperts,
  WorldPanel,
  WorldTask,
} from './kit/text-world.ts';
export { readReply } from './core/read-reply.ts';
export {
  textAt,
  type MalformedCode,
  type Reply,
  type Textual,
  type ToolCall,
  type ToolDescription,
  type ToolWords,
  type TurnWords,
} from './core/textual.ts';
export { abortable, Semaphore } from './core/waiting.ts';
export { householdEnv, householdHardEnv, householdSmallEnv } from './household/definition.ts';
export { loadEnvModule, type LoadOptions } from './load-env-module.ts';
export type { MixtureAction, MixtureObservation } from './mixture/mixture-env.ts';
export { mixEnvs, type MixtureDefinition, type WeightedEnv } from './mixture/mixture.ts';
export type { ImportOptions } from './own-module.ts';
export { openEnv, parseEnvConfig } from './open.ts';
export { createReferences } from './references.ts';
export { retryEnv, type RetryObservation } from './retry/retry.ts';
export type { PuzzleAuditPlan, PuzzleAudit } from './puzzle/audit/audit-puzzle.ts';
export type { PuzzleLevelAudit } from './puzzle/audit/auditor.ts';
export type { PuzzleMovesAudit } from './puzzle/audit/audit-moves.ts';
export {
  puzzleAuditChecks,
  type PuzzleAuditCheck,
  type PuzzleAuditFinding,
} from './puzzle/audit/findings.ts';
export { definePuzzle, type Puzzle, type PuzzleItem } from './puzzle/define-puzzle.ts';
export type { PuzzleVerdict } from './puzzle/judge.ts';
export { findPuzzle, puzzles } from './puzzle/puzzles.ts';
export type {
  PuzzleAnswerWords,
  GeneratedQuestion,
  PuzzleAuditRules,
  PuzzleCategory,
  PuzzleMoves,
  PuzzleRules,
  SolvedQuestion,
} from './puzzle/rules.ts';
export { lightsOutEnv } from './puzzle/lights-out.ts';
export { shopBrowserEnv } from './shop-browser/definition.ts';
export { shopEnv } from './shop/definition.ts';
export { routeEnv } from './route/definition.ts';
export { searchEnv } from './search/definition.ts';
export { sqlEnv } from './sql/definition.ts';
export { mcpEnv } from './mcp/definition.ts';
export { tau2Env } from './tau2/definition.ts';
export { toolsEnv } from './tools/definition.ts';
export { sqlActionSchema, type SqlAction } from './sql/action.ts';
export { webActionSchema, type WebAction } from './web/action.ts';
export { webEnv } from './web/definition.ts';
export type { ActionGuard } from './wrappers/action-guard.ts';
export { OrderGuard, type OrderGuardOptions } from './wrappers/order-guard.ts';
export type { EpisodePlace, ResultStage } from './wrappers/result-stage.ts';
export { TurnLimit } from './wrappers/turn-limit.ts';
