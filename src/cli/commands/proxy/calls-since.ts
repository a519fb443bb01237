import { readFile } from 'node:fs/promises';
import { isRecord } from '../../../content/foreign-value.ts';
import { codeOf } from '../../../errors.ts';
import type { LoggedCall } from '../../../proxy/call-log.ts';

/** The logged calls from that moment on (milliseconds since 1970). Broken lines, as after a full disk, are left out. */
export async function callsSince(file: string, since: number): Promise<LoggedCall[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    const call = parsed(line);
    return call !== undefined && call.at >= since ? [call] : [];
  });
}

function parsed(line: string): LoggedCall | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && typeof value['at'] === 'number' ? (value as unknown as LoggedCall) : undefined;
  } catch {
    return undefined;
  }
}
