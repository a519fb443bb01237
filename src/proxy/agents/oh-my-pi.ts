import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { isRecord } from '../../content/foreign-value.ts';
import { OWNER_FILE_MODE } from '../../disk/owner-only.ts';
import { regularFileText } from '../../disk/regular-file.ts';
import { CompressionStrategyError, messageOf } from '../../errors.ts';
import type { Mount } from '../contract.ts';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { addressOf } from './agent-by-variable.ts';
import { keepNew, linkAll } from './settings/linked-folder.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';
import { modelUrls, textAt, valueAt, withModelUrls } from './settings/settings-object.ts';
import { takenParameter } from './taken-parameter.ts';

const FOLDER = 'PI_CODING_AGENT_DIR';
const MODELS = 'models.yml';
/** Oh My Pi lists there the sessions of a folder that it does not know: here they are in its own one. */
const SESSION_LIST = 'custom-session-files';
const MADE: ReadonlySet<string> = new Set([MODELS, SESSION_LIST]);
/** Base URLs of the providers whose models have one each. Source: `models.json` of pi-catalog 18.2.3. */
const KNOWN: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  cerebras: 'https://api.cerebras.ai/v1',
  deepseek: 'https://api.deepseek.com',
  fireworks: 'https://api.fireworks.ai/inference/v1',
  groq: 'https://api.groq.com/openai/v1',
  huggingface: 'https://router.huggingface.co/v1',
  'kimi-code': 'https://api.kimi.com/coding/v1',
  minimax: 'https://api.minimax.io/anthropic',
  moonshot: 'https://api.moonshot.ai/v1',
  nvidia: 'https://integrate.api.nvidia.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  'vercel-ai-gateway': 'https://ai-gateway.vercel.sh',
  xai: 'https://api.x.ai/v1',
};

/** Where another folder than the variable names has the settings. Source: `dirs.ts` of pi-utils 18.2.3. */
function whyElsewhere({ parameters, environment }: AgentStart): string | undefined {
  const { given = environment['OMP_PROFILE'] ?? environment['PI_PROFILE'] } = takenParameter(parameters, '--profile');
  if (given) return `its profile "${given}" has settings of its own`;
  const variables = ['XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];
  const moved = variables.find((name) => environment[name] && existsSync(path.join(environment[name], 'omp')));
  return moved && `${moved} has a folder of it`;
}

function ownModels(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  try {
    const value: unknown = parse(regularFileText(file)) ?? {};
    if (isRecord(value)) return value;
    throw new TypeError('it is no mapping');
  } catch (error) {
    throw new CompressionStrategyError(`Expected ${file} to be YAML: ${messageOf(error)}`, 'USAGE', { cause: error });
  }
}

/** Oh My Pi, a fork of pi: only its `models.yml` says where requests go. */
export const ohMyPi: WrappedAgent = {
  command: 'omp',
  agent: 'oh-my-pi',
  install: 'bun install -g @oh-my-pi/pi-coding-agent',
  trial: {
    parameters: ['--model', 'anthropic/claude-sonnet-4-5', '-p', 'hello'],
    environment: { ANTHROPIC_API_KEY: 'invented' },
  },
  async route(start) {
    const { parameters, environment, home, upstream } = start;
    const elsewhere = whyElsewhere(start);
    if (elsewhere !== undefined)
      throw new CompressionStrategyError(`Oh My Pi cannot be sent through the proxy: ${elsewhere}.`, 'USAGE');
    const own = environment[FOLDER] || path.join(home, environment['PI_CONFIG_DIR'] || '.omp', 'agent');
    const settings = ownModels(path.join(own, MODELS));
    const given = valueAt(settings, ['providers']);
    const providers: Record<string, unknown> = { ...(isRecord(given) && given) };
    const mountAt = (url: string): Mount => mountOf(upstream ?? baseUrl(url, `a baseUrl in ${MODELS}`));
    const mounts = new Map<string, Mount>();
    for (const name of new Set([...Object.keys(KNOWN), ...Object.keys(providers)])) {
      const url = textAt(settings, 'providers', name, 'baseUrl') ?? KNOWN[name];
      if (url !== undefined) mounts.set(name, mountAt(url));
    }
    const ofModels = Object.keys(providers).flatMap((name) => modelUrls(valueAt(providers, [name, 'models'])));
    return {
      mounts: [...mounts.values(), ...ofModels.map(mountAt)],
      unguarded: 'we did not try its extensions',
      async point({ proxyUrl }, folder) {
        await mkdir(path.join(own, 'sessions'), { recursive: true });
        await linkAll(own, folder, MADE);
        for (const [name, mount] of mounts) {
          const provider = isRecord(providers[name]) ? providers[name] : {};
          const models = withModelUrls(provider['models'], (url) => addressOf(proxyUrl, mountAt(url)));
          const address = { baseUrl: addressOf(proxyUrl, mount) };
          providers[name] = { ...provider, ...address, ...(models !== undefined && { models }) };
        }
        // JSON is YAML too.
        const text = JSON.stringify({ ...settings, providers });
        await writeFile(path.join(folder, MODELS), text, { mode: OWNER_FILE_MODE });
        return { parameters, environment: { [FOLDER]: folder }, ended: () => keepNew(folder, own, MADE) };
      },
    };
  },
};
