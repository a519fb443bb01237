import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveHistory } from '../src/formats/contract.ts';
import { writableFormats } from '../src/formats/convert.ts';
import { formatNamed } from '../src/formats/index.ts';
import { linesOf } from '../src/formats/lines/lines.ts';
import { packageFile } from '../src/package-file.ts';
import { glimpse } from '../src/sessions/places/session-glimpse.ts';
import { foundSessions, sessionPlaces } from '../src/sessions/places/session-places.ts';
import { SessionThread } from '../src/sessions/threads/session-thread.ts';
import { longestBusyMs } from './busy-stretch.ts';
import { stallOf } from './drift.ts';
import { type Row, rowOf } from './row.ts';
import { chainedSession } from './sessions.ts';

const ROUNDS = 5;
const READ_TOKENS = 1_000_000;
/** About 60 MB of Claude Code. */
const LARGE_TOKENS = 12_000_000;
const FILES = 10_000;
const CHUNK_BYTES = 1 << 20;
const WORKER = packageFile('dist/workers/session.js');

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** The lines of a file, read as `write` reads unchanged lines. */
function skim(bytes: Uint8Array): number {
  const startedAt = performance.now();
  let sizeBytes = 0;
  for (const line of linesOf(() => chunksOf(bytes))) sizeBytes += line.length;
  if (sizeBytes !== bytes.length) throw new Error(`Expected ${bytes.length} bytes of lines, got ${sizeBytes}.`);
  return bytes.length / 1000 / (performance.now() - startedAt);
}

/** Megabytes read per second of processor time, whatever else the machine does. */
function readPerCpu(format: string, bytes: Uint8Array): number {
  const before = process.cpuUsage();
  formatNamed(format).read(linesOf(() => chunksOf(bytes)));
  const { user, system } = process.cpuUsage(before);
  return bytes.length / (user + system);
}

/**
 * How late a timer was while a thread opened the file, minus the delay in an idle window of the same length right
 * after it; and the longest time that the caller's thread ran without a turn of the event loop.
 */
async function openLarge(file: string): Promise<Row[]> {
  const stalls: number[] = [];
  const idle: number[] = [];
  const took: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const thread = new SessionThread(WORKER);
    let entries = 0;
    let tookMs = 0;
    const stallMs = await stallOf(async () => {
      const startedAt = performance.now();
      const { session } = await thread.open(file);
      tookMs = performance.now() - startedAt;
      entries = session.events.length;
    }, 0);
    if (entries === 0) throw new Error('Expected a session with entries, got none.');
    const idleMs = await stallOf(() => sleep(tookMs), 0);
    stalls.push(Math.max(0, stallMs - idleMs));
    idle.push(idleMs);
    took.push(tookMs);
    busy.push(await longestBusyMs(() => thread.open(file)));
    await thread.close();
  }
  return [
    rowOf('formats.open-60mb.stall', 'ms', stalls),
    rowOf('formats.open-60mb.idle', 'ms', idle),
    rowOf('formats.open-60mb.busy-max', 'ms', busy),
    rowOf('formats.open-60mb.took', 'ms', took),
  ];
}

/** Ten thousand sessions: found, with a glimpse of each. */
function listMany(folder: string, file: string): Row {
  for (let index = 0; index < FILES; index++) {
    const project = path.join(folder, 'projects', `p${index % 100}`);
    mkdirSync(project, { recursive: true });
    linkSync(file, path.join(project, `${index}.jsonl`));
  }
  const places = sessionPlaces({ CLAUDE_CONFIG_DIR: folder }, folder);
  const samples = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    const listed = foundSessions(places).map(glimpse);
    if (listed.length !== FILES) throw new Error(`Expected ${FILES} sessions, got ${listed.length}.`);
    return performance.now() - startedAt;
  });
  return rowOf(`formats.list-${FILES}`, 'ms', samples);
}

/** Skimming, reading every format on a thread, opening 60 MB without a stall, listing 10,000 sessions. */
export async function run(): Promise<readonly Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'density-bench-'));
  const rows: Row[] = [];
  try {
    const small = path.join(folder, 'small.jsonl');
    for (const { name } of writableFormats()) {
      const { pieces, source } = chainedSession(name, { tokens: READ_TOKENS, seed: 1 });
      const bytes = Buffer.concat([...pieces]);
      const file = path.join(folder, `${name}.session`);
      writeFileSync(file, bytes);
      console.log(`${name}: ${(bytes.length / 1e6).toFixed(1)} MB chained from ${source}, seed 1`);
      const thread = new SessionThread(WORKER);
      const speeds: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { session, readMs } = await thread.open(file, { format: name });
        if (liveHistory(session).length === 0) throw new Error(`Expected entries of ${name}, got none.`);
        speeds.push(bytes.length / 1000 / readMs);
      }
      await thread.close();
      const perCpu = Array.from({ length: ROUNDS }, () => readPerCpu(name, bytes));
      rows.push(rowOf(`formats.read.${name}`, 'MB/s', speeds), rowOf(`formats.read-cpu.${name}`, 'MB/s', perCpu));
      if (name === 'claude-code') writeFileSync(small, bytes.subarray(0, 100_000));
    }
    const large = path.join(folder, 'large.jsonl');
    const bytes = Buffer.concat([...chainedSession('claude-code', { tokens: LARGE_TOKENS, seed: 1 }).pieces]);
    writeFileSync(large, bytes);
    console.log(`${(bytes.length / 1e6).toFixed(1)} MB of claude-code`);
    rows.push(
      rowOf(
        'formats.skim',
        'MB/s',
        Array.from({ length: ROUNDS }, () => skim(bytes)),
      ),
      ...(await openLarge(large)),
      listMany(folder, small),
    );
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
