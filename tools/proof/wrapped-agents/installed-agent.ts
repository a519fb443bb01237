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

/** The version of a package in the folder; undefined if it is not there. */
function versionOf(folder: string, name: string): string | undefined {
  const manifest = path.resolve(folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return undefined;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
}

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
  const [, name = '', version] = /^(.+)@(.+)$/.exec(agent.package) ?? [];
  const isThere = (): boolean => versionOf(folder, name) === version;
  const isRuntimeThere = (): boolean => runtime === undefined || versionOf(folder, agent.runtime!) !== undefined;
  // Without its version npm would take one that runs in this Node.
  const wanted = [...(isRuntimeThere() ? [] : [runtime!.package]), ...(isThere() ? [] : [agent.package])];
  for (const spec of wanted) {
    const trouble = await install(folder, spec);
    if (isThere() && isRuntimeThere()) break;
    if (trouble === undefined) continue;
    console.log(`${agent.name}: skipped, because npm does not install ${spec}: ${trouble}`);
    return undefined;
  }
  const bins = [...(runtime ? [runtime.bin] : []), BIN].map((bin) => path.resolve(folder, bin));
  return { binFolders: bins, version: version! };
}
