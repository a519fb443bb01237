import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { claudeCode } from '../../src/formats/claude-code/claude-code.ts';
import { codex } from '../../src/formats/codex/codex.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { recordedSessions, sessionName } from './recorded-sessions.ts';

const DENSITY = path.resolve(import.meta.dirname, '../../../dist/density.js');
const PACKAGE = 'ccusage@20.0.24';
const QUIET_SECONDS = 1_767_600_000;
const HEAD_BYTES = 256 * 1024;
const run = promisify(execFile);

/** Where the agent of a format has its sessions, in a home folder. */
const PLACES: Readonly<Record<string, string>> = {
  [claudeCode.name]: '.claude/projects/-p',
  [codex.name]: '.codex/sessions/2026/01/05',
};

/** A home folder with these sessions and nothing else. */
function homeOf(place: string, files: readonly string[]): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'density-usage-'));
  mkdirSync(path.join(home, place), { recursive: true });
  for (const file of files) cpSync(file, path.join(home, place, path.basename(file)));
  return home;
}

/** What ccusage adds up in a home folder with these files. */
async function totals(ccusage: string, place: string, files: readonly string[]): Promise<string> {
  const home = homeOf(place, files);
  const env = { PATH: process.env['PATH'], HOME: home };
  const { stdout } = await run(ccusage, ['daily', '--json', '--offline'], { env });
  rmSync(home, { recursive: true });
  const { totals: found } = JSON.parse(stdout) as { readonly totals: { readonly totalCost: number } | null };
  return JSON.stringify(found && { ...found, totalCost: found.totalCost.toFixed(6) });
}

/** The smaller copy that a command installs beside the session; undefined if nothing was removed, or it was refused. */
async function copyOf(file: string, command: readonly string[], home: string): Promise<string | undefined> {
  const env = { PATH: process.env['PATH'], HOME: home };
  const { stdout } = await run(process.execPath, [DENSITY, ...command, file, '--install', '--json'], { env });
  const { output } = JSON.parse(stdout) as { readonly output: string | null };
  return output ?? undefined;
}

const COMMANDS = [['optimize'], ['optimize', '--strategy', 'top-down-truncation', '--threshold', '0.5']];

/**
 * ccusage counts the same for a session, for a smaller copy of it, and for both. Parameters: the folder in which ccusage is
 * installed, and part of the paths of the sessions (default: all).
 */
export async function prove([folder = '.', part = '']: readonly string[]): Promise<boolean> {
  const ccusage = path.resolve(folder, 'node_modules/.bin/ccusage');
  if (!existsSync(ccusage)) {
    console.log(`ccusage is absent: npm install --prefix <folder> --no-audit --no-fund ${PACKAGE}`);
    return false;
  }
  let holds = true;
  let copies = 0;
  for (const file of recordedSessions(['data', 'more-data', 'modern-data'])) {
    const place = PLACES[detectFormat(readFileSync(file).subarray(0, HEAD_BYTES).toString()).name];
    if (place === undefined || !file.includes(part)) continue;
    for (const command of COMMANDS) {
      const home = homeOf(place, [file]);
      const own = path.join(home, place, path.basename(file));
      utimesSync(own, QUIET_SECONDS, QUIET_SECONDS);
      try {
        const copy = await copyOf(own, command, home);
        if (copy === undefined) continue;
        copies++;
        const kinds = [[own], [copy], [own, copy]];
        const [original, alone, both] = await Promise.all(kinds.map((files) => totals(ccusage, place, files)));
        if (original === alone && original === both) continue;
        holds = false;
        console.log(
          `${sessionName(file)} ${command[0]}\n  original ${original}\n  copy     ${alone}\n  both     ${both}`,
        );
      } catch (error) {
        console.log(
          `${sessionName(file)} ${command[0]}: ${String((error as { stderr?: string }).stderr ?? error).trim()}`,
        );
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }
  }
  console.log(`${copies} copies counted by ccusage, ${holds ? 'each as its original' : 'not each as its original'}.`);
  return holds && copies > 0;
}
