import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isRecord, jsonFields, jsonOf } from '../../content/foreign-value.ts';
import { groupBy, madeOnce } from '../../content/group-by.ts';
import { openAppendLog } from '../../disk/append-log.ts';
import { codeOf } from '../../errors.ts';
import { type GuardedCall, GuardLog } from '../../guard/guard-log.ts';
import { CURRENT_CALLS, FULL_CALLS, type LoggedCall } from '../call-log.ts';
import type { LedgerNumbers } from './contract.ts';
import { conversationName } from './conversation-ledger.ts';
import { Ledger } from './ledger.ts';

/** The sums of an agent's calls in a file of the log that is not kept any more. */
interface SummedCalls
  extends Omit<LedgerNumbers, 'medianAddedMs' | 'p99AddedMs' | 'regrets' | 'conversations' | 'removed'> {
  readonly agent: string;
  readonly isShadow: boolean;
  /** Of the last call, in milliseconds since 1970. */
  readonly lastAt: number;
}

/** One JSON object a line; a file that was summed twice counts once. */
const summedFile = (folder: string): string => path.join(folder, 'calls-summed.jsonl');

/** All sums, by file. */
async function summedCalls(folder: string): Promise<ReadonlyMap<string, readonly SummedCalls[]>> {
  const text = await readFile(summedFile(folder), 'utf8').catch(() => '');
  const lines = text.split('\n').flatMap((line) => listed(line) ?? []);
  return new Map(lines.toReversed().map(({ file, sums }) => [file, sums]));
}

function listed(line: string): { readonly file: string; readonly sums: readonly SummedCalls[] } | undefined {
  const value = jsonFields(line);
  // The sums of a file are one line, written whole or not at all by this program.
  return typeof value?.['file'] === 'string' && Array.isArray(value['sums'])
    ? (value as unknown as { file: string; sums: SummedCalls[] })
    : undefined;
}

/** The logged calls in a file; none if there is no file. Broken lines, as after a full disk, are left out. */
async function callsIn(file: string): Promise<LoggedCall[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').map(jsonOf).filter(isLoggedCall);
}

const areNumbers = (value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === 'number');

/** True for a line that has the fields that are added up. Source: `LoggedCall`. */
const isLoggedCall = (value: unknown): value is LoggedCall =>
  isRecord(value) &&
  areNumbers(value, ['at', 'status', 'addedMs']) &&
  isUsage(value['usage']) &&
  isReport(value['report']);

const isUsage = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && areNumbers(value, ['promptTokens', 'cachedTokens', 'outputTokens']));

const isReport = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && areNumbers(value, ['savedTokens']) && isListOfChanges(value['changed']));

const isListOfChanges = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => isRecord(one) && areNumbers(one, ['savedTokens']));

/** Full files that are kept whole, of 4 MB each: some ten thousand calls. */
const MAX_FILES = 12;

/** The agent of a call; the calls that were not changed apart. */
const agentKey = ({ agent, isShadow }: Pick<LoggedCall, 'agent' | 'isShadow'>): string =>
  `${agent}${isShadow ? ' (shadow)' : ''}`;

/** What went through, by agent and in all. */
interface CallHistory {
  readonly agents: ReadonlyMap<string, { readonly isShadow: boolean; readonly ledger: Ledger }>;
  readonly all: Ledger;
  /** Those of all time, without the calls in shadow mode. */
  readonly allTime: Ledger;
}

/** The full files of a log, the oldest first. */
const fullFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => FULL_CALLS.test(name)).sort();

/** The calls of a log that are kept one by one. */
export async function* loggedCalls(
  folder: string,
  summed: ReadonlyMap<string, unknown> = new Map(),
): AsyncGenerator<LoggedCall> {
  const names = [...(await fullFiles(folder)).filter((name) => !summed.has(name)), CURRENT_CALLS];
  for (const name of names) yield* await callsIn(path.join(folder, name));
}

/** The calls of a log from that moment on (milliseconds since 1970). Older files count by their sums, each as a whole. */
export async function callHistory(folder: string, since: number): Promise<CallHistory> {
  const agents = new Map<string, { isShadow: boolean; ledger: Ledger }>();
  const all = new Ledger();
  const allTime = new Ledger();
  const ledgersOf = (one: Pick<LoggedCall, 'agent' | 'isShadow'>, at: number): Ledger[] => {
    const total = one.isShadow ? [] : [allTime];
    if (at < since) return total;
    const { ledger } = madeOnce(agents, agentKey(one), () => ({ isShadow: one.isShadow, ledger: new Ledger() }));
    return [ledger, all, ...total];
  };
  const summed = await summedCalls(folder);
  for (const sums of summed.values())
    for (const one of sums) for (const ledger of ledgersOf(one, one.lastAt)) ledger.addSums(one);
  for await (const call of loggedCalls(folder, summed)) for (const ledger of ledgersOf(call, call.at)) ledger.add(call);
  for (const { at, agent, kind } of guardedCalls(folder))
    for (const ledger of ledgersOf({ agent, isShadow: false }, at)) ledger.addGuarded(kind);
  return { agents, all, allTime };
}

/** None where they cannot be read: the other numbers are shown all the same. */
function guardedCalls(folder: string): readonly GuardedCall[] {
  try {
    return new GuardLog(folder).calls();
  } catch {
    return [];
  }
}

/**
 * Replaces the oldest full files of a log by their sums, so that it does not grow without end. If two processes do it at once, or one is killed in between, each file still counts once. @throws the system's error.
 */
export async function sumOldCalls(folder: string, mostFiles = MAX_FILES): Promise<void> {
  const old = (await fullFiles(folder)).slice(0, -mostFiles || undefined);
  if (old.length === 0) return;
  const known = await summedCalls(folder);
  const log = await openAppendLog(summedFile(folder));
  try {
    for (const name of old) {
      const file = path.join(folder, name);
      if (!known.has(name)) await log.appendFile(`${JSON.stringify({ file: name, sums: await sumsOf(file) })}\n`);
      await rm(file, { force: true });
    }
  } finally {
    await log.close();
  }
}

async function sumsOf(file: string): Promise<SummedCalls[]> {
  return [...groupBy(await callsIn(file), agentKey).values()].map((calls) => {
    const ledger = new Ledger();
    for (const call of calls) ledger.add(call);
    const {
      medianAddedMs: _,
      p99AddedMs: __,
      regrets: ___,
      conversations: ____,
      removed: _____,
      ...sums
    } = ledger.numbers();
    const { agent, isShadow, at } = calls.at(-1)!;
    return { agent, isShadow, lastAt: at, ...sums };
  });
}

/** A conversation with logged calls. */
export interface LoggedConversation {
  /** Its whole name, by which its decisions are stored. */
  readonly key: string;
  /** The start of it, as the page shows it. */
  readonly name: string;
  readonly agent: string;
  readonly model: string | undefined;
  readonly calls: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

const KEY = /^[0-9a-f]{64}$/;

/** The conversations in the log of this folder, the last used one first. */
export async function loggedConversations(folder: string): Promise<LoggedConversation[]> {
  const found = new Map<string, LoggedConversation>();
  for await (const { report, agent, model, isCount, at: lastAt } of loggedCalls(folder)) {
    const key = report?.conversation ?? '';
    if (isCount || !KEY.test(key)) continue;
    // Files that were full within one millisecond are in no order.
    const { calls, lastAt: knownAt } = found.get(key) ?? { calls: 0, lastAt };
    const facts = { key, name: conversationName(key), agent, model };
    found.set(key, { ...facts, calls: calls + 1, lastAt: Math.max(lastAt, knownAt) });
  }
  return [...found.values()].sort((one, other) => other.lastAt - one.lastAt);
}
