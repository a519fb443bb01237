import { randomBytes } from 'node:crypto';
import { type FileHandle, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { Redactor } from '../content/secrets/redact.ts';
import { openAppendLog } from '../disk/append-log.ts';
import type { PruneReport } from '../live/contract.ts';
import { SerialQueue } from '../serial-queue.ts';
import type { ProxiedCall } from './contract.ts';

/** One line of the log: a call that went through, without any text of the conversation. */
export interface LoggedCall extends ProxiedCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The agent that was started, or `proxy`. */
  readonly agent: string;
  /** True if nothing was changed, only decided. */
  readonly isShadow: boolean;
}

/** Names in the order of time. */
const fullName = (): string => `calls-${Date.now()}-${randomBytes(3).toString('hex')}.jsonl`;
export const FULL_CALLS = /^calls-\d+-[0-9a-f]+\.jsonl$/;

/** A call as it is logged: names of commands and files without keys, tokens and passwords of known shapes. */
export function loggedCall(call: ProxiedCall, facts: Omit<LoggedCall, keyof ProxiedCall>): LoggedCall {
  const { report } = call;
  return { ...call, ...facts, report: report && withoutSecrets(report) };
}

function withoutSecrets(report: PruneReport): PruneReport {
  const { label } = new Redactor();
  return {
    ...report,
    changed: report.changed.map((one) => ({ ...one, what: label(one.what), reason: label(one.reason) })),
    neededAgain: report.neededAgain.map(label),
    ...(report.changes && { changes: report.changes.map((one) => ({ ...one, what: label(one.what) })) }),
  };
}

/** The file that is written, in the folder of the log. */
export const CURRENT_CALLS = 'calls.jsonl';
/** From this size on the file gets a name of its own, and a new one begins. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A file of calls, one JSON object a line, for its owner only. Several processes may write it. */
export class CallLog {
  readonly #file: string;
  readonly #mostBytes: number;
  #open: { readonly handle: FileHandle; readonly ino: number } | undefined;
  readonly #queue = new SerialQueue();
  /** Those that wait, and when they will be written. */
  #lines = '';
  #next: Promise<Error | undefined> | undefined;

  constructor(folder: string, { mostBytes = MAX_BYTES }: { readonly mostBytes?: number } = {}) {
    this.#file = path.join(folder, CURRENT_CALLS);
    this.#mostBytes = mostBytes;
  }

  /** Appends a line after those before it. A full disk loses the line, not the agent's call: the error is returned. */
  append(call: LoggedCall): Promise<Error | undefined> {
    this.#lines += `${JSON.stringify(call)}\n`;
    this.#next ??= this.#queue.run(() => this.#write());
    return this.#next;
  }

  /** Writes all lines that wait in one piece. */
  async #write(): Promise<Error | undefined> {
    const lines = this.#lines;
    this.#lines = '';
    this.#next = undefined;
    try {
      await (await this.#current()).appendFile(lines);
      return undefined;
    } catch (error) {
      await this.#leave();
      return error as Error;
    }
  }

  /** The file to write to: a new one where this one is full, or where another process began a new one. */
  async #current(): Promise<FileHandle> {
    const there = await stat(this.#file).catch(() => undefined);
    const isFull = there !== undefined && there.size >= this.#mostBytes;
    if (this.#open && there?.ino === this.#open.ino && !isFull) return this.#open.handle;
    await this.#leave();
    // If the file cannot be renamed, for example because another program has it open on Windows, it continues to grow.
    if (isFull) await rename(this.#file, path.join(path.dirname(this.#file), fullName())).catch(() => {});
    const handle = await openAppendLog(this.#file);
    this.#open = { handle, ino: (await handle.stat()).ino };
    return handle;
  }

  async #leave(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.handle.close().catch(() => {});
  }

  /** Resolves when every line is written. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#leave();
  }
}
