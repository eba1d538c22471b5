import type { Agent } from 'cairn-gym/agents';
import { builtInEnvs, createContext, createRegistry, readPanel } from 'cairn-gym/envs';
import {
  agentPlayer,
  compareResults,
  evaluate,
  openEnvSession,
  randomPlayer,
  renderTable,
  rolloutSettingsSchema,
} from 'cairn-gym/trainers';
import { environments } from './sort-env.ts';

/** Moves the last letter of all to the front, then the one before it. It makes one player an episode, and that one knows where it is. */
const backwards: Agent<string, string> = {
  id: 'backwards',
  begin: () => {
    const left = [...'abcde'];
    return {
      act: async ({ admissible = [] }) => {
        const action = admissible.find((each) => each === `front ${left.at(-1)}`);
        left.pop();
        const reply =
          action === undefined
            ? ({ kind: 'malformed', why: 'Nothing is left to move.', text: '' } as const)
            : ({ kind: 'action', action } as const);
        return { reply, decision: undefined, policyVersion: undefined };
      },
    };
  },
};

const definition = createRegistry([...builtInEnvs, ...environments]).find('my-lab/sort');
const context = createContext({ seed: 0, now: () => performance.now() });
const envSession = await openEnvSession(definition, rolloutSettingsSchema.parse({ concurrency: 8 }), context);
try {
  const panel = readPanel(envSession.host, { env: definition.id, config: envSession.envConfig, name: 'dev' });
  const own = await evaluate({ envSession, player: agentPlayer(backwards), panel, context });
  const random = await evaluate({ envSession, player: randomPlayer(), panel, context });
  console.log(renderTable([own, random]));
  console.log(`${(100 * compareResults(own, random).success.mean).toFixed(1)} points more than chance`);
} finally {
  await envSession[Symbol.asyncDispose]();
}
