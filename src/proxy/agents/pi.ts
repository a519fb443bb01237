import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../content/foreign-value.ts';
import { OWNER_FILE_MODE } from '../../disk/owner-only.ts';
import type { Mount } from '../contract.ts';
import type { WrappedAgent } from './agent.ts';
import { baseUrl, mountOf } from './provider-mount.ts';
import { settingsFile, textAt, valueAt } from './settings-object.ts';

const FOLDER = 'PI_CODING_AGENT_DIR';
const MODELS = 'models.json';
const SESSIONS = 'sessions';
/** Base URLs of the providers that need no settings. */
const KNOWN: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/** Moves what pi made beside the links, such as a first login, to its own folder. */
async function keepNew(folder: string, own: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === MODELS || entry.isSymbolicLink()) continue;
    await cp(path.join(folder, entry.name), path.join(own, entry.name), { recursive: true });
  }
}

export const pi: WrappedAgent = {
  command: 'pi',
  agent: 'pi',
  install: 'npm install -g @mariozechner/pi-coding-agent',
  async route({ parameters, environment, home, upstream }) {
    const own = environment[FOLDER]?.replace(/^~(?=\/|$)/, home) ?? path.join(home, '.pi/agent');
    const settings = (await settingsFile(path.join(own, MODELS))) ?? {};
    const given = valueAt(settings, ['providers']);
    const providers: Record<string, unknown> = { ...(isRecord(given) && given) };
    const mounts: Record<string, Mount> = {};
    for (const name of new Set([...Object.keys(KNOWN), ...Object.keys(providers)])) {
      const url = upstream?.href ?? textAt(settings, 'providers', name, 'baseUrl') ?? KNOWN[name];
      if (url !== undefined) mounts[name] = mountOf(baseUrl(url, `the baseUrl of pi's provider "${name}"`));
    }
    return {
      mounts: Object.values(mounts),
      async point(proxyUrl, folder) {
        // Links to everything else, so that refreshed logins and new sessions are where they belong.
        await mkdir(path.join(own, SESSIONS), { recursive: true });
        for (const name of await readdir(own).catch(() => [])) {
          if (name !== MODELS) await symlink(path.join(own, name), path.join(folder, name));
        }
        for (const [name, mount] of Object.entries(mounts)) {
          const provider = providers[name];
          providers[name] = { ...(isRecord(provider) && provider), baseUrl: `${proxyUrl}${mount.path}` };
        }
        await writeFile(path.join(folder, MODELS), JSON.stringify({ ...settings, providers }), {
          mode: OWNER_FILE_MODE,
        });
        return { parameters, environment: { [FOLDER]: folder }, ended: () => keepNew(folder, own) };
      },
    };
  },
};
