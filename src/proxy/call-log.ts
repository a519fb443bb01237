import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { openAppendLog } from '../disk/append-log.ts';
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

/** A file of calls, one JSON object a line, for its owner only. */
export class CallLog {
  readonly file: string;
  #handle: Promise<FileHandle> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.file = path.join(folder, 'calls.jsonl');
  }

  /** Appends a line after those before it. A full disk loses the line, not the agent's call: the error is returned. */
  append(call: LoggedCall): Promise<Error | undefined> {
    const done = this.#turn.then(async () => {
      this.#handle ??= openAppendLog(this.file);
      await (await this.#handle).appendFile(`${JSON.stringify(call)}\n`);
      return undefined;
    });
    this.#turn = done.catch(() => {
      this.#handle = undefined;
    });
    return done.catch((error: Error) => error);
  }

  /** Resolves when every line is written. */
  async close(): Promise<void> {
    await this.#turn;
    const handle = await this.#handle?.catch(() => undefined);
    this.#handle = undefined;
    await handle?.close();
  }
}
