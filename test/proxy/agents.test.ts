import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentStart } from '../../src/proxy/agents/agent.ts';
import { WRAPPED_AGENTS } from '../../src/proxy/agents/index.ts';
import { otherAgent } from '../../src/proxy/agents/other-agent.ts';
import { routeOf } from '../../src/proxy/routes.ts';

const PROXY = 'http://127.0.0.1:5000/tok';
const GUARD = 'http://127.0.0.1:5000/guard/';
const ADDRESSES = { proxyUrl: PROXY, guardUrl: GUARD };
let home: string;
let settings: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'density-agents-')));
  settings = path.join(home, 'private');
  mkdirSync(settings);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const agent = (command: string) => WRAPPED_AGENTS.find((one) => one.command === command)!;
const put = (name: string, content: string | object): void => {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};
const start = (more: Partial<AgentStart> = {}): AgentStart => ({
  parameters: [],
  environment: {},
  folder: path.join(home, 'work'),
  home,
  ...more,
});
const routed = async (command: string, more: Partial<AgentStart> = {}) => {
  const route = await agent(command).route(start(more));
  return { upstreams: route.mounts.map(({ upstream }) => upstream.href), ...(await route.point(ADDRESSES, settings)) };
};

describe('claude', () => {
  test('says that it takes Remote Control away, unless a base URL of your own did', async () => {
    const notes = async (environment: Record<string, string>) =>
      (await agent('claude').route(start({ environment }))).notes ?? [];
    expect(await notes({})).toEqual([expect.stringContaining('Remote Control')]);
    expect(await notes({ ANTHROPIC_BASE_URL: 'https://corp.example' })).toEqual([]);
  });

  const env = (file: string): Record<string, string> => JSON.parse(readFileSync(file, 'utf8')).env;

  test('gets a settings file that nobody else can read, with what a foreign base URL takes away', async () => {
    const { upstreams, parameters, environment } = await routed('claude', { parameters: ['-p', 'hello'] });
    expect(upstreams).toEqual(['https://api.anthropic.com/']);
    expect(parameters).toEqual(['--settings', path.join(settings, 'settings.json'), '-p', 'hello']);
    expect(environment).toEqual({ DENSITY_GUARD: GUARD });
    expect(statSync(parameters[1]!).mode & 0o777).toBe(0o600);
    expect(env(parameters[1]!)).toEqual({
      ANTHROPIC_BASE_URL: `${PROXY}/api.anthropic.com`,
      ENABLE_TOOL_SEARCH: 'true',
      CLAUDE_CODE_ENABLE_FINE_GRAINED_TOOL_STREAMING: '1',
      CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
    });
  });

  test('asks the wrapper before a tool that writes, beside the hooks of the person', async () => {
    const hook = { matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] };
    const own = { hooks: { PreToolUse: [hook], Stop: [hook] } };
    const { parameters } = await routed('claude', { parameters: ['--settings', JSON.stringify(own)] });
    const { hooks } = JSON.parse(readFileSync(parameters[1]!, 'utf8'));
    expect(hooks.Stop).toEqual([hook]);
    expect(hooks.PreToolUse).toEqual([
      hook,
      { matcher: expect.stringContaining('Write|Edit'), hooks: [{ type: 'http', url: GUARD, timeout: 5 }] },
    ]);
  });

  test('has the hooks of the person alone where the wrapper has no guard', async () => {
    const own = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } };
    const route = await agent('claude').route(start({ parameters: ['--settings', JSON.stringify(own)] }));
    const { parameters, environment } = await route.point({ ...ADDRESSES, guardUrl: '' }, settings);
    expect(JSON.parse(readFileSync(parameters[1]!, 'utf8')).hooks).toEqual(own.hooks);
    expect(environment).toEqual({});
  });

  test.each([
    ['disableAllHooks', true],
    ['allowedHttpHookUrls', ['https://hooks.example/*']],
  ])('says that nobody asks where %s is set', async (name, value) => {
    expect((await agent('claude').route(start())).unguarded).toBeUndefined();
    put('.claude/settings.json', { [name]: value });
    const route = await agent('claude').route(start());
    expect(route.unguarded).toContain(name);
    expect((await route.point(ADDRESSES, settings)).environment).toEqual({});
  });

  test('keeps going where its settings say; the nearest settings win, and all win over the shell', async () => {
    const base = (url: string) => ({ env: { ANTHROPIC_BASE_URL: url } });
    const environment = { ANTHROPIC_BASE_URL: 'http://shell.example' };
    expect((await routed('claude', { environment })).upstreams).toEqual(['http://shell.example/']);
    put('.claude/settings.json', base('http://user.example/x'));
    expect((await routed('claude', { environment })).upstreams).toEqual(['http://user.example/x']);
    put('work/.claude/settings.json', base('http://project.example'));
    put('work/.claude/settings.local.json', base('http://local.example'));
    expect((await routed('claude', { environment })).upstreams).toEqual(['http://local.example/']);
    const parameters = ['--settings', JSON.stringify({ ...base('http://own.example'), model: 'opus' })];
    const own = await routed('claude', { environment, parameters });
    expect(own.upstreams).toEqual(['http://own.example/']);
    expect(JSON.parse(readFileSync(own.parameters[1]!, 'utf8'))).toMatchObject({ model: 'opus' });
    expect(own.parameters).toHaveLength(2);
  });

  test('says why it cannot be wrapped when it uses a cloud, or has broken settings', async () => {
    await expect(routed('claude', { environment: { CLAUDE_CODE_USE_BEDROCK: '1' } })).rejects.toThrow(
      'CLAUDE_CODE_USE_BEDROCK',
    );
    put('.claude/settings.json', '{"env":');
    await expect(routed('claude')).rejects.toThrow(path.join(home, '.claude/settings.json'));
    await expect(routed('claude', { parameters: ['--settings', 'none.json'] })).rejects.toThrow('none.json');
  });
});

describe('codex', () => {
  test('gets its base URL on its command line; a login by ChatGPT keeps its own', async () => {
    const route = await agent('codex').route(start({ parameters: ['exec', 'hello'] }));
    expect(route.mounts).toMatchObject([
      {
        upstream: new URL('https://api.openai.com/v1'),
        chatGptUpstream: new URL('https://chatgpt.com/backend-api/codex'),
      },
    ]);
    const { parameters } = await route.point(ADDRESSES, settings);
    expect(parameters).toEqual(['-c', `openai_base_url="${PROXY}/api.openai.com/v1"`, 'exec', 'hello']);
  });

  test('sends requests on to the base URL of its own command line', async () => {
    const own = ['exec', '-c', 'openai_base_url="http://own.example/v1"', '-c', 'model="x"', 'hello'];
    const { upstreams, parameters } = await routed('codex', { parameters: own });
    expect(upstreams).toEqual(['http://own.example/v1']);
    expect(parameters).toEqual(['-c', `openai_base_url="${PROXY}/own.example/v1"`, 'exec', '-c', 'model="x"', 'hello']);
  });

  test('keeps its own provider', async () => {
    put('.codex/config.toml', 'model_provider = "corp"\n[model_providers.corp]\nbase_url = "http://corp.example/v1"\n');
    const { upstreams, parameters } = await routed('codex');
    expect(upstreams).toEqual(['http://corp.example/v1']);
    expect(parameters[1]).toBe(`model_providers.corp.base_url="${PROXY}/corp.example/v1"`);
    expect((await routed('codex', { parameters: ['-c', 'model_provider="openai"'] })).upstreams).toEqual([
      'https://api.openai.com/v1',
    ]);
    await expect(routed('codex', { parameters: ['-c', 'model_provider=other'] })).rejects.toThrow('--upstream');
    put('.codex/work.config.toml', 'model_provider = "openai"\nopenai_base_url = "http://work.example/v1"\n');
    for (const parameters of [
      ['-p', 'work'],
      ['exec', '--profile=work'],
    ])
      expect((await routed('codex', { parameters })).upstreams).toEqual(['http://work.example/v1']);
    put('.codex/config.toml', 'model_provider = ');
    await expect(routed('codex')).rejects.toThrow('TOML');
  });
});

describe('gemini', () => {
  test('with a key gets the base URL of the API; with a login that of Code Assist', async () => {
    // With a base URL it does not see by itself that a key pays.
    await expect(routed('gemini', { environment: { GEMINI_API_KEY: 'k' } })).rejects.toThrow('"gemini-api-key"');
    put('.gemini/settings.json', { security: { auth: { selectedType: 'gemini-api-key' } } });
    expect((await routed('gemini')).environment).toEqual({
      GOOGLE_GEMINI_BASE_URL: `${PROXY}/generativelanguage.googleapis.com`,
    });
    put('.gemini/settings.json', { security: { auth: { selectedType: 'oauth-personal' } } });
    const login = await routed('gemini', { environment: { GEMINI_API_KEY: 'k' } });
    expect(login.environment).toEqual({ CODE_ASSIST_ENDPOINT: `${PROXY}/cloudcode-pa.googleapis.com` });
    expect(login.upstreams).toEqual(['https://cloudcode-pa.googleapis.com/']);
  });

  test('sends requests on to the base URL of its first `.env`, unless the environment has another', async () => {
    put('.env', 'GEMINI_API_KEY=k\nGOOGLE_GEMINI_BASE_URL="http://home.example/x"\n');
    expect((await routed('gemini')).upstreams).toEqual(['http://home.example/x']);
    put('.gemini/.env', 'GOOGLE_GEMINI_BASE_URL=http://user.example\n');
    put('work/.env', 'GOOGLE_GEMINI_BASE_URL=http://project.example\n');
    expect((await routed('gemini')).upstreams).toEqual(['http://project.example/']);
    put('work/.gemini/.env', 'CODE_ASSIST_ENDPOINT=http://login.example\n');
    expect((await routed('gemini')).upstreams).toEqual(['http://login.example/']);
    const environment = { GOOGLE_GEMINI_BASE_URL: 'http://shell.example' };
    expect((await routed('gemini', { environment })).upstreams).toEqual(['http://shell.example/']);
  });

  test('in a cloud needs to be told where that is', async () => {
    const environment = { GOOGLE_GENAI_USE_VERTEXAI: 'true' };
    await expect(routed('gemini', { environment })).rejects.toThrow('--upstream');
    const named = { ...environment, GOOGLE_VERTEX_BASE_URL: 'https://europe-aiplatform.example' };
    expect(await routed('gemini', { environment: named })).toMatchObject({
      upstreams: ['https://europe-aiplatform.example/'],
      environment: { GOOGLE_VERTEX_BASE_URL: `${PROXY}/europe-aiplatform.example` },
    });
  });
});

describe('opencode', () => {
  test('gets base URLs of its providers beside its own configuration', async () => {
    put(
      '.config/opencode/opencode.jsonc',
      '{ // mine\n "provider": { "corp": { "options": { "baseURL": "http://corp.example/v1" } } } }',
    );
    const content = { theme: 'x', provider: { anthropic: { options: { apiKey: 'k' } } } };
    const { upstreams, environment } = await routed('opencode', {
      environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify(content), OPENAI_API_KEY: 'k' },
    });
    expect(upstreams).toContain('http://corp.example/v1');
    expect(JSON.parse(environment['OPENCODE_CONFIG_CONTENT']!)).toMatchObject({
      theme: 'x',
      provider: {
        anthropic: { options: { apiKey: 'k', baseURL: `${PROXY}/api.anthropic.com/v1` } },
        openai: { options: { baseURL: `${PROXY}/api.openai.com/v1` } },
        corp: { options: { baseURL: `${PROXY}/corp.example/v1` } },
      },
    });
  });

  const providers = async (environment: Record<string, string> = {}) => {
    const routedSo = await routed('opencode', { environment });
    const content = JSON.parse(routedSo.environment['OPENCODE_CONFIG_CONTENT']!) as { provider: object };
    return { ...routedSo, names: Object.keys(content.provider) };
  };

  test('gets no settings for a provider that it does not use: it would offer its models', async () => {
    expect((await providers()).names).toEqual(['opencode']);
    expect((await providers({ ANTHROPIC_API_KEY: 'k' })).names).toEqual(['anthropic', 'opencode']);
    put('.local/share/opencode/auth.json', { groq: { type: 'api', key: 'k' } });
    expect((await providers()).names.sort()).toEqual(['groq', 'opencode']);
  });

  test('sends requests on to the base URL of its variables and of its settings, the nearest last', async () => {
    const environment = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://shell.example/v1', HOST: 'h.example' };
    expect((await providers(environment)).upstreams).toContain('http://shell.example/v1');
    const base = (baseURL: string) => ({ provider: { anthropic: { options: { baseURL } } } });
    put('.config/opencode/opencode.json', base('http://user.example/v1'));
    expect((await providers(environment)).upstreams).toContain('http://user.example/v1');
    put('work/.git/HEAD', '');
    put('opencode.json', base('http://above.example/v1'));
    put('work/opencode.json', base('http://{env:HOST}/v1'));
    expect((await providers(environment)).upstreams).toContain('http://h.example/v1');
    put('work/.opencode/opencode.json', base('http://inner.example/v1'));
    expect((await providers(environment)).upstreams).toContain('http://inner.example/v1');
  });
});

describe('pi', () => {
  test('gets a folder of links to its own, but for the models; what it makes there is kept', async () => {
    put('.pi/agent/extensions/mine.ts', 'mine');
    put('.pi/agent/auth.json', '{"token":1}');
    const models = [{ id: 'a' }, { id: 'b', baseUrl: 'http://model.example/v1' }];
    put('.pi/agent/models.json', { providers: { fake: { baseUrl: 'http://fake.example/v1', models } } });
    const { upstreams, environment, ended } = await routed('pi');
    expect(upstreams).toContain('http://fake.example/v1');
    expect(environment).toEqual({ PI_CODING_AGENT_DIR: settings, DENSITY_GUARD: GUARD });
    expect(lstatSync(path.join(settings, 'auth.json')).isSymbolicLink()).toBe(true);
    expect(lstatSync(path.join(settings, 'sessions')).isSymbolicLink()).toBe(true);
    expect(upstreams).toContain('http://model.example/v1');
    const { providers } = JSON.parse(readFileSync(path.join(settings, 'models.json'), 'utf8'));
    expect(providers).toMatchObject({
      fake: {
        baseUrl: `${PROXY}/fake.example/v1`,
        models: [{ id: 'a' }, { id: 'b', baseUrl: `${PROXY}/model.example/v1` }],
      },
      openrouter: { baseUrl: `${PROXY}/openrouter.ai/api/v1` },
      anthropic: { baseUrl: `${PROXY}/api.anthropic.com` },
    });
    writeFileSync(path.join(settings, 'new.json'), 'made');
    const extensions = path.join(settings, 'extensions');
    expect(readdirSync(extensions).sort()).toEqual(['density-guard.js', 'mine.ts']);
    expect(readFileSync(path.join(extensions, 'density-guard.js'), 'utf8')).toMatch(
      /^export \{ default \} from ".*pi\.js";$/m,
    );
    writeFileSync(path.join(extensions, 'new.ts'), 'made too');
    await ended!();
    expect(readdirSync(path.join(home, '.pi/agent/extensions')).sort()).toEqual(['mine.ts', 'new.ts']);
    expect(readFileSync(path.join(home, '.pi/agent/new.json'), 'utf8')).toBe('made');
    expect(readFileSync(path.join(home, '.pi/agent/models.json'), 'utf8')).not.toContain(PROXY);
  });
});

describe('pi, of either name', () => {
  const target = async (path_: string): Promise<string | undefined> => {
    const { mounts } = await agent('pi').route(start());
    return routeOf({ method: 'POST', headers: {} }, path_, mounts)?.target.href;
  };

  test.each([
    ['/openrouter.ai/api/v1/chat/completions', 'https://openrouter.ai/api/v1/chat/completions'],
    ['/openrouter.ai/api/v1/v1/messages', 'https://openrouter.ai/api/v1/messages'],
    ['/api.kimi.com/coding/v1/chat/completions', 'https://api.kimi.com/coding/v1/chat/completions'],
    ['/api.kimi.com/coding/v1/v1/messages', 'https://api.kimi.com/coding/v1/messages'],
    ['/api.fireworks.ai/inference/v1/v1/messages', 'https://api.fireworks.ai/inference/v1/messages'],
  ])('reaches both APIs of a provider: %s', async (given, expected) => {
    expect(await target(given)).toBe(expected);
  });

  test.each([
    ['@mariozechner', 1],
    ['@earendil-works', 0],
  ])('says that %s has no new versions where that is so', async (scope, notes) => {
    put(`node_modules/${scope}/pi-coding-agent/cli.js`, '');
    mkdirSync(path.join(home, 'bin'));
    symlinkSync(path.join(home, `node_modules/${scope}/pi-coding-agent/cli.js`), path.join(home, 'bin/pi'));
    const route = await agent('pi').route(start({ environment: { PATH: `/nowhere:${path.join(home, 'bin')}` } }));
    expect(route.notes ?? []).toHaveLength(notes);
  });
});

describe('omp', () => {
  test('gets a folder of links to its own, but for the models', async () => {
    put('.omp/agent/config.yml', 'theme: dark\n');
    put(
      '.omp/agent/models.yml',
      'providers:\n  corp: # mine\n    baseUrl: http://corp.example/v1\n    models: [{ id: a }]\n',
    );
    const { upstreams, environment, ended } = await routed('omp');
    expect(upstreams).toEqual(expect.arrayContaining(['https://api.anthropic.com/', 'http://corp.example/v1']));
    expect(environment).toEqual({ PI_CODING_AGENT_DIR: settings });
    const { providers } = JSON.parse(readFileSync(path.join(settings, 'models.yml'), 'utf8'));
    expect(providers).toMatchObject({
      corp: { baseUrl: `${PROXY}/corp.example/v1`, models: [{ id: 'a' }] },
      anthropic: { baseUrl: `${PROXY}/api.anthropic.com` },
    });
    expect(lstatSync(path.join(settings, 'config.yml')).isSymbolicLink()).toBe(true);
    writeFileSync(path.join(settings, 'agent.db'), 'login');
    await ended!();
    expect(readFileSync(path.join(home, '.omp/agent/agent.db'), 'utf8')).toBe('login');
    expect(readFileSync(path.join(home, '.omp/agent/models.yml'), 'utf8')).toContain('# mine');
  });

  test.each([
    ['a profile', { parameters: ['--profile', 'work'] }],
    ['a profile of the environment', { environment: { OMP_PROFILE: 'work' } }],
  ])('is refused with %s, whose folder is another one', async (_, more) => {
    await expect(routed('omp', more)).rejects.toThrow('profile "work"');
  });
});

describe('kimi', () => {
  const environment = { KIMI_MODEL_NAME: 'k3', KIMI_MODEL_API_KEY: 'k' };

  test('gets the variable with its base URL', async () => {
    const { upstreams, environment: added } = await routed('kimi', { environment });
    expect(upstreams).toEqual(['https://api.moonshot.ai/v1']);
    expect(added).toEqual({ KIMI_MODEL_BASE_URL: `${PROXY}/api.moonshot.ai/v1` });
    const own = { ...environment, KIMI_MODEL_PROVIDER_TYPE: 'anthropic', KIMI_MODEL_BASE_URL: 'https://corp.example' };
    expect((await routed('kimi', { environment: own })).upstreams).toEqual(['https://corp.example/']);
  });

  test('is refused with a login, which is stored under the address', async () => {
    await expect(routed('kimi')).rejects.toThrow('KIMI_MODEL_NAME');
  });
});

describe('kilo', () => {
  test('is pointed as opencode, by its own names', async () => {
    put('.config/kilo/kilo.jsonc', { provider: { corp: { options: { baseURL: 'http://corp.example/v1' } } } });
    put('work/.kilo/kilo.json', { provider: { near: { options: { baseURL: 'http://near.example/v1' } } } });
    put('.local/share/kilo/auth.json', { groq: { type: 'api', key: 'k' } });
    const { environment } = await routed('kilo');
    expect(environment['OPENCODE_CONFIG_CONTENT']).toBeUndefined();
    const { provider } = JSON.parse(environment['KILO_CONFIG_CONTENT']!);
    expect(Object.keys(provider).sort()).toEqual(['corp', 'groq', 'kilo', 'near']);
    expect(provider.kilo.options.baseURL).toBe(`${PROXY}/api.kilo.ai/api/gateway`);
  });
});

describe('qwen', () => {
  const environment = { OPENAI_BASE_URL: 'http://shell.example/v1' };

  test('gets the variable with its base URL; its own parameter wins over it', async () => {
    expect(await routed('qwen', { environment })).toMatchObject({
      upstreams: ['http://shell.example/v1'],
      environment: { OPENAI_BASE_URL: `${PROXY}/shell.example/v1` },
    });
    for (const flag of [['--openai-base-url', 'http://own.example/v1'], ['--openai-base-url=http://own.example/v1']])
      expect(await routed('qwen', { environment, parameters: ['-y', ...flag, 'hello'] })).toMatchObject({
        parameters: ['-y', 'hello'],
        upstreams: ['http://own.example/v1'],
      });
  });

  test('keeps going where its settings say: the address of its login, and that of each model', async () => {
    put('.qwen/.env', 'OPENAI_BASE_URL=http://file.example/v1');
    expect((await routed('qwen')).upstreams).toEqual(['http://file.example/v1']);
    rmSync(path.join(home, '.qwen/.env'));
    put('.qwen/settings.json', { security: { auth: { selectedType: 'anthropic', baseUrl: 'http://login.example' } } });
    expect((await routed('qwen')).environment).toEqual({ ANTHROPIC_BASE_URL: `${PROXY}/login.example` });
    const models = [{ id: 'a', baseUrl: 'http://model.example/v1' }, { id: 'b' }];
    put('work/.qwen/settings.json', { modelProviders: { openai: models } });
    const { upstreams, environment: told } = await routed('qwen');
    expect(upstreams).toContain('http://model.example/v1');
    const system = told['QWEN_CODE_SYSTEM_SETTINGS_PATH']!;
    expect(path.dirname(system)).toBe(settings);
    expect(JSON.parse(readFileSync(system, 'utf8')).modelProviders.openai).toEqual([
      { id: 'a', baseUrl: `${PROXY}/model.example/v1` },
      { id: 'b' },
    ]);
  });

  test('has its own base URL in what it notes of a sub-agent', async () => {
    const { ended } = await routed('qwen', { environment });
    const note = '.qwen/projects/p/subagents/s/agent-a.meta.json';
    put(note, { baseUrl: `${PROXY}/shell.example/v1` });
    await ended!();
    expect(JSON.parse(readFileSync(path.join(home, note), 'utf8'))).toEqual({ baseUrl: environment.OPENAI_BASE_URL });
  });
});

describe.runIf(process.platform !== 'win32')('opencode of a version', () => {
  const bin = (): string => path.join(home, 'bin');
  const environment = () => ({ PATH: `${bin()}${path.delimiter}${process.env['PATH']}`, ANTHROPIC_API_KEY: 'k' });
  const ofVersion = (text: string): void => {
    put('bin/opencode', `#!/bin/sh\necho "${text}"\n`);
    chmodSync(path.join(bin(), 'opencode'), 0o700);
  };
  const contentOf = (one: Readonly<Record<string, string>>) => JSON.parse(one['OPENCODE_CONFIG_CONTENT']!);

  test('1 has our plugin', async () => {
    ofVersion('1.18.33');
    const route = await agent('opencode').route(start({ environment: environment() }));
    expect([route.untried, route.unguarded]).toEqual([undefined, undefined]);
    expect(contentOf((await route.point(ADDRESSES, settings)).environment).plugin).toHaveLength(1);
  });

  test('2 goes through the proxy without the plugin, which it would not run, and is said to be untried', async () => {
    ofVersion('opencode 2.3.2');
    const route = await agent('opencode').route(start({ environment: environment() }));
    expect(route.untried).toContain('never tried');
    expect(route.unguarded).toContain('opencode 2');
    const { environment: given } = await route.point(ADDRESSES, settings);
    expect(Object.keys(given)).toEqual(['OPENCODE_CONFIG_CONTENT']);
    const { provider, plugin } = contentOf(given);
    expect(plugin).toBeUndefined();
    expect(provider.anthropic.options.baseURL).toBe(`${PROXY}/api.anthropic.com/v1`);
  });
});

describe('droid', () => {
  test('is proxied on its own service, and where its variable says', async () => {
    const { upstreams, environment } = await routed('droid', { parameters: ['exec', 'hello'] });
    expect(upstreams).toEqual(['https://api.factory.ai/']);
    expect(environment).toEqual({ FACTORY_API_BASE_URL: `${PROXY}/api.factory.ai` });
    const own = { FACTORY_API_BASE_URL: 'https://factory.example/x' };
    expect((await routed('droid', { environment: own })).upstreams).toEqual(['https://factory.example/x']);
  });
});

describe('grok', () => {
  test('is proxied with a login and with a key', async () => {
    const { upstreams, environment } = await routed('grok');
    expect(upstreams).toEqual(['https://cli-chat-proxy.grok.com/v1', 'https://api.x.ai/v1']);
    expect(environment).toEqual({
      GROK_CLI_CHAT_PROXY_BASE_URL: `${PROXY}/cli-chat-proxy.grok.com/v1`,
      GROK_XAI_API_BASE_URL: `${PROXY}/api.x.ai/v1`,
    });
  });

  test('keeps going where its variables and its settings say, and has no third address unasked', async () => {
    put(
      '.grok/config.toml',
      '[endpoints]\nxai_api_base_url = "http://own.example/v1"\nmodels_base_url = "http://models.example"\n',
    );
    const environment = { GROK_CLI_CHAT_PROXY_BASE_URL: 'http://proxy.example/v1' };
    expect((await routed('grok', { environment })).upstreams).toEqual([
      'http://proxy.example/v1',
      'http://own.example/v1',
      'http://models.example/',
    ]);
    const elsewhere = { GROK_HOME: path.join(home, 'elsewhere') };
    expect((await routed('grok', { environment: elsewhere })).upstreams).toHaveLength(2);
  });
});

describe('copilot', () => {
  test('is proxied where it has a provider of its own', async () => {
    const environment = { COPILOT_PROVIDER_BASE_URL: 'https://api.anthropic.com' };
    expect((await routed('copilot', { environment })).environment).toEqual({
      COPILOT_PROVIDER_BASE_URL: `${PROXY}/api.anthropic.com`,
    });
    await expect(routed('copilot')).rejects.toThrow('COPILOT_PROVIDER_BASE_URL is not set');
  });

  test.runIf(process.platform === 'linux')('keeps its NO_PROXY only where nothing names a proxy', async () => {
    const provider = { COPILOT_PROVIDER_BASE_URL: 'https://api.openai.com/v1' };
    const isDirect = async (environment: AgentStart['environment'] = {}) =>
      (await agent('copilot').route(start({ environment: { ...provider, ...environment } }))).isDirect;
    const proxy = 'http://proxy.example:3128';
    expect(await isDirect()).toBe(true);
    expect(await isDirect({ https_proxy: '' })).toBe(true);
    for (const name of ['HTTP_PROXY', 'https_proxy', 'ALL_PROXY'])
      expect(await isDirect({ [name]: proxy })).toBe(false);
    for (const name of ['.copilot/config.json', '.copilot/settings.json', 'work/.github/copilot/settings.local.json']) {
      put(name, { proxyUrl: proxy });
      expect(await isDirect()).toBe(false);
      rmSync(path.join(home, name));
    }
    put('elsewhere/settings.json', { proxyUrl: proxy });
    expect(await isDirect({ COPILOT_HOME: path.join(home, 'elsewhere') })).toBe(false);
  });
});

describe('cline', () => {
  const OWN = '.cline/data/settings/providers.json';
  const entry = (settings: object, updatedAt = '2026-01-01T00:00:00.000Z') => ({
    settings,
    updatedAt,
    tokenSource: 'manual',
  });
  const corp = entry({ provider: 'corp', apiKey: 'k', baseUrl: 'http://corp.example/v1' });
  const claude = entry({ provider: 'anthropic', apiKey: 'k' });
  const ALL = { version: 1, lastUsedProvider: 'corp', modes: {}, providers: { corp, anthropic: claude } };
  const inFile = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const routedCline = async (more: Partial<AgentStart> = {}) => {
    const found = await routed('cline', more);
    return { ...found, file: found.environment['CLINE_PROVIDER_SETTINGS_PATH']! };
  };

  test('gets its providers in a file of its own, and no process in the background', async () => {
    put(OWN, ALL);
    const { upstreams, environment, file, ended } = await routedCline();
    expect(upstreams).toEqual(['http://corp.example/v1', 'https://api.anthropic.com/v1']);
    expect(environment['CLINE_SESSION_BACKEND_MODE']).toBe('local');
    expect(path.dirname(file)).toBe(settings);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(inFile(file).providers.corp.settings.baseUrl).toBe(`${PROXY}/corp.example/v1`);
    expect(inFile(file).providers.anthropic.settings.baseUrl).toBe(`${PROXY}/api.anthropic.com/v1`);
    const before = readFileSync(path.join(home, OWN), 'utf8');
    await ended!();
    expect(readFileSync(path.join(home, OWN), 'utf8')).toBe(before);
  });

  test('keeps what changed in it: a login, and nothing of the proxy', async () => {
    put(OWN, ALL);
    const { file, ended } = await routedCline();
    const after = inFile(file);
    after.lastUsedProvider = 'anthropic';
    after.providers.anthropic.settings.apiKey = 'new';
    after.providers.groq = entry({ provider: 'groq', apiKey: 'g' });
    after.providers.corp = undefined;
    writeFileSync(file, JSON.stringify(after));
    const meanwhile = entry({ provider: 'xai', apiKey: 'x' });
    put(OWN, { ...ALL, providers: { ...ALL.providers, xai: meanwhile } });
    await ended!();
    expect(inFile(path.join(home, OWN))).toEqual({
      ...ALL,
      lastUsedProvider: 'anthropic',
      providers: {
        anthropic: entry({ provider: 'anthropic', apiKey: 'new' }),
        groq: entry({ provider: 'groq', apiKey: 'g' }),
        xai: meanwhile,
      },
    });
  });

  test('notes a provider of its parameters as without the proxy, where it has no file yet', async () => {
    const { upstreams, file, ended } = await routedCline({ parameters: ['-P', 'anthropic', '-k', 'k', 'say hello'] });
    expect(upstreams).toEqual(['https://api.anthropic.com/v1']);
    const { providers } = inFile(file);
    const { settings: noted } = providers.anthropic;
    const said = { ...ALL, lastUsedProvider: 'anthropic', providers: { anthropic: entry({ ...noted, apiKey: 'k' }) } };
    writeFileSync(file, JSON.stringify(said));
    await ended!();
    expect(inFile(path.join(home, OWN))).toEqual({ ...said, providers: { anthropic: claude } });
  });

  test.each([
    ['where its own service is used, whose address is not known', { parameters: [] }, '"cline" is not set'],
    ['with a data folder of its own', { parameters: ['--data-dir=x', 'say hello'] }, '--data-dir'],
    ['in its sandbox', { environment: { CLINE_SANDBOX: '1' } }, 'CLINE_SANDBOX'],
  ])('is not started %s', async (_, more, words) => {
    await expect(routedCline(more)).rejects.toThrow(words);
  });

  test.each([
    [{ environment: { CLINE_PROVIDER_SETTINGS_PATH: 'x.json' } }, 'work/x.json'],
    [{ environment: { CLINE_DATA_DIR: 'data' } }, 'work/data/settings/providers.json'],
    [{ environment: { CLINE_DIR: 'cline' } }, 'work/cline/data/settings/providers.json'],
    [{ parameters: ['--config', 'other'] }, 'work/other/data/settings/providers.json'],
  ])('finds its providers by %j', async (more, place) => {
    put(place, ALL);
    expect((await routedCline(more)).upstreams).toContain('http://corp.example/v1');
  });
});

describe('any agent', () => {
  test('can be told where requests go', async () => {
    const upstream = new URL('http://127.0.0.1:9000/v1');
    for (const { command } of WRAPPED_AGENTS) {
      const { upstreams } = await routed(command, { upstream, environment: { KIMI_MODEL_NAME: 'k3' } });
      expect(new Set(upstreams)).toEqual(new Set([upstream.href]));
      rmSync(settings, { recursive: true });
      mkdirSync(settings);
    }
  });

  test('that is not known is told by the variable with its base URL', async () => {
    const aider = otherAgent('aider', 'OPENAI_API_BASE');
    const environment = { OPENAI_API_BASE: 'http://corp.example/v1' };
    const route = await aider.route(start({ environment }));
    expect((await route.point(ADDRESSES, settings)).environment).toEqual({
      OPENAI_API_BASE: `${PROXY}/corp.example/v1`,
    });
    await expect(aider.route(start())).rejects.toThrow('OPENAI_API_BASE is not set');
    await expect(aider.route(start({ environment: { OPENAI_API_BASE: 'ftp://x' } }))).rejects.toThrow('base URL');
  });
});
