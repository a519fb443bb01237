import { CompressionStrategyError } from '../../errors.ts';
import type { Mount } from '../contract.ts';
import type { WrappedAgent } from './agent.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';

type Described = Pick<WrappedAgent, 'command' | 'agent' | 'install' | 'trial'>;

/** A variable with the base URL of an agent, and the base URL that the agent has without it. */
interface UrlVariable {
  readonly name: string;
  readonly standard?: string;
}

/** An agent whose base URL is in an environment variable: its requests are proxied where a base URL is known, or with `--upstream`. */
export const agentByVariable = (
  { name, standard }: UrlVariable,
  described: Described,
  unguarded: string,
): WrappedAgent => ({
  ...described,
  async route({ parameters, environment, upstream }) {
    const own = environment[name] || standard;
    if (upstream === undefined && !own) throw unknownUpstream(described.command, name);
    const mount = mountOf(upstream ?? baseUrl(own!, name));
    return {
      mounts: [mount],
      unguarded,
      point: async ({ proxyUrl }) => ({ parameters, environment: { [name]: addressOf(proxyUrl, mount) } }),
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
