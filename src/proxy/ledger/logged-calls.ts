import { readFile } from 'node:fs/promises';
import { isRecord, jsonOf } from '../../content/foreign-value.ts';
import { codeOf } from '../../errors.ts';
import type { LoggedCall } from '../call-log.ts';

/** The logged calls in a file; none if there is no file. Broken lines, as after a full disk, are left out. */
export async function callsIn(file: string): Promise<LoggedCall[]> {
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
