import { createHash } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { ToolCallBlock } from '../content/content.ts';
import { jsonFields } from '../content/foreign-value.ts';
import { Redactor } from '../content/secrets/redact.ts';
import { openAppendLog } from '../disk/append-log.ts';
import { codeOf } from '../errors.ts';
import type { CopiedMarker } from './contract.ts';
import { refusalOf } from './refusal.ts';

/** What was done about a copied marker: the call was refused, its result says so (`told`), or it was made once more and ran. */
const GUARD_KINDS = ['refused', 'told', 'passed'] as const;
export type GuardKind = (typeof GUARD_KINDS)[number];

/** A copied marker, without any text of the conversation but names of commands and files. */
export interface GuardedCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly agent: string;
  /** A hash of the session's id. */
  readonly session: string;
  readonly kind: GuardKind;
  readonly tool: string;
  /** What the marker stands for. */
  readonly standsFor: string;
  /** The same for the same call. */
  readonly call: string;
}

const FILE = 'copied-markers.jsonl';
const OLD_FILE = 'copied-markers-old.jsonl';
/** Some thousand calls: then a new file begins, and the one before the last is dropped. */
const MAX_BYTES = 1 << 20;
const HASH_CHARACTERS = 16;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS);

/** Where a call is made. */
export interface CallSite {
  readonly agent: string;
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const noted = (
  { name, parameters }: ToolCallBlock,
  { standsFor }: CopiedMarker,
  { session, ...site }: CallSite,
): Omit<GuardedCall, 'kind'> => ({
  ...site,
  tool: name,
  standsFor,
  session: hashOf(session),
  call: hashOf(JSON.stringify([name, parameters])),
});

/** Copied markers in a folder, a JSON object a line, for its owner only. Several processes may write it. */
export class GuardLog {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What was noted, the oldest first. @throws the system's error. */
  calls(): readonly GuardedCall[] {
    return [...this.#read(OLD_FILE), ...this.#read(FILE)];
  }

  /** Notes a call. @throws the system's error. */
  async add(call: GuardedCall): Promise<void> {
    const log = await openAppendLog(path.join(this.#folder, FILE));
    try {
      await log.appendFile(`${JSON.stringify({ ...call, standsFor: new Redactor().label(call.standsFor) })}\n`);
      if ((await log.stat()).size > MAX_BYTES)
        renameSync(path.join(this.#folder, FILE), path.join(this.#folder, OLD_FILE));
    } finally {
      await log.close();
    }
  }

  /**
   * Why a call that would write a marker is not run; `undefined` if it was refused before in this session, so that it is meant. Both are
   * noted first. @throws the system's error where they cannot be: then the call runs, because it would be refused for ever.
   */
  async refusedFor(call: ToolCallBlock, copy: CopiedMarker, site: CallSite): Promise<string | undefined> {
    const now = noted(call, copy, site);
    const isMeant = this.calls().some((one) => one.call === now.call && one.session === now.session);
    await this.add({ ...now, kind: isMeant ? 'passed' : 'refused' });
    return isMeant ? undefined : refusalOf(copy);
  }

  /** Notes that the result of a call says that it wrote a marker. @throws the system's error. */
  noteTold(call: ToolCallBlock, copy: CopiedMarker, site: CallSite): Promise<void> {
    return this.add({ ...noted(call, copy, site), kind: 'told' });
  }

  #read(name: string): GuardedCall[] {
    try {
      return readFileSync(path.join(this.#folder, name), 'utf8')
        .split('\n')
        .flatMap((line) => guardedCall(line) ?? []);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

const TEXTS = ['agent', 'session', 'tool', 'standsFor', 'call'];

/** The call in a line; undefined for the last line of a process that was killed. */
function guardedCall(line: string): GuardedCall | undefined {
  const value = jsonFields(line);
  const isCall =
    typeof value?.['at'] === 'number' &&
    TEXTS.every((name) => typeof value[name] === 'string') &&
    GUARD_KINDS.some((kind) => kind === value['kind']);
  return isCall ? (value as unknown as GuardedCall) : undefined;
}
