import { CompressionStrategyError } from '../../errors.ts';
import type { WrappedAgent } from './agent.ts';
import { baseUrl, mountOf } from './provider-mount.ts';

/** Any other command, whose base URL is in an environment variable. */
export const otherAgent = (command: string, variable: string): WrappedAgent => ({
  command,
  agent: command,
  install: `see the documentation of ${command}`,
  trial: { parameters: [], environment: {} },
  async route({ parameters, environment, upstream }) {
    const own = environment[variable];
    if (upstream === undefined && !own) {
      throw new CompressionStrategyError(
        `Where ${command} sends its requests is not known: ${variable} is not set. Name it with --upstream.`,
        'USAGE',
      );
    }
    const mount = mountOf(upstream ?? baseUrl(own!, variable));
    return {
      mounts: [mount],
      unguarded: 'its hooks are not known',
      point: async ({ proxyUrl }) => ({ parameters, environment: { [variable]: `${proxyUrl}${mount.path}` } }),
    };
  },
});
