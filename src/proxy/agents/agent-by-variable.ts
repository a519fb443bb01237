import { CompressionStrategyError } from '../../errors.ts';
import type { Mount } from '../contract.ts';
import type { WrappedAgent } from './agent.ts';
import { baseUrl, mountOf } from './provider-mount.ts';

type Described = Pick<WrappedAgent, 'command' | 'agent' | 'install' | 'trial'>;

/** An agent whose base URL is in an environment variable: its requests are proxied where that is set, or with `--upstream`. */
export const agentByVariable = (variable: string, described: Described, unguarded: string): WrappedAgent => ({
  ...described,
  async route({ parameters, environment, upstream }) {
    const own = environment[variable];
    if (upstream === undefined && !own) throw unknownUpstream(described.command, variable);
    const mount = mountOf(upstream ?? baseUrl(own!, variable));
    return {
      mounts: [mount],
      unguarded,
      point: async ({ proxyUrl }) => ({ parameters, environment: { [variable]: addressOf(proxyUrl, mount) } }),
    };
  },
});

/** Where an agent finds its provider behind the proxy. */
export const addressOf = (proxyUrl: string, { path }: Mount): string => `${proxyUrl}${path}`;

export const unknownUpstream = (command: string, variable: string): CompressionStrategyError =>
  new CompressionStrategyError(
    `Where ${command} sends its requests is not known: ${variable} is not set. Name it with --upstream.`,
    'USAGE',
  );
