import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { claudeCode } from '../../../src/formats/claude-code/claude-code.ts';
import { codex } from '../../../src/formats/codex/codex.ts';
import { detectFormat } from '../../../src/formats/index.ts';

const HEAD_BYTES = 256 * 1024;

/** Where the agents that ccusage reads have their sessions in a home folder, by format. */
const PLACES: Readonly<Record<string, string>> = {
  [claudeCode.name]: '.claude/projects/-p',
  [codex.name]: '.codex/sessions/2026/01/05',
};

/** The place of a session in a home folder; undefined if ccusage does not read it. */
export const placeOf = (file: string): string | undefined =>
  PLACES[detectFormat(readFileSync(file).subarray(0, HEAD_BYTES).toString()).name];

/** A home folder with these sessions and nothing else. */
export function homeOf(place: string, files: readonly string[]): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'density-usage-'));
  mkdirSync(path.join(home, place), { recursive: true });
  for (const file of files) cpSync(file, path.join(home, place, path.basename(file)));
  return home;
}

/** The program that npm installed in a folder; undefined, and a line that says how to install it, where it is absent. */
export function installedCcusage(folder: string): string | undefined {
  const program = path.resolve(folder, 'node_modules/.bin/ccusage');
  if (existsSync(program)) return program;
  console.log('ccusage is absent: npm install --prefix <folder> --no-audit --no-fund ccusage@20.0.24');
  return undefined;
}
