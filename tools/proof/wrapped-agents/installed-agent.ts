import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Agent } from '../agents.ts';

const BIN = 'node_modules/.bin';

/** What agents run in, beside this Node: its package, and the folder with its program. */
const RUNTIMES = {
  node22: { package: `node22@npm:node-${process.platform}-${process.arch}@22`, bin: 'node_modules/node22/bin' },
  bun: { package: 'bun', bin: BIN },
} as const;
export type RuntimeName = keyof typeof RUNTIMES;

const isThisNode = (runtime: RuntimeName | undefined): boolean =>
  runtime === undefined || (runtime === 'node22' && Number(process.versions.node.split('.')[0]) >= 22);

/** An agent in the folder of the agents. */
interface InstalledAgent {
  /** Before all other folders of the PATH. */
  readonly binFolders: readonly string[];
  readonly version: string;
}

/** The name of a package without its version. */
const nameOf = (spec: string): string => spec.replace(/(?<=.)@.*$/, '');

/** Installs from npm; what goes wrong is the last line that npm says. */
async function install(folder: string, spec: string): Promise<string | undefined> {
  const parameters = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', spec];
  try {
    await promisify(execFile)('npm', parameters, { maxBuffer: 64 * 1024 * 1024 });
    return undefined;
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    return stderr.split('\n').find((line) => line.startsWith('npm error')) ?? String(error);
  }
}

/**
 * An agent and what it runs in, from npm where they are not in the folder yet. If one of them cannot be had, a line says that
 * the agent is skipped, and why.
 */
export async function installedAgent(folder: string, agent: Agent): Promise<InstalledAgent | undefined> {
  const runtime = isThisNode(agent.runtime) ? undefined : RUNTIMES[agent.runtime!];
  const bins = [...(runtime ? [runtime.bin] : []), BIN].map((bin) => path.resolve(folder, bin));
  const runtimeFile = runtime && path.resolve(folder, runtime.bin, agent.runtime === 'bun' ? 'bun' : 'node');
  const programFile = path.resolve(folder, BIN, agent.program);
  for (const [file, spec] of [[runtimeFile, runtime?.package], [programFile, agent.package]]) {
    if (file === undefined || spec === undefined || existsSync(file)) continue;
    const trouble = await install(folder, spec);
    if (existsSync(file)) continue;
    console.log(`${agent.name}: skipped, because npm did not install ${spec}: ${trouble ?? `there is no ${file}`}`);
    return undefined;
  }
  const manifest = path.resolve(folder, 'node_modules', nameOf(agent.package), 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return { binFolders: bins, version };
}
