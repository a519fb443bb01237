import { once } from 'node:events';
import type { Command } from 'commander';
import { codeOf } from '../../../errors.ts';
import { baseUrl, mountOf } from '../../../proxy/agents/provider-mount.ts';
import { startProxy } from '../../../proxy/proxy.ts';
import { UsageError } from '../../terminal/failure.ts';
import { terminal } from '../../terminal/terminal.ts';
import { liveRun } from './live-options.ts';
import { proxyToken } from './proxy-token.ts';

const USUAL_PORT = '8377';
const PORT_LIMIT = 65_536;
/** Providers that need no `--upstream`, as an agent's own setting names them. */
const PROVIDERS = [
  { name: 'Anthropic', url: 'https://api.anthropic.com' },
  { name: 'OpenAI', url: 'https://api.openai.com/v1' },
  { name: 'Gemini', url: 'https://generativelanguage.googleapis.com' },
];

interface ProxyCommandOptions {
  readonly port: string;
  readonly upstream?: readonly string[];
  readonly shadow?: boolean;
  readonly json?: boolean;
}

async function proxy({
  port: wanted,
  upstream = [],
  shadow = false,
  json = false,
}: ProxyCommandOptions): Promise<void> {
  const port = Number(wanted);
  if (!Number.isInteger(port) || port < 0 || port >= PORT_LIMIT) {
    throw new UsageError(`Expected \`--port\` between 0 and ${PORT_LIMIT - 1}, got \`${wanted}\`.`);
  }
  const named = upstream.map((url) => ({ name: url, mount: mountOf(baseUrl(url, '--upstream')) }));
  const known = PROVIDERS.map(({ name, url }) => ({ name, mount: mountOf(new URL(url)) }));
  const providers = named.length > 0 ? named : known;
  const { out, notes } = terminal();
  const { options, log, troubles } = liveRun({ agent: 'proxy', isShadow: shadow });
  const started = await startProxy({
    ...options,
    port,
    token: await proxyToken(),
    mounts: providers.map(({ mount }) => mount),
  }).catch((error: unknown) => {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new UsageError(`Port ${port} is in use. Choose another one with --port, or 0 for any free one.`);
  });
  const urls = providers.map(({ name, mount }) => ({ provider: name, baseUrl: `${started.url}${mount.path}` }));
  const lines = urls.map(({ provider, baseUrl: url }) => `${provider}\n  ${url}`).join('\n');
  await out.print(
    json
      ? `${JSON.stringify({ port: started.port, urls })}\n`
      : `Set one of these as the base URL of your agent:\n${lines}\nStop with Ctrl-C. See what it did with \`density stats\`.\n`,
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'SIGHUP')]);
  await started.close();
  await log.close();
  for (const trouble of troubles) await notes.print(`density: ${trouble}\n`);
}

/** `density proxy`: the proxy of `density wrap` for editors and other agents, until it is stopped. */
export function defineProxy(command: Command): void {
  command
    .description(
      'Stands between agents and their providers, on this computer only, and prunes their requests as `density wrap` does. For editors and agents whose base URL is a setting. Its address contains a secret that stays the same.',
    )
    .option('--port <port>', 'the port on 127.0.0.1; 0: any free one', USUAL_PORT)
    .option('--upstream <url...>', 'base URLs of other providers, as the agent would name them')
    .option('--shadow', 'change nothing, only write down what would have been done')
    .option('--json', 'the addresses as one JSON object')
    .action(proxy);
}
