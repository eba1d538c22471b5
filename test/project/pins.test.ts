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
  'envs/index.ts': `
    ActionGuard AnyEnvDefinition Audit CheckOptions CheckPlan CheckReport Condition ConfigKey Context EmptiedPanel Env EnvDefinition EnvHost EnvId
    EpisodePlace ErrorParts Experts Fault FaultError FaultKind Finding Frozen GymEvent ImportOptions Json Law LoadOptions Logger Ongoing Opener Opening
    OrderGuard OrderGuardOptions OwnedContext PanelInfo PanelRequest Parsed Place Registry Reply ResetContext ResultStage Reward Rng RunError Searcher Semaphore
    Snapshot Snapshots StepContext StepResult TaskInfo TaskPanel TaskRef TaskSource Terminated TextStep TextWorld Textual Truncated Turn TurnLimit
    Unchecked UsageError abortable alfworldEnv assertEnv assertTask boundary builtInEnvs canonicalJson checkEnv createContext createMemoryLogger
    createRegistry createRng defineEnv defineTextEnv describeFault describeFinding describeIssues findPanel fingerprintTasks forkContext formatReport
    householdEnv householdHardEnv householdSmallEnv laws lightsOutEnv loadEnvModule mapDefinition mapHost messageOf openEnv parseEnvConfig readPanel readReply reward
    shopBrowserEnv shopEnv silentLogger sqlEnv`,
  'agents/index.ts': `
    ActingTurn Agent Answer Backoff ChatClient ChatClientOptions ChatLimits ChatMessage ChatModel ChatReply ChatRequest ChoiceDecision ChoiceMode
    ChoiceSampler ChoiceSession Conversation DamagedStretch Decision Endpoint EnvPool EpisodeLimits EpisodePlan ExpertKind GroupOrigin GroupResult
    GroupStrategy GroupsPlan History KeyOf LoopClock LossListener Player Prompt PromptName ReadLimits ReadOptions Retry RolloutPlan RolloutProgress
    Scores ScriptedReply Secret ServerOptions ShownLess Stop StoreFileSystem StoreOptions StorePosition TextAgentOptions TextDecision TextView
    TokenDecision TokenSpan TokenUsage TornTail Trajectory TrajectoryGroup TrajectoryStep TrajectoryStore createChoiceAgent createEnvPool
    createExpertAgent createHumanAgent createRandomAgent createScriptedAgent createTextAgent decodeGroup defaultChatLimits defaultReadLimits
    describeHistory encodeGroup episodeLimitsSchema episodePath isSolved loadPrompt netRewardOf openChatClient openTrajectoryStore parseEndpoint
    parsePrompt playerLeft promptNames readTrajectories readTrajectoryFile returnOf runEpisode runGroup runGroups scoreOf storePositionSchema
    trajectorySchema`,
  'trainers/index.ts': `
    AssignInputs BackendName BatchCredit BenchPreset BuiltInCreditConfig CheckpointExpectation CheckpointManifest ChoiceBatch ChoiceConfig
    ChoiceModel ChoiceState ChoiceTraining ChoiceWeights Comparison CompleteEstimator Contestant CreditCheckOptions CreditConfig
    CreditEstimator CreditEstimatorDefinition CreditFinding CreditLaw CreditLevel CreditReport CreditedGroups Curriculum
    CurriculumDefinition CurriculumSetup Decoding EpisodeRow EstimatorFacts EstimatorOutput EvaluationFacts EvaluationResult Evidence
    GroupVerdict ImitatedSoFar Imitation ImitationSettings KeptEpisodes KeptIdentity KnownSettings Lineage ListedCheckpoint MeanEstimate
    MetricsLine Numbers Objective ObjectiveDefinition OpenBackendOptions OpenCurriculum OptimiserStepInput PairedCounts PassOptions PassPosition
    PlayingPolicy PluginDefinition PolicyConfig PolicyDecoding PolicyModel PolicyTrait Preparation PreparationOptions PresetPrompt
    ProgressListener RateEstimate ReadableTensor RetriedFault RolloutSettings RunDocument RunFaults RunResult SamplerGap ScoreEstimate
    SeedRun SettledTrainConfig Shown Stall StallKind Surrogate SurrogateFacts TableColumn TableOptions TensorBackend TimingsLine TokenCounts
    TrainConfig TrainConfigInput TrainOutcome TrainProgress TrainState TrainablePolicy TrainedOn TrainingMemory TrajectoryCredit
    TrajectoryOutput UpdateFigures UpdateSettings UpdateShape ValidatedEstimator Workbench agentContestant assertComparable
    assertCreditEstimator backendNames benchPresetFor checkCreditEstimator choiceConfigSchema compareResults createChoiceModel
    createCreditEstimator creditConfigSchema creditEstimators creditLaws defineCreditEstimator defineCurriculum defineObjective evaluate
    expertContestant findCheckpoint listCheckpoints openBackend openChoiceModel openKeptEpisodes openPolicy openWorkbench parseResult
    parseTrainConfig policyContestant poolSeeds prepare randomContestant readCheckpoint recipeFor renderTable resumeTraining
    rolloutSettingsSchema startTraining summarise trainConfigSchema`,
  'lab/index.ts': `
    AnchorSharer RunContent StoredResults TrajectoryCreditView TrajectoryViewOptions exportCsv exportTensorBoard readRun renderTrajectory writeReport`,
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

describe('what others build on stays', () => {
  it.each(Object.entries(exported))('the names of %s', (entry, names) => {
    expect(exportedNames(entry)).toEqual(names.split(/\s+/).filter((name) => name !== ''));
  });

  it('the ids of the envs', () => {
    expect(builtInEnvs.map(({ id }) => id)).toEqual([
      'household-v1',
      'household-hard-v1',
      'household-small-v1',
      'lights-out-v1',
      'shop-v1',
      'shop-browser-v1',
      'alfworld-v1',
      'web-v1',
      'sql-v1',
      'code-v1',
      'critique-v1',
      'ml-engineering-v1',
      'verilog-v1',
    ]);
  });

  it('the numbers of the formats on disk', () => {
    expect({ trajectorySchema, resultSchemaNumber, checkpointSchemaNumber, runSchemaNumber }).toEqual({
      trajectorySchema: 2,
      resultSchemaNumber: 1,
      checkpointSchemaNumber: 2,
      runSchemaNumber: 1,
    });
  });

  it('the names of the backends and of the laws of an env', () => {
    expect(backendNames).toEqual(['tensorflow', 'webgpu', 'wasm', 'cpu']);
    expect(Object.keys(laws).join(' ')).toMatchInlineSnapshot(
      `"definition panels tasks playable crash hang json schema text admissible reward steps-left initial-state repeat reuse concurrency luck mutation order snapshot state-key-alias state-key-split anchor-key secrets hidden experts resources"`,
    );
  });
});
