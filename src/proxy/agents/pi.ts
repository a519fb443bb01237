import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../../content/foreign-value.ts';
import { OWNER_FILE_MODE } from '../../disk/owner-only.ts';
import { packageFile } from '../../package-file.ts';
import type { Mount } from '../contract.ts';
import { GUARD_VARIABLE } from '../run-variables.ts';
import type { WrappedAgent } from './agent.ts';
import { addressOf } from './agent-by-variable.ts';
import { baseUrl, mountOf } from './provider-mount.ts';
import { modelUrls, settingsFile, textAt, valueAt, withModelUrls } from './settings-object.ts';

const FOLDER = 'PI_CODING_AGENT_DIR';
const MODELS = 'models.json';
const SESSIONS = 'sessions';
const EXTENSIONS = 'extensions';
const GUARD = 'density-guard.js';
/** Base URLs of the providers that need no settings. Source: `models.generated` of pi-ai 0.73.1. */
const KNOWN: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  cerebras: 'https://api.cerebras.ai/v1',
  deepseek: 'https://api.deepseek.com',
  fireworks: 'https://api.fireworks.ai/inference',
  groq: 'https://api.groq.com/openai/v1',
  huggingface: 'https://router.huggingface.co/v1',
  'kimi-coding': 'https://api.kimi.com/coding',
  minimax: 'https://api.minimax.io/anthropic',
  moonshotai: 'https://api.moonshot.ai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  'vercel-ai-gateway': 'https://ai-gateway.vercel.sh',
  xai: 'https://api.x.ai/v1',
  zai: 'https://api.z.ai/api/coding/paas/v4',
};

/** The person's own extensions, and the one that asks the wrapper before a tool runs. */
async function linkExtensions(own: string, folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of await readdir(own).catch(() => []))
    if (name !== GUARD) await symlink(path.join(own, name), path.join(folder, name));
  // Not a link: its imports would be looked for beside it.
  const guard = fileURLToPath(packageFile('plugins/guard/pi.js'));
  await writeFile(path.join(folder, GUARD), `export { default } from ${JSON.stringify(guard)};\n`);
}

/** Moves what pi made beside the links, such as a first login, to its own folder. */
async function keepNew(folder: string, own: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === MODELS || entry.name === GUARD || entry.isSymbolicLink()) continue;
    if (entry.name === EXTENSIONS) {
      await keepNew(path.join(folder, EXTENSIONS), path.join(own, EXTENSIONS));
      continue;
    }
    await cp(path.join(folder, entry.name), path.join(own, entry.name), { recursive: true });
  }
}

export const pi: WrappedAgent = {
  command: 'pi',
  agent: 'pi',
  install: 'npm install -g @mariozechner/pi-coding-agent',
  trial: {
    parameters: ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5', '-p', 'hello'],
    environment: { ANTHROPIC_API_KEY: 'invented' },
  },
  async route({ parameters, environment, home, upstream }) {
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
      mounts: [...Object.values(mounts), ...modelMounts],
      async point({ proxyUrl, guardUrl }, folder) {
        // Links to everything else, so that refreshed logins and new sessions are where they belong.
        await mkdir(path.join(own, SESSIONS), { recursive: true });
        for (const name of await readdir(own).catch(() => [])) {
          if (name !== MODELS && name !== EXTENSIONS) await symlink(path.join(own, name), path.join(folder, name));
        }
        await linkExtensions(path.join(own, EXTENSIONS), path.join(folder, EXTENSIONS));
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
        return { parameters, environment: variables, ended: () => keepNew(folder, own) };
      },
    };
  },
};
