import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { trajectorySchema } from '../../agents/rollout/trajectory.ts';
import { builtInEnvs } from '../../envs/catalog.ts';
import { laws } from '../../envs/check/laws.ts';
import { resultSchemaNumber } from '../../trainers/results/result.ts';
import { backendNames } from '../../models/backend/backend.ts';
import { checkpointSchemaNumber } from '../../trainers/run/checkpoint-manifest.ts';
import { runSchemaNumber } from '../../trainers/run/run-document.ts';
import { root } from '../support/run-program.ts';

// What others build on. A change here is a change for them: it belongs into CHANGELOG.md.

/** The names that each public entry exports, types too. */
const exported: Readonly<Record<string, string>> = {
  'gym/index.ts': `
    GymEnv GymObservation GymStep MakeEnvOptions makeEnv`,
  'envs/index.ts': `
    ActionGuard ActionTarget ActionWords AnyEnvDefinition ArgumentError AskAgent Audit Baseline BenchColumn BenchPrompt CallError CallFailure Caller
    CheckOptions CheckPlan CheckReport Condition ConfigKey Context DrawnPanel End Env EnvBench EnvCatalogue EnvDefinition EnvHost EnvId EnvNeed
    EnvRecipes EpisodeEnd EpisodePlace ErrorParts ErrorWording Experts Fault FaultError FaultKind Features FieldValue Fields Finding FindingPlace
    Frozen FunctionTool GeneratedQuestion GoldCall Grade Grader Grid GridCell GymEvent Heard ImportOptions Json KeyCondition Law LoadOptions Logger
    MalformedCode MixtureAction MixtureDefinition MixtureObservation ObservationWords Ongoing Opener Opening OrderGuard OrderGuardOptions OwnedContext
    PanelInfo PanelRequest Parsed Puzzle PuzzleAnswerWords PuzzleAudit PuzzleAuditCheck PuzzleAuditFinding PuzzleAuditPlan PuzzleAuditRules
    PuzzleCategory PuzzleItem PuzzleLevelAudit PuzzleMoves PuzzleMovesAudit PuzzleRules PuzzleVerdict Recipe RecordedStudy Refusal RefusalCode
    RefusedTurn Registry Reply ResetContext ResultStage RetrieverFaultCode RetryObservation Reward Rng RowOf RulesAudit RulesAuditResult
    RulesFinding RunError SamplerFaultCode Searcher
    Semaphore SettingDefaults Snapshot Snapshots SolvedQuestion SqlAction StepContext StepResult TableRows TableSchemas TaskDraw TaskInfo TaskPanel
    TaskRef TaskSource Terminated TextStep TextWorld Textual Tool ToolAction ToolCall ToolContext ToolDescription ToolEnvParts ToolObservation
    ToolParts ToolRequest ToolServerFaultCode ToolSettings ToolTask ToolWords ToolWorld TrainingSettings Truncated Turn TurnFeatures TurnLimit
    TurnWords UnavailablePanel Unchecked UsageError UserAnswer UserSimulator UserTurn WebAction WeightedEnv World WorldAudit WorldExperts WorldPanel
    WorldTask abortable alfworldEnv assertEnv assertTask boundary builtInEnvs canonicalJson checkEnv codeEnv costColumns createContext
    createMemoryLogger createReferences createRegistry createRng critiqueEnv defineEnv definePuzzle defineTextEnv defineTool defineToolEnv
    describeFault describeFinding describeIssues drawnTasks familyColumns findPanel findPuzzle fingerprintTasks forkContext formatReport from
    functionTool householdEnv householdHardEnv householdSmallEnv laws lightsOutEnv loadEnvModule machineLearningEnv mapDefinition mapHost mcpEnv
    messageOf mixEnvs openEnv parseEnvConfig puzzleAuditChecks puzzles readPanel readReply readSnapshot refuse retryEnv reward routeEnv scriptedUser
    searchEnv shopBrowserEnv shopEnv silentLogger sqlActionSchema sqlEnv survivalScore tau2Env textAt toolsEnv verilogEnv webActionSchema webEnv`,
  'agents/index.ts': `
    ActingTurn Adapter AdapterPublishing Agent AgentAnswer AgentCall AgentDefinition AgentEpisode AgentFacts AgentPlay AgentTurn Answer AnswerReader
    Backoff ChatClient ChatClientOptions ChatFormat ChatLimits ChatMessage ChatModel ChatReply ChatRequest ChoiceDecision ChoiceMode ChoiceSampler
    ChoiceSession ContextReset Conversation DamagedStretch Decision Endpoint EnvPool EpisodeLimits EpisodePlan EpisodePlayer ExpertKind GroupOrigin
    GroupResult GroupStrategy GroupsPlan History KeyOf LoopClock LoraApi LoraHost LossListener MessageTemplate OptionalField OtherCandidate
    OwnAgentOptions ProblemHandling Prompt PromptName PromptTooLong ReadLimits ReadOptions RemoteSampler RemoteSamplerOptions RemoteServer
    RequestContext Retry RolloutPlan RolloutProgress SampleRequest SampleResponse SampledTokens Scores ScriptedReply Secret ServerOptions
    ServerProblem ServerProtocol ServerQuestion ShownLess Stop StoreFileSystem StoreOptions StorePosition TextAgentOptions TextDecision TextGuard
    TextView TokenAgentOptions TokenCodec TokenDecision TokenDecoding TokenRequest TokenSampler TokenServer TokenServerKind TokenSession TokenSpan
    TokenUsage Tokenizer TornTail Trajectory TrajectoryGroup TrajectoryStep TrajectoryStore Unsupported UsableAnswer WrittenCall createChoiceAgent
    createEnvPool createExpertAgent createHumanAgent createNoisyAgent createOwnAgent createRandomAgent createScriptedAgent createTextAgent
    createTokenAgent decodeGroup defaultChatLimits defaultReadLimits defineAgent defineTokenServer describeHistory encodeGroup episodeLimitsSchema
    episodePath findTokenServer isSolved loadChatFormat loadPrompt netRewardOf openChatClient openRemoteSampler openTrajectoryStore parseEndpoint
    parsePrompt playerLeft promptNames readHistory readTrajectories readTrajectoryFile returnOf runEpisode runGroup runGroups scoreOf
    storePositionSchema tokenServers trajectorySchema`,
  'trainers/index.ts': `
    AssignInputs BackendName BackendPreference BatchCredit BenchPreset BoundName Bounds BuiltInCreditConfig CheckpointExpectation CheckpointManifest ChoiceBatch
    ChoiceConfig ChoiceModel ChoiceState ChoiceTraining ChoiceWeights Comparison CompleteEstimator CreditCheckOptions CreditConfig CreditEstimator
    CreditEstimatorDefinition CreditFinding CreditLaw CreditLevel CreditReport CreditedBatch CreditedGroups Curriculum CurriculumDefinition
    CurriculumSetup Decoding EnvSession EpisodeRow EstimatorFacts EstimatorOutput EvaluationFacts EvaluationResult Evidence EvidenceDefinition
    EvidenceSource GroupVerdict ImitatedSoFar Imitation ImitationSettings KeptEpisodes KeptIdentity KnownSettings Learner Lineage ListedCheckpoint
    MeanEstimate MetricsLine MetricsListener Numbers Objective ObjectiveDefinition OpenBackendOptions OpenCurriculum OpenedEvidence Optimiser
    OptimiserStepInput PairedCounts PassOptions PassPosition Player PlayingPolicy PluginDefinition PolicyConfig PolicyDecoding PolicyModel PolicyTrait
    PresetPrompt ProgressListener RateEstimate ReadableTensor RecordedMetrics ResolvedTrainConfig RetriedFault RolloutSettings RunDocument RunFaults
    RunResult SamplerGap ScoreEstimate SeedRun Shown Stall StallKind Surrogate SurrogateFacts TableColumn TableOptions TensorBackend TimingsLine
    TokenCounts TrainConfig TrainConfigInput TrainOutcome TrainProgress TrainState TrainablePolicy TrainedOn TrainingListeners TrainingMemory
    TrainingSetup TrainingSetupOptions TrajectoryCredit TrajectoryOutput UpdateFigures UpdateSettings UpdateShape ValidatedEstimator agentPlayer
    assertComparable assertCreditEstimator backendNames benchPresetFor checkCreditEstimator choiceConfigSchema compareResults createChoiceModel
    createCreditEstimator creditConfigSchema creditEstimators creditLaws defineCreditEstimator defineCurriculum defineEvidence defineObjective
    evaluate expertPlayer findCheckpoint listCheckpoints noisyPlayer openBackend openChoiceModel openEnvSession openKeptEpisodes openPolicy
    parseResult parseTrainConfig policyPlayer poolSeeds prepareTraining randomPlayer readCheckpoint recipeFor renderTable resumeTraining
    rolloutSettingsSchema startTraining summarise trainConfigSchema`,
  'lab/index.ts': `
    AnchorSharer EventLog EventLogOptions OpenPlayerOptions OpenedPlayer PlayerSpec RunContent StoredResults TrajectoryCreditView
    TrajectoryViewOptions describePlayer exportCsv exportTensorBoard openEventLog openPlayer parsePlayer playerSpecSchema readRun renderTrajectory
    writeReport`,
  'sandbox/index.ts': `
    BubblewrapOptions ChosenProvider CommandLine Conversation DockerOptions ExecOptions ExecResult FakeExec FakeSandboxProvider FakeScript Guarantees
    KilledBy Language Limits OpenOptions Printed ProviderChoice ProviderMakers ProviderName ProviderParts ProviderReport Sandbox SandboxProvider
    SayOptions Shortfall Snapshot WasmProviderOptions assertMeets chooseProvider createBubblewrapProvider createDockerProvider createFakeProvider
    createWasmProvider guaranteeLevels innerPath meets openWasmProvider providerNames surveyProviders`,
};

/** Read from the source, because types leave no trace at run time. */
function exportedNames(entry: string): readonly string[] {
  const text = readFileSync(path.join(root, entry), 'utf8');
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) =>
      name
        .replace(/^\s*type\s/, '')
        .replace(/^.*\sas\s/, '')
        .trim(),
    )
    .filter((name) => name !== '')
    .toSorted();
}

describe('public names and numbers', () => {
  it.each(Object.entries(exported))('include exactly the exports of %s', (entry, names) => {
    expect(exportedNames(entry)).toEqual(names.split(/\s+/).filter((name) => name !== ''));
  });

  it('include the ids of the envs', () => {
    expect(builtInEnvs.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        // New envs need no entry here: these ids must not go away.
        'household-v1',
        'household-hard-v1',
        'household-small-v1',
        'lights-out-v1',
        'shop-v1',
        'shop-browser-v1',
        'alfworld-v1',
        'web-v1',
        'sql-v1',
        'tools-v1',
        'tau2-v1',
        'code-v1',
        'critique-v1',
        'ml-engineering-v1',
        'verilog-v1',
      ]),
    );
  });

  it('include the schema numbers of the files on disk', () => {
    expect({ trajectorySchema, resultSchemaNumber, checkpointSchemaNumber, runSchemaNumber }).toEqual({
      trajectorySchema: 2,
      resultSchemaNumber: 1,
      checkpointSchemaNumber: 2,
      runSchemaNumber: 1,
    });
  });

  it('include the backends and the laws of an env', () => {
    expect(backendNames).toEqual(['tensorflow', 'webgpu', 'wasm', 'cpu']);
    expect(Object.keys(laws).join(' ')).toMatchInlineSnapshot(
      `"definition panels tasks playable crash hang json schema text admissible reward steps-left initial-state repeat reuse concurrency luck mutation order snapshot state-key-alias state-key-split anchor-key secrets hidden experts audit resources"`,
    );
  });
});
