import { execFile } from 'node:child_process';
import { rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { homeOf, installedCcusage, placeOf } from './ccusage/agent-home.ts';
import { recordedSessions, sessionName } from './recorded-sessions.ts';

const DENSITY = path.resolve(import.meta.dirname, '../../../dist/density.js');
const QUIET_SECONDS = 1_767_600_000;
const run = promisify(execFile);

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
  const ccusage = installedCcusage(folder);
  if (ccusage === undefined) return false;
  let holds = true;
  let copies = 0;
  for (const file of recordedSessions(['data', 'more-data', 'modern-data'])) {
    const place = placeOf(file);
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
