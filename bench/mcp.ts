import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '../src/content/content.ts';
import { BlockArchive, blockHash } from '../src/disk/block-archive.ts';
import { packageFile } from '../src/package-file.ts';
import { median, percentile, type Row, rowOf } from './row.ts';

const BLOCKS = 100_000;
const ROUNDS = 5;
const RECALLS = 200;
const LINES = Array.from({ length: 60 }, (_, at) => `  const value${at} = compute(${at}, options);`).join('\n');

const block = (at: number): ContentBlock => ({
  type: 'tool_response',
  callId: `call-${at}`,
  toolName: 'Read',
  result: `// file ${at}\n${LINES}`,
});

function keep(folder: string, at: number): string {
  const hash = blockHash(block(at));
  writeFileSync(path.join(folder, `${hash}.json`), JSON.stringify(block(at)));
  return hash;
}

/** Requests to `density mcp`, one at a time. */
function startServer(home: string) {
  const command = fileURLToPath(packageFile('dist/density.js'));
  const child = spawn(process.execPath, [command, 'mcp'], {
    env: { ...process.env, HOME: home, XDG_DATA_HOME: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    const { value } = await lines.next();
    return value as string;
  };
  const recall = async (hash: string): Promise<number> => {
    const startedAt = performance.now();
    const answer = await ask('tools/call', { name: 'recall', arguments: { hash: hash.slice(0, 12) } });
    const ms = performance.now() - startedAt;
    if (!answer.includes('lines 1-61 of 61')) throw new Error(answer);
    return ms;
  };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  return { ready: ask('initialize', hello), recall, end: () => child.stdin.end() };
}

/** `recall` of an archive of 100,000 blocks, over the pipes of a real process. */
export async function run(): Promise<readonly Row[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'density-bench-mcp-'));
  const folder = path.join(home, '.local/share/high-density/archive');
  mkdirSync(folder, { recursive: true });
  // As the plugin's hooks open it.
  const hook = new BlockArchive(folder, { mostBytes: Number.POSITIVE_INFINITY });
  const samples = new Map<string, number[]>(['start', 'first', 'p50', 'p99', 'after-keep'].map((id) => [id, []]));
  const note = (id: string, ms: number): void => void samples.get(id)!.push(ms);
  try {
    const hashes = Array.from({ length: BLOCKS }, (_, at) => keep(folder, at));
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      const server = startServer(home);
      await server.ready;
      note('start', performance.now() - startedAt);
      note('first', await server.recall(hashes[round]!));
      const times: number[] = [];
      for (let at = 0; at < RECALLS; at++) times.push(await server.recall(hashes[(at * 467 + round * 31) % BLOCKS]!));
      note('p50', median(times));
      note('p99', percentile(times, 0.99));
      await hook.keep([block(BLOCKS + round)]);
      note('after-keep', await server.recall(blockHash(block(BLOCKS + round))));
      server.end();
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return [...samples].map(([id, values]) => rowOf(`mcp.${id}`, 'ms', values));
}
