/**
 * A new project for each SDK, made from docs/adapters.md alone: the packed package and the SDK are installed by npm, the example
 * is compiled (strict, ESM) and runs against the provider that enforces the rules, which gets a repeated result once.
 *
 * `npm run proof -- fresh-projects [part of a name] [Node 22]`: the path of a Node for SDKs that do not run on 20. Needs the registry.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ScriptedProvider } from '../../test/adapters/scripted-provider.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

interface Project {
  /** Installed at the version that our own tests use, if they name none. */
  readonly packages: readonly string[];
  /** A part of the example in the page. */
  readonly example: string;
  /** What calls it; absent if it is only compiled. */
  readonly call: string;
  readonly needsNode22?: true;
  readonly isCompiledOnly?: true;
}

/** The same agent without a wrapped model. */
const STEPS = `
import { prunedSteps } from 'high-density/ai-sdk';
const prepareStep = prunedSteps();
const given = { prompt: 'Read it twice.', tools: { read }, stopWhen: stepCountIs(9) };
await generateText({ ...given, model: createAnthropic()('claude-haiku-4-5'), prepareStep });`;
const TEXT = Array.from({ length: 160 }, (_, line) => `line ${line} of the file`).join('\n');
const ANSWER = "console.log(await answer('Read it twice.'));";
const read = (id: string): object[] => [
  {
    role: 'assistant',
    tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{"path":"/a.ts"}' } }],
  },
  { role: 'tool', tool_call_id: id, content: TEXT },
];
const CHAT = JSON.stringify([{ role: 'user', content: 'Read it twice.' }, ...read('c1'), ...read('c2')]);
const CHAT_TOOLS = "[{ type: 'function', function: { name: 'read' } }]";
const ANTHROPIC = JSON.stringify([
  { role: 'user', content: 'Read it twice.' },
  ...['c1', 'c2'].flatMap((id) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: '/a.ts' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: TEXT }] },
  ]),
]);

const PROJECTS: Readonly<Record<string, Project>> = {
  'ai-sdk': { packages: ['ai', '@ai-sdk/anthropic', 'zod'], example: 'high-density/ai-sdk', call: ANSWER },
  'ai-sdk-7': {
    packages: ['ai@7.0.173', '@ai-sdk/anthropic@4', 'zod'],
    example: 'high-density/ai-sdk',
    call: ANSWER,
    needsNode22: true,
  },
  'ai-sdk-steps': { packages: ['ai', '@ai-sdk/anthropic', 'zod'], example: 'high-density/ai-sdk', call: STEPS },
  'ai-sdk-7-steps': {
    packages: ['ai@7.0.173', '@ai-sdk/anthropic@4', 'zod'],
    example: 'high-density/ai-sdk',
    call: STEPS,
    needsNode22: true,
  },
  langchain: {
    packages: ['langchain', '@langchain/core', '@langchain/openai', 'zod'],
    example: 'prunedModelCall',
    call: ANSWER,
  },
  langgraph: {
    packages: ['@langchain/langgraph', '@langchain/core', '@langchain/openai', 'zod'],
    example: 'prunedModelInput',
    call: ANSWER,
  },
  'openai-agents': { packages: ['@openai/agents', 'zod'], example: 'high-density/openai-agents', call: ANSWER },
  'google-genai': { packages: ['@google/genai'], example: '@google/genai', call: ANSWER },
  pi: {
    packages: ['@mariozechner/pi-agent-core', '@mariozechner/pi-ai'],
    example: 'high-density/pi',
    call: "console.log(await roles('Read it twice.', process.env['ANTHROPIC_ORIGIN']));",
  },
  fetch: {
    packages: ['openai'],
    example: 'prunedClient',
    call: `const client = prunedClient({ apiKey: 'k', memory: 'memory' });\nawait client.chat.completions.create({ model: 'gpt-5', messages: ${CHAT}, tools: ${CHAT_TOOLS} });`,
  },
  anthropic: {
    packages: ['@anthropic-ai/sdk'],
    example: 'prunedAnthropic',
    call: `const client = prunedAnthropic({ apiKey: 'k', baseURL: process.env['ANTHROPIC_ORIGIN'] ?? '' });\nawait client.messages.create({ model: 'claude-haiku-4-5', max_tokens: 9, messages: ${ANTHROPIC}, tools: [{ name: 'read', input_schema: { type: 'object' } }] });`,
  },
  opencode: {
    packages: ['@opencode-ai/plugin@1.18.33'],
    example: 'high-density/opencode',
    call: "import type { Plugin } from '@opencode-ai/plugin';\nexport const plugin: Plugin = Density;",
    isCompiledOnly: true,
  },
};

const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
    ...{ module: 'nodenext', target: 'es2022', types: ['node'], outDir: 'out' },
  },
  include: ['*.ts'],
};

/** The block of code of the page that contains these words. */
function exampleWith(words: string): string {
  const page = readFileSync(path.join(ROOT, 'docs/adapters.md'), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n(import .*?)^```/gms)].map(([, code = '']) => code);
  const found = blocks.find((code) => code.includes(words) && code.includes('export'));
  if (found === undefined) throw new Error(`Expected an example with ${words} in docs/adapters.md, got none.`);
  return found;
}

function versioned(name: string): string {
  if (name.lastIndexOf('@') > 0) return name;
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  return `${name}@${devDependencies[name] ?? dependencies[name]}`;
}

async function outcomeOf(
  { packages, example, call, isCompiledOnly }: Project,
  place: { folder: string; tarball: string; node: string },
) {
  const { folder, tarball, node } = place;
  const file = path.join(folder, 'a.txt');
  writeFileSync(file, TEXT);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module","private":true}');
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  writeFileSync(path.join(folder, 'agent.ts'), `${exampleWith(example)}\n${call}\n`);
  const env = { ...process.env, PATH: `${path.dirname(node)}:${process.env['PATH']}` };
  const install = [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    tarball,
    ...[...packages, '@types/node'].map(versioned),
  ];
  await run('npm', install, { cwd: folder, env });
  await run(node, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: folder });
  if (isCompiledOnly) return 'compiles';
  const provider = new ScriptedProvider([1, 2].map(() => ({ name: 'read', input: { path: file } })));
  try {
    const base = await provider.start();
    const keys = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' };
    const places = {
      ANTHROPIC_BASE_URL: `${base}/v1`,
      OPENAI_BASE_URL: `${base}/v1`,
      GOOGLE_GEMINI_BASE_URL: base,
      ANTHROPIC_ORIGIN: base,
    };
    await run(node, ['out/agent.js'], { cwd: folder, env: { ...env, ...keys, ...places } });
    const isPruned = JSON.stringify(provider.requests.at(-1)?.body).includes('⟦density: 160 lines');
    if (!isPruned || provider.refusals.length > 0) throw new Error(`not pruned: ${provider.refusals.join('; ')}`);
    return 'compiles and prunes';
  } finally {
    await provider.stop();
  }
}

export async function prove([part = '', node22]: readonly string[]): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fresh-projects-'));
  let holds = true;
  try {
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
      cwd: ROOT,
      stdio: 'ignore',
    });
    const tarball = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    for (const [name, project] of Object.entries(PROJECTS)) {
      if (!name.includes(part)) continue;
      if (project.needsNode22 && node22 === undefined) {
        console.log(`${name}: skipped, it needs the path of a Node 22`);
        continue;
      }
      const own = path.join(folder, name);
      mkdirSync(own);
      const node = project.needsNode22 ? (node22 ?? '') : process.execPath;
      try {
        console.log(`${name}: ${await outcomeOf(project, { folder: own, tarball, node })}`);
      } catch (error) {
        holds = false;
        const { message, stdout = '' } = error as Error & { stdout?: string };
        console.log(`${name}: FAILS ${message}\n${stdout}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return holds;
}
