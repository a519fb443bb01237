import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../../../disk/owner-only.ts';
import { codeOf } from '../../../errors.ts';
import { LOSSLESS_CONFIG } from '../../../live/turn/recommended-config.ts';
import { baseUrl, mountOf } from '../../../proxy/agents/settings/provider-mount.ts';
import type { Mount } from '../../../proxy/contract.ts';
import { startProxy } from '../../../proxy/proxy.ts';
import { liveFolder } from '../../../sessions/places/data-folder.ts';
import { cacheMarksOption, keepWarmOption, settingOptions, shapeOption } from '../../options/setting-options.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { terminal, UsageError } from '../../terminal/terminal.ts';
import { liveRun } from './live-options.ts';
import { givenSettings, liveSettings, withGivenRules } from './live-settings.ts';

const DEFAULT_PORT = '8377';
const PORT_LIMIT = 65_536;
/** Providers that are always served, as an agent's own setting names them. */
const PROVIDERS = [
  { name: 'Anthropic', url: 'https://api.anthropic.com' },
  { name: 'OpenAI', url: 'https://api.openai.com/v1' },
  { name: 'Gemini', url: 'https://generativelanguage.googleapis.com' },
];

interface ProxyCommandOptions {
  readonly port: string;
  readonly upstream?: readonly string[];
  readonly shadow?: boolean;
  readonly keepWarm?: boolean;
  readonly json?: boolean;
  readonly team?: string;
  readonly listen?: string;
  readonly allowHost?: readonly string[];
  readonly keepDays: string;
}

/** The providers that are served, those of `--upstream` first, with the part of the address that leads to each. */
function providersOf(upstream: readonly string[]): readonly { readonly name: string; readonly mount: Mount }[] {
  const others = upstream.map((url) => ({ name: url, mount: mountOf(baseUrl(url, '--upstream')) }));
  const usual = PROVIDERS.map(({ name, url }) => ({ name, mount: mountOf(new URL(url)) }));
  const isNamed = ({ path }: Mount): boolean => others.some(({ mount }) => mount.path === path);
  return [...others, ...usual.filter(({ mount }) => !isNamed(mount))];
}

const TOKEN_BYTES = 16;
const TOKEN = /^[\w-]{20}[\w-]*$/;

/** A secret part of this user's proxy addresses, by the name of its file; made once, so that settings and bookmarks keep working. */
async function keptToken(name: 'token' | 'page-token'): Promise<string> {
  const file = path.join(liveFolder(), name);
  const known = await readFile(file, 'utf8').catch(() => '');
  if (TOKEN.test(known.trim())) return known.trim();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await makeOwnerFolder(liveFolder());
  await writeFile(file, `${token}\n`, { mode: OWNER_FILE_MODE });
  return token;
}

async function proxy(options: ProxyCommandOptions): Promise<void> {
  const { port: wanted, upstream = [], json = false, team: redis, listen, allowHost = [], keepDays } = options;
  const given = givenSettings(options);
  const providers = providersOf(upstream);
  const layers = await layersInForce({});
  if (redis !== undefined) {
    const { teamProxy } = await import('./team-proxy.ts');
    // What shapers leave out would fill the server.
    const config = withGivenRules(LOSSLESS_CONFIG, [given]);
    const { mode, cacheMarks, cacheLifetime } = liveSettings([given]);
    const changes = { isShadow: mode === 'shadow', config, cacheMarks, cacheLifetime };
    return teamProxy({ redis, listen, hosts: allowHost, keepDays, changes, json, providers });
  }
  if (listen !== undefined || allowHost.length > 0) {
    throw new UsageError(
      'Expected --team with --listen and --allow-host: only a proxy of a team, which asks for tokens, is reachable from elsewhere.',
    );
  }
  const port = Number(wanted);
  if (!Number.isInteger(port) || port < 0 || port >= PORT_LIMIT) {
    throw new UsageError(`Expected \`--port\` between 0 and ${PORT_LIMIT - 1}, got \`${wanted}\`.`);
  }
  const { out, notes } = terminal();
  // Only its own option turns it on.
  const warmLayers = [given, { 'keep-warm': false, 'live-pruning': 'on' } as const, ...layers];
  const run = liveRun({
    agent: 'proxy',
    // Agents of any folder use it: the folder in which it was started says nothing about theirs.
    ...liveSettings([given]),
    layers,
    warm: { isOneAgent: false, layers: warmLayers, readLayers: async () => warmLayers },
    pageToken: await keptToken('page-token'),
    // Nobody may read it any more.
    onTrouble: (what) => void notes.print(`density: ${what}\n`).catch(() => {}),
  });
  const started = await startProxy({
    ...run.options,
    port,
    token: await keptToken('token'),
    mounts: providers.map(({ mount }) => mount),
  }).catch((error: unknown) => {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new UsageError(`Port ${port} is in use. Choose another one with --port, or 0 for any free one.`);
  });
  await run.announce(started);
  const { pageUrl: page } = started;
  const urls = providers.map(({ name, mount }) => ({ provider: name, baseUrl: `${started.url}${mount.path}` }));
  const lines = urls.map(({ provider, baseUrl: url }) => `${provider}\n  ${url}`).join('\n');
  await out.print(
    json
      ? `${JSON.stringify({ port: started.port, urls, page })}\n`
      : `Set one of these as the base URL of your agent:\n${lines}\nSee what it does: ${page}\nStop with Ctrl-C. \`density stats\` keeps the numbers.\n`,
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'SIGHUP')]);
  await started.close();
  await run.close();
}

/** `density proxy`: the proxy of `density wrap` for editors and other agents, until it is stopped. */
export function defineProxy(command: Command): void {
  keepWarmOption(cacheMarksOption(shapeOption(settingOptions(command, ['cache-lifetime']))))
    .description(
      'Runs a proxy on this computer, between agents and their providers, that prunes requests as `density wrap` does. It is for editors and agents whose base URL is a setting. Its address contains a secret and is the same in every run. With --team it is the proxy of a team.',
    )
    .option('--port <port>', 'the port on 127.0.0.1; 0 takes any free port', DEFAULT_PORT)
    .option('--upstream <url...>', 'base URLs of more providers, as the agent would name them')
    .option(
      '--team <url>',
      'the proxy of a team: any number of replicas share this Redis server, and users have tokens (`density team token`)',
    )
    .option(
      '--listen <host:port>',
      'with --team: the address to listen on (default: "127.0.0.1:8377"); for TLS, put a balancer in front of it',
    )
    .option('--allow-host <name...>', 'with --team: the names under which other computers reach the proxy')
    .option('--keep-days <number>', 'with --team: days after which unused conversations and texts are dropped', '30')
    .option('--shadow', 'change nothing new, only write down what would have been done')
    .option('--json', 'one JSON object')
    .action(proxy);
}
