import type { Endpoint } from '../../agents/servers/endpoint.ts';
import type { Player } from './entrants.ts';

/** What its episodes depend on, whatever a player is called, and the checkpoint, since results say it. It holds no secrets: a URL's query is left out. */
export function identityOf(player: Player): Readonly<Record<string, string>> {
  switch (player.kind) {
    case 'scripted':
      return { kind: 'scripted', agent: player.agent };
    case 'run':
      return { kind: 'run', checkpoint: player.run.checkpoint, weights: player.run.weightsDigest };
    case 'model':
      return { kind: 'model', weights: player.model.weightsDigest };
    case 'text':
      return {
        kind: 'text',
        model: player.model,
        endpoint: `${player.endpoint.origin}${endpointPath(player.endpoint)}`,
      };
    default:
      return player satisfies never;
  }
}

/** The path of the URL as one gives it, such as `/v1`, without the query. */
export const endpointPath = ({ chatPath }: Endpoint): string =>
  chatPath.replace(/\?.*$/s, '').replace(/\/chat\/completions$/, '');
