import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PLUGIN } from './session.ts';

/** The plugin with some of its files changed. Without its server: a prompt says whether that has started yet. */
export function changedPlugin(change: (folder: string) => void = () => {}): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'density-mod-fault-'));
  cpSync(PLUGIN, folder, { recursive: true });
  rmSync(path.join(folder, '.mcp.json'));
  change(folder);
  return folder;
}

/** A copy of the plugin without its mod, or without its hooks. */
export const without =
  (part: 'modules' | 'hooks') =>
  (folder: string): void => {
    const file = path.join(folder, 'hooks/hooks.json');
    const { [part]: left, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify(rest));
  };

/** The mod with its own text replaced. */
export const inMod =
  (found: string, put: string) =>
  (folder: string): void => {
    const file = path.join(folder, 'hooks/compaction.mjs');
    const source = readFileSync(file, 'utf8');
    if (!source.includes(found)) throw new Error(`Expected ${found} in the mod.`);
    writeFileSync(file, source.replace(found, put));
  };
