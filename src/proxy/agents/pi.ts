import { existsSync, realpathSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../../content/foreign-value.ts';
import { OWNER_FILE_MODE } from '../../disk/owner-only.ts';
import { packageFile } from '../../package-file.ts';
import type { Mount } from '../contract.ts';
import { GUARD_VARIABLE } from '../run-variables.ts';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { addressOf } from './agent-by-variable.ts';
import { keepNew, linkAll } from './settings/linked-folder.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';
import { modelUrls, settingsFile, textAt, valueAt, withModelUrls } from './settings/settings-object.ts';

const FOLDER = 'PI_CODING_AGENT_DIR';
const MODELS = 'models.json';
const SESSIONS = 'sessions';
const EXTENSIONS = 'extensions';
const GUARD = 'density-guard.js';
/** Base URLs of the providers that need no settings. Source: the models of pi-ai 0.73.1 and 1.6.0. */
const KNOWN: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  baseten: 'https://inference.baseten.co/v1',
  cerebras: 'https://api.cerebras.ai/v1',
  deepseek: 'https://api.deepseek.com',
  fireworks: 'https://api.fireworks.ai/inference/v1',
  groq: 'https://api.groq.com/openai/v1',
  huggingface: 'https://router.huggingface.co/v1',
  'kimi-coding': 'https://api.kimi.com/coding/v1',
  meta: 'https://api.meta.ai/v1',
  minimax: 'https://api.minimax.io/anthropic',
  'minimax-cn': 'https://api.minimaxi.com/anthropic',
  moonshotai: 'https://api.moonshot.ai/v1',
  'moonshotai-cn': 'https://api.moonshot.cn/v1',
  nvidia: 'https://integrate.api.nvidia.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  together: 'https://api.together.ai/v1',
  'vercel-ai-gateway': 'https://ai-gateway.vercel.sh',
  xai: 'https://api.x.ai/v1',
  xiaomi: 'https://api.xiaomimimo.com/v1',
  zai: 'https://api.z.ai/api/coding/paas/v4',
  'zai-coding-cn': 'https://open.bigmodel.cn/api/coding/paas/v4',
};

/**
 * Providers whose models have one of two APIs, by their name or by the version of pi. A client of the Messages API adds `/v1` to its base
 * URL, which has it for the others.
 */
const OF_TWO_APIS: ReadonlySet<string> = new Set(['fireworks', 'kimi-coding', 'openrouter']);
const withV1 = ({ path: end, ...mount }: Mount): Mount => ({ ...mount, path: `${end}/v1` });

const INSTALL = 'npm install -g @earendil-works/pi-coding-agent';
/** Has no new versions since 0.73.1. */
const OLD_PACKAGE = path.join('@mariozechner', 'pi-coding-agent');

/** True if the command `pi` on the PATH is of the old package; false where that cannot be seen, as on Windows. */
function isOld({ environment }: AgentStart): boolean {
  const files = (environment['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'pi'));
  const command = files.find((file) => existsSync(file));
  return command !== undefined && realpathSync(command).includes(`${path.sep}${OLD_PACKAGE}${path.sep}`);
}

/** Made in the folder, not linked: its models, its extensions, and the one among them that asks the wrapper before a tool runs. */
const MADE: ReadonlySet<string> = new Set([MODELS, EXTENSIONS]);
const MADE_EXTENSIONS: ReadonlySet<string> = new Set([GUARD]);

/** Links to everything of the person's but the models, and the extension of the guard. */
async function linkOwn(own: string, folder: string): Promise<void> {
  await mkdir(path.join(own, SESSIONS), { recursive: true });
  await linkAll(own, folder, MADE);
  const extensions = path.join(folder, EXTENSIONS);
  await linkAll(path.join(own, EXTENSIONS), extensions, MADE_EXTENSIONS);
  // Not a link: its imports would be looked for beside it.
  const guard = fileURLToPath(packageFile('plugins/guard/pi.js'));
  await writeFile(path.join(extensions, GUARD), `export { default } from ${JSON.stringify(guard)};\n`);
}

async function keepOwn(folder: string, own: string): Promise<void> {
  await keepNew(folder, own, MADE);
  await keepNew(path.join(folder, EXTENSIONS), path.join(own, EXTENSIONS), MADE_EXTENSIONS);
}

export const pi: WrappedAgent = {
  command: 'pi',
  agent: 'pi',
  install: INSTALL,
  trial: {
    parameters: ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5', '-p', 'hello'],
    environment: { ANTHROPIC_API_KEY: 'invented' },
  },
  async route(start) {
    const { parameters, environment, home, upstream } = start;
    const own = environment[FOLDER]?.replace(/^~(?=\/|$)/, home) ?? path.join(home, '.pi/agent');
    const settings = (await settingsFile(path.join(own, MODELS))) ?? {};
    const given = valueAt(settings, ['providers']);
    const providers: Record<string, unknown> = { ...(isRecord(given) && given) };
    const mounts: Record<string, Mount> = {};
    const mountAt = (url: string, of: string): Mount => mountOf(upstream ?? baseUrl(url, `the baseUrl of pi's ${of}`));
    for (const name of new Set([...Object.keys(KNOWN), ...Object.keys(providers)])) {
      const url = upstream?.href ?? textAt(settings, 'providers', name, 'baseUrl') ?? KNOWN[name];
      if (url !== undefined) mounts[name] = mountAt(url, `provider "${name}"`);
    }
    const ofModel = (url: string): Mount => mountAt(url, 'model');
    const modelMounts = Object.keys(providers).flatMap((name) =>
      modelUrls(valueAt(providers, [name, 'models'])).map(ofModel),
    );
    return {
      mounts: [
        ...[...OF_TWO_APIS].flatMap((name) => (valueAt(providers, [name, 'baseUrl']) ? [] : withV1(mounts[name]!))),
        ...Object.values(mounts),
        ...modelMounts,
      ],
      ...(isOld(start) && { notes: [`this pi has no new versions; pi has another name now: ${INSTALL}`] }),
      async point({ proxyUrl, guardUrl }, folder) {
        await linkOwn(own, folder);
        for (const [name, mount] of Object.entries(mounts)) {
          const provider = providers[name];
          const own = isRecord(provider) ? provider : {};
          const models = withModelUrls(own['models'], (url) => addressOf(proxyUrl, ofModel(url)));
          providers[name] = { ...own, baseUrl: addressOf(proxyUrl, mount), ...(models !== undefined && { models }) };
        }
        await writeFile(path.join(folder, MODELS), JSON.stringify({ ...settings, providers }), {
          mode: OWNER_FILE_MODE,
        });
        const variables = { [FOLDER]: folder, [GUARD_VARIABLE]: guardUrl };
        return { parameters, environment: variables, ended: () => keepOwn(folder, own) };
      },
    };
  },
};
