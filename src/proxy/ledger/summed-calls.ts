import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonFields } from '../../content/foreign-value.ts';
import type { LedgerNumbers } from './contract.ts';

/** The sums of an agent's calls in a file of the log that is not kept any more. */
export interface SummedCalls
  extends Omit<LedgerNumbers, 'medianAddedMs' | 'p99AddedMs' | 'regrets' | 'conversations' | 'removed'> {
  readonly agent: string;
  readonly isShadow: boolean;
  /** The time of the last call, in milliseconds since 1970. */
  readonly lastAt: number;
}

/** One JSON object a line; a file that was summed twice counts once. */
export const summedFile = (folder: string): string => path.join(folder, 'calls-summed.jsonl');

/** All sums, by file. */
export async function summedCalls(folder: string): Promise<ReadonlyMap<string, readonly SummedCalls[]>> {
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
