import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { FileReader, FileWriter, LlmClient, Logger, Message } from '../../src/compaction/contract.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** A logger that records its messages. */
export function recordingLogger(): Logger & { readonly lines: LogLine[]; at(level: LogLine['level']): string[] } {
  const lines: LogLine[] = [];
  const log = (level: LogLine['level']) => (message: string) => void lines.push({ level, message });
  return {
    lines,
    at: (level) => lines.filter((line) => line.level === level).map((line) => line.message),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
  };
}

export interface ScriptedClient extends LlmClient {
  readonly prompts: string[];
  readonly models: string[];
  readonly signals: AbortSignal[];
  counts: number;
}

/** A client that answers from a list and repeats the last answer; it throws errors. Counts a token per four characters of JSON. */
export function scriptedClient(...answers: readonly (string | Error)[]): ScriptedClient {
  const client: ScriptedClient = {
    prompts: [],
    models: [],
    signals: [],
    counts: 0,
    countTokens(messages) {
      client.counts++;
      return Math.ceil(JSON.stringify(messages).length / 4);
    },
    async summarize(prompt, model, { signal }) {
      client.prompts.push(prompt);
      client.models.push(model);
      client.signals.push(signal);
      const answer = answers[Math.min(client.prompts.length, answers.length) - 1] ?? 'The summary.';
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return client;
}

/** Files in memory, and the requested paths. */
export function memoryReader(
  files: Readonly<Record<string, string | Error>>,
): FileReader & { readonly reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    exists: async (file) => Object.hasOwn(files, file),
    async read(file) {
      reads.push(file);
      const content = files[file];
      if (typeof content === 'string') return content;
      throw content ?? new Error('no such file');
    },
  };
}

export function memoryWriter(): FileWriter & { readonly files: Map<string, string> } {
  const files = new Map<string, string>();
  return {
    files,
    async write(file, content) {
      files.set(file, content);
    },
  };
}

let ids = 0;

/** An assistant message that calls `read_file`, and the user message with its result. */
export function readOf(file: unknown, result = 'content'): Message[] {
  const id = `toolu_${++ids}`;
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read_file', input: { path: file } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
  ];
}

export const SYSTEM: Message = { role: 'system', content: 'You are a careful coding agent.' };

/** A short conversation that reads these files, in order. */
export function conversation(...files: readonly string[]): Message[] {
  return [
    SYSTEM,
    { role: 'user', content: 'Please mend the failing test in src/parser.ts.' },
    ...files.flatMap((file) => readOf(file)),
    { role: 'assistant', content: 'I found the cause: an off-by-one in the loop.' },
    { role: 'user', content: 'Good, go on.' },
  ];
}

/** A new folder that is removed after the test; its path contains no links. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'density-compact-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** True if user and assistant alternate after the system messages, starting with the user. */
export function alternates(messages: readonly { readonly role: string }[]): boolean {
  const roles = messages.map(({ role }) => role);
  const first = roles.findIndex((role) => role !== 'system');
  return first !== -1 && roles.slice(first).every((role, index) => role === (index % 2 === 0 ? 'user' : 'assistant'));
}

/** Stops the clock of timers; work on disk continues. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

/** The result of the promise; advances the clock while it waits. */
export async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  let isSettled = false;
  const done = () => {
    isSettled = true;
  };
  promise.then(done, done);
  while (!isSettled) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(100);
  }
  return promise;
}
