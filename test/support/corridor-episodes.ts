import type { Agent } from '../../agents/core/agent.ts';
import { createExpertAgent } from '../../agents/policy/expert.ts';
import { createTokenAgent, type TokenAgentOptions } from '../../agents/policy/token.ts';
import type { ChatMessage } from '../../agents/prompt/chat-model.ts';
import type { Prompt } from '../../agents/prompt/prompt.ts';
import { createTextAgent } from '../../agents/prompt/text-agent.ts';
import { createEnvPool } from '../../agents/rollout/env-pool.ts';
import { runEpisode } from '../../agents/rollout/episode.ts';
import { episodeLimitsSchema } from '../../agents/rollout/limits.ts';
import type { Trajectory } from '../../agents/rollout/trajectory.ts';
import { openEnv } from '../../envs/open.ts';
import { corridor, openCorridor, type CorridorMove, type CorridorView } from './corridor.ts';
import { testContext } from './rollout.ts';
import { byteCodec, byteGuard, endToken, otherEndToken, scriptedSampler, templates } from './token-play.ts';

type CorridorAgent = Agent<CorridorView, CorridorMove>;

/** An episode of nine turns at most. */
export async function playCorridor(agent: CorridorAgent): Promise<Trajectory> {
  const envs = createEnvPool(await openEnv(corridor, { turns: 9 }, testContext()));
  const limits = episodeLimitsSchema.parse({ malformed: { inARow: 6 } });
  const plan = {
    path: 'train/2/test/member-0',
    envs,
    env: { id: 'corridor-v1', config: {} },
    agent,
    task: { panel: 'train', index: 2 },
    family: 'rooms-5',
    limits,
  };
  const trajectory = await runEpisode(plan, testContext());
  await envs.close();
  return trajectory;
}

/** By a language model that says these, one after the other and again. `asked` is what it was asked last. */
export async function playByText(
  replies: readonly string[],
  prompt: Prompt,
): Promise<{ readonly trajectory: Trajectory; readonly asked: readonly ChatMessage[] }> {
  let turns = 0;
  let asked: readonly ChatMessage[] = [];
  const agent = createTextAgent<CorridorView, CorridorMove>({
    id: 'openai:test',
    model: {
      complete: async ({ messages }) => {
        asked = messages;
        turns += 1;
        return {
          kind: 'said',
          text: replies[(turns - 1) % replies.length] ?? '',
          cut: false,
          usage: undefined,
          reasoningCharacters: 0,
        };
      },
    },
    prompt,
    text: corridor.text,
    view: { admissible: false, history: prompt.history },
  });
  return { trajectory: await playCorridor(agent), asked };
}

/** By a policy that writes these tokens, one reply after the other and again. */
export function playByTokens(
  replies: readonly (readonly number[])[],
  prompt: Prompt,
  over: Partial<TokenAgentOptions<CorridorView, CorridorMove>> = {},
): Promise<Trajectory> {
  const sampler = scriptedSampler((_, number) => ({ tokens: replies[number % replies.length] ?? [] }));
  return playCorridor(
    createTokenAgent<CorridorView, CorridorMove>({
      id: 'writer',
      sampler,
      codec: byteCodec,
      guard: byteGuard,
      template: templates.plain,
      prompt,
      text: corridor.text,
      view: { admissible: false, history: prompt.history },
      decoding: { temperature: 1 },
      maxTokens: 60,
      stopTokens: [endToken, otherEndToken],
      ...over,
    }),
  );
}

/** By the env's own searcher, whose decisions hold the list of actions. */
export const playBySearcher = (): Promise<Trajectory> =>
  playCorridor(
    createExpertAgent({
      kind: 'searcher',
      experts: openCorridor({ slip: 0, delayMs: 0, turns: 9 }).experts,
      text: corridor.text,
    }),
  );
