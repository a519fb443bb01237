import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../content/foreign-value.ts';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../disk/owner-only.ts';
import { codeOf } from '../errors.ts';

/** A result that the agent was given word for word. */
export interface EarlierResult {
  /** Of the tool's name and the text. */
  readonly hash: string;
  readonly callId: string;
  /** `Read src/a.ts` */
  readonly what: string;
}

function parsed(line: string): EarlierResult | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return undefined;
    const { hash, callId, what } = value;
    if (typeof hash !== 'string' || typeof callId !== 'string' || typeof what !== 'string') return undefined;
    return { hash, callId, what };
  } catch {
    // Another hook is writing this line.
    return undefined;
  }
}

/** The results of one conversation, a line each, in a file: every hook is a process of its own. */
export class EarlierResults {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The results with this hash, newest first. @throws the system's error. */
  withHash(hash: string): readonly EarlierResult[] {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
    const found: EarlierResult[] = [];
    for (let at = text.indexOf(hash); at !== -1; at = text.indexOf(hash, at + hash.length)) {
      const result = parsed(text.slice(text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at)));
      if (result?.hash === hash) found.unshift(result);
    }
    return found;
  }

  /** @throws the system's error. */
  async add(result: EarlierResult): Promise<void> {
    await makeOwnerFolder(path.dirname(this.#file));
    appendFileSync(this.#file, `${JSON.stringify(result)}\n`, { mode: OWNER_FILE_MODE });
  }
}
