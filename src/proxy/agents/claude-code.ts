import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../content/foreign-value.ts';
import { OWNER_FILE_MODE } from '../../disk/owner-only.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { GUARD_VARIABLE } from '../run-variables.ts';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';
import { settingsFile, settingsObject, textAt, valueAt } from './settings/settings-object.ts';
import { takenParameter } from './taken-parameter.ts';

const FLAG = '--settings';
const BASE_URL = 'ANTHROPIC_BASE_URL';
const PROVIDER = 'https://api.anthropic.com';
/** Clouds whose requests are signed for another host. */
const CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

/**
 * What Claude Code switches off behind a base URL that is not the vendor's, and the headers that name its sessions and
 * side requests. Source: docs/proxy.md, "What a foreign base URL takes away".
 */
const GIVEN_BACK = {
  ENABLE_TOOL_SEARCH: 'true',
  CLAUDE_CODE_ENABLE_FINE_GRAINED_TOOL_STREAMING: '1',
  CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
};

/** Source: docs/proxy.md, "What a foreign base URL takes away". */
const NO_REMOTE_CONTROL = 'Claude Code turns Remote Control off while its requests go through density';

/** The person's own `--settings` (a file or JSON), and the parameters without it. */
async function ownSettings({ parameters, folder }: AgentStart) {
  const { given, rest } = takenParameter(parameters, FLAG);
  if (given === undefined) return { settings: {}, rest };
  if (given.trimStart().startsWith('{')) return { settings: settingsObject(given, FLAG), rest };
  const settings = await settingsFile(path.resolve(folder, given));
  if (settings === undefined) throw new CompressionStrategyError(`There is no settings file ${given}.`, 'USAGE');
  return { settings, rest };
}

/** Tools that write files, and shells: an HTTP hook starts no process. Source: https://code.claude.com/docs/en/hooks; Claude Code 2.1.63 has it first. */
const WRITERS = 'Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell';
const GUARD_SECONDS = 5;

/** The person's own hooks, and one that asks the wrapper before a tool that writes. */
function withGuard(settings: Record<string, unknown>, url: string): object {
  const hooks = valueAt(settings, ['hooks']);
  const own = valueAt(settings, ['hooks', 'PreToolUse']);
  const guard = { matcher: WRITERS, hooks: [{ type: 'http', url, timeout: GUARD_SECONDS }] };
  return { ...(isRecord(hooks) && hooks), PreToolUse: [...(Array.isArray(own) ? own : []), guard] };
}

/** Why a hook of ours would not run. */
function whyUnguarded(layers: readonly (Record<string, unknown> | undefined)[]): string | undefined {
  const isSet = (name: string): boolean => layers.some((layer) => valueAt(layer, [name]) !== undefined);
  if (layers.some((layer) => valueAt(layer, ['disableAllHooks']) === true)) return 'disableAllHooks is set';
  return isSet('allowedHttpHookUrls') ? 'allowedHttpHookUrls is set' : undefined;
}

/** Settings from the nearest to the farthest. */
async function layersOf({ folder, home, environment }: AgentStart, own: Record<string, unknown>) {
  const user = environment['CLAUDE_CONFIG_DIR'] ?? path.join(home, '.claude');
  const files = [
    path.join(folder, '.claude/settings.local.json'),
    path.join(folder, '.claude/settings.json'),
    path.join(user, 'settings.json'),
  ];
  return [own, ...(await Promise.all(files.map(settingsFile)))];
}

export const claudeCode: WrappedAgent = {
  command: 'claude',
  agent: 'claude-code',
  install: 'npm install -g @anthropic-ai/claude-code',
  trial: { parameters: ['-p', 'hello'], environment: { ANTHROPIC_API_KEY: 'invented' } },
  async route(start) {
    const { settings, rest } = await ownSettings(start);
    const layers = await layersOf(start, settings);
    // Settings win over the shell, and the nearest settings win.
    const variable = (name: string): string | undefined =>
      layers.map((layer) => textAt(layer, 'env', name)).find((value) => value !== undefined) ?? start.environment[name];
    const unguarded = whyUnguarded(layers);
    const cloud = CLOUDS.find((name) => ![undefined, '', '0', 'false'].includes(variable(name)));
    if (cloud !== undefined) {
      throw new CompressionStrategyError(
        `${cloud} is set: requests to that cloud are signed for its own address and cannot be changed on the way.`,
        'USAGE',
      );
    }
    const upstream = start.upstream ?? baseUrl(variable(BASE_URL) || PROVIDER, BASE_URL);
    const mount = mountOf(upstream);
    return {
      mounts: [mount],
      // Behind a base URL of the person's own it is off anyway.
      ...(upstream.origin === PROVIDER && { notes: [NO_REMOTE_CONTROL] }),
      ...(unguarded !== undefined && { unguarded }),
      async point({ proxyUrl, guardUrl }, folder) {
        const ownEnvironment = valueAt(settings, ['env']);
        const env = {
          ...GIVEN_BACK,
          ...(isRecord(ownEnvironment) && ownEnvironment),
          [BASE_URL]: `${proxyUrl}${mount.path}`,
        };
        // A file, because everybody on this computer can read the command line.
        const file = path.join(folder, 'settings.json');
        // With an empty address Claude Code would load none of these settings.
        const hasGuard = guardUrl !== '';
        const given = { ...settings, env, ...(hasGuard && { hooks: withGuard(settings, guardUrl) }) };
        await writeFile(file, JSON.stringify(given), { mode: OWNER_FILE_MODE });
        const guard = hasGuard && unguarded === undefined ? { [GUARD_VARIABLE]: guardUrl } : {};
        return { parameters: [FLAG, file, ...rest], environment: guard };
      },
    };
  },
};
