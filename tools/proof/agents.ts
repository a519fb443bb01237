import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RuntimeName } from './wrapped-agents/installed-agent.ts';

/** A coding agent that is run against a scripted model at `port` of this computer. */
export interface Agent {
  readonly name: string;
  /** Format of its sessions, for `density convert --to`. */
  readonly format: string;
  /** Of npm, with the version that was tried. */
  readonly package: string;
  /** What it runs in, if that is not this Node: npm installs it beside the agent. */
  readonly runtime?: RuntimeName;
  readonly program: string;
  readonly environment: (port: number) => Readonly<Record<string, string>>;
  /** Files in its home, by path. */
  readonly files?: (port: number) => Readonly<Record<string, unknown>>;
  /** The folder in its home where it logs its variables and the address that it asks, which are others when wrapped. */
  readonly logs?: string;
  readonly start: (port: number, prompt: string) => readonly string[];
  readonly resume: (port: number, id: string, prompt: string) => readonly string[];
  /** Goes on with its newest session; absent if that is refused: Gemini CLI 0.61.0 then sends each result twice. */
  readonly goOn?: (port: number, prompt: string) => readonly string[];
  /** Where it finds a new session; absent if it imports one. */
  readonly place?: (old: string, id: string) => string;
}

const TIME = '2026-01-05T08-00-00';

/** A foreign base URL takes it away, `density wrap` gives it back, and the record of a sub-agent has it. */
const AS_AT_VENDOR = { CLAUDE_CODE_ENABLE_FINE_GRAINED_TOOL_STREAMING: '1' };

const claude = (port: number): string[] => [
  '--settings',
  JSON.stringify({ env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}/tok`, ...AS_AT_VENDOR } }),
  '--dangerously-skip-permissions',
];

const codex = (port: number): string[] => [
  '-c',
  `openai_base_url="http://127.0.0.1:${port}/tok/v1"`,
  '-c',
  'model="gpt-5"',
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
];

const gemini = ['-m', 'gemini-2.5-pro', '--yolo', '--skip-trust'];
const qwen = ['--auth-type', 'openai', '--yolo'];
const copilot = ['--allow-all-tools', '--allow-all-paths'];
/** With thinking it sends an answer back without it, which the Messages API refuses. */
const cline = ['--retries', '1', '--thinking', 'none', '-P', 'anthropic'];
const omp = ['--model', 'anthropic/claude-sonnet-4-5', '--auto-approve', '--no-title', '--no-lsp'];
const pi = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5'];

/** Agents whose command was tried; none of them needs a provider for this. */
export const AGENTS: readonly Agent[] = [
  {
    name: 'Claude Code',
    format: 'claude-code',
    package: '@anthropic-ai/claude-code@2.1.332',
    program: 'claude',
    environment: () => ({ ANTHROPIC_API_KEY: 'k', IS_SANDBOX: '1' }),
    start: (port, prompt) => [...claude(port), '-p', prompt],
    resume: (port, id, prompt) => [...claude(port), '--resume', id, '-p', prompt],
    goOn: (port, prompt) => [...claude(port), '--continue', '-p', prompt],
    place: (old, id) => path.join(path.dirname(old), `${id}.jsonl`),
  },
  {
    name: 'Codex',
    format: 'codex',
    package: '@openai/codex@0.171.0',
    program: 'codex',
    environment: () => ({ CODEX_API_KEY: 'k' }),
    start: (port, prompt) => ['exec', ...codex(port), prompt],
    resume: (port, id, prompt) => ['exec', 'resume', ...codex(port), id, prompt],
    goOn: (port, prompt) => ['exec', 'resume', ...codex(port), '--last', prompt],
    place: (old, id) => path.join(path.dirname(old), `rollout-${TIME}-${id}.jsonl`),
  },
  {
    name: 'Gemini CLI',
    format: 'gemini-cli',
    package: '@google/gemini-cli@0.61.0',
    program: 'gemini',
    environment: (port) => ({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}/tok` }),
    files: () => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        // A script does not say whether it goes round in circles.
        model: { disableLoopDetection: true },
      },
    }),
    start: (_port, prompt) => [...gemini, '-p', prompt],
    resume: (_port, id, prompt) => [...gemini, '--resume', id, '-p', prompt],
    place: (old, id) => path.join(path.dirname(old), `session-${TIME.slice(0, 16)}-${id.slice(0, 8)}.jsonl`),
  },
  {
    name: 'pi',
    format: 'pi',
    package: '@earendil-works/pi-coding-agent@1.6.0',
    runtime: 'node22',
    program: 'pi',
    environment: () => ({}),
    files: (port) => ({
      '.pi/agent/models.json': {
        providers: {
          anthropic: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' },
        },
      },
    }),
    start: (_port, prompt) => [...pi, '-p', prompt],
    resume: (_port, id, prompt) => [...pi, '--session', id, '-p', prompt],
    goOn: (_port, prompt) => [...pi, '--continue', '-p', prompt],
    place: (old, id) => path.join(path.dirname(old), `${TIME}-000Z_${id}.jsonl`),
  },
  {
    name: 'Oh My Pi',
    format: 'pi',
    package: '@oh-my-pi/pi-coding-agent@18.2.3',
    runtime: 'bun',
    program: 'omp',
    environment: () => ({ ANTHROPIC_API_KEY: 'k' }),
    logs: '.omp/logs/',
    files: (port) => ({
      // JSON is YAML too.
      '.omp/agent/models.yml': { providers: { anthropic: { baseUrl: `http://127.0.0.1:${port}` } } },
    }),
    start: (_port, prompt) => [...omp, '-p', prompt],
    resume: (_port, id, prompt) => [...omp, '--resume', id, '-p', prompt],
    goOn: (_port, prompt) => [...omp, '--continue', '-p', prompt],
  },
  {
    name: 'Kimi Code',
    format: 'kimi-code',
    package: '@moonshot-ai/kimi-code@2.1.0',
    runtime: 'node22',
    program: 'kimi',
    environment: (port) => ({
      KIMI_MODEL_NAME: 'claude-sonnet-4-5',
      KIMI_MODEL_PROVIDER_TYPE: 'anthropic',
      KIMI_MODEL_API_KEY: 'k',
      KIMI_MODEL_BASE_URL: `http://127.0.0.1:${port}`,
      KIMI_DISABLE_TELEMETRY: '1',
      KIMI_CODE_NO_AUTO_UPDATE: '1',
    }),
    start: (_port, prompt) => ['-p', prompt],
    resume: (_port, id, prompt) => ['--session', id, '-p', prompt],
    goOn: (_port, prompt) => ['--continue', '-p', prompt],
  },
  {
    name: 'opencode',
    format: 'opencode',
    package: 'opencode-ai@1.18.33',
    program: 'opencode',
    environment: (port) => ({ OPENCODE_CONFIG_CONTENT: openCode(port) }),
    start: (_port, prompt) => ['run', prompt],
    resume: (_port, id, prompt) => ['run', '--session', id, prompt],
    goOn: (_port, prompt) => ['run', '--continue', prompt],
  },
  {
    name: 'Qwen Code',
    format: 'qwen-code',
    package: '@qwen-code/qwen-code@0.24.4',
    runtime: 'node22',
    program: 'qwen',
    environment: (port) => ({
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'qwen3-coder-plus',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    }),
    start: (_port, prompt) => [...qwen, '-p', prompt],
    resume: (_port, id, prompt) => [...qwen, '--resume', id, '-p', prompt],
    goOn: (_port, prompt) => [...qwen, '--continue', '-p', prompt],
    place: (old, id) => path.join(path.dirname(old), `${id}.jsonl`),
  },
  {
    name: 'Kilo CLI',
    format: 'opencode',
    package: '@kilocode/cli@7.7.7',
    program: 'kilo',
    environment: (port) => ({ KILO_CONFIG_CONTENT: openCode(port) }),
    start: (_port, prompt) => ['run', prompt],
    resume: (_port, id, prompt) => ['run', '--session', id, prompt],
    goOn: (_port, prompt) => ['run', '--continue', prompt],
  },
  {
    name: 'Copilot CLI',
    format: 'copilot-cli',
    package: '@github/copilot@1.0.102',
    program: 'copilot',
    environment: (port) => ({
      COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
      COPILOT_PROVIDER_API_KEY: 'k',
      COPILOT_MODEL: 'gpt-5',
      COPILOT_OFFLINE: 'true',
      // It unpacks itself there.
      XDG_CACHE_HOME: path.join(os.tmpdir(), 'wrapped-cache'),
    }),
    start: (_port, prompt) => [...copilot, '-p', prompt],
    resume: (_port, id, prompt) => [...copilot, '--resume', id, '-p', prompt],
    goOn: (_port, prompt) => [...copilot, '--continue', '-p', prompt],
  },
  {
    name: 'Cline CLI',
    format: 'cline',
    package: 'cline@3.0.65',
    program: 'cline',
    // Otherwise a process in the background sends the requests, and stays.
    environment: () => ({ CLINE_SESSION_BACKEND_MODE: 'local' }),
    files: (port) => ({
      '.cline/data/settings/providers.json': {
        version: 1,
        lastUsedProvider: 'anthropic',
        modes: {},
        providers: { anthropic: { settings: clineSettings(port), updatedAt: CLINE_TIME, tokenSource: 'manual' } },
      },
    }),
    start: (_port, prompt) => [...cline, prompt],
    resume: (_port, id, prompt) => [...cline, '--id', id, prompt],
  },
];

const CLINE_TIME = '2026-01-05T08:00:00.000Z';

const clineSettings = (port: number) => ({
  provider: 'anthropic',
  apiKey: 'k',
  model: 'claude-sonnet-4-5',
  baseUrl: `http://127.0.0.1:${port}/tok/v1`,
});

const openCode = (port: number): string =>
  JSON.stringify({
    provider: { anthropic: { options: { baseURL: `http://127.0.0.1:${port}/tok/v1`, apiKey: 'k' } } },
    model: 'anthropic/claude-sonnet-4-5',
    permission: 'allow',
    autoupdate: false,
  });

/** A home folder for one run, with a file to read and to change in `work`. */
export function makeHome(home: string, agent: Agent, port: number): void {
  mkdirSync(path.join(home, 'work'), { recursive: true });
  const lines = Array.from({ length: 120 }, (_, at) => `const value${at} = ${at}; // an ordinary line of this file`);
  writeFileSync(path.join(home, 'work/alpha.txt'), `${lines.with(1, 'line two').join('\n')}\n`);
  for (const [name, content] of Object.entries(agent.files?.(port) ?? {})) {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content));
  }
}
