import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Fields, isRecord } from '../../../content/foreign-value.ts';
import { OWNER_FILE_MODE } from '../../../disk/owner-only.ts';
import { replaceFile } from '../../../disk/temporary-file.ts';
import { settingsFile, textAt } from '../settings/settings-object.ts';

export const providersOf = (settings: Fields): Fields => (isRecord(settings['providers']) ? settings['providers'] : {});

const entrySettings = (entry: unknown): Fields =>
  isRecord(entry) && isRecord(entry['settings']) ? entry['settings'] : {};

/** A provider as it is noted in the file, with this base URL; none: with the vendor's. */
export function withUrl(name: string, entry: unknown, baseUrl: string | undefined): Fields {
  const { baseUrl: _, ...rest } = entrySettings(entry);
  const settings = { provider: name, ...rest, ...(baseUrl !== undefined && { baseUrl }) };
  const noted = { settings, updatedAt: new Date(0).toISOString(), tokenSource: 'manual' };
  return isRecord(entry) ? { ...entry, settings } : noted;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What `after` has otherwise than `before`, in the order of `after`; the value of what it lost is undefined. */
const changesOf = (before: Fields, after: Fields): [string, unknown][] =>
  [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((name) =>
    isSame(before[name], after[name]) ? [] : [[name, after[name]]],
  );

function changed(settings: Fields, changes: readonly [string, unknown][]): Fields {
  const all = { ...settings, ...Object.fromEntries(changes) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/**
 * Puts what Cline changed in `pointed`, such as a login, into the person's file `own`, with the base URLs that stood there.
 * What another Cline changed there meanwhile stays.
 */
export async function keepChanges(
  { file, pointed, addresses }: { file: string; pointed: Fields; addresses: Fields },
  own: string,
): Promise<void> {
  const after = await settingsFile(file);
  if (after === undefined) return;
  const found = await settingsFile(own);
  const current = found ?? {};
  const top = changesOf({ ...(found && pointed), providers: undefined }, { ...after, providers: undefined });
  const providers = changesOf(providersOf(pointed), providersOf(after)).map(([name, entry]): [string, unknown] => {
    const isPointed = textAt(entrySettings(entry), 'baseUrl') === addresses[name];
    const before = textAt(entrySettings(providersOf(current)[name]), 'baseUrl');
    return [name, entry === undefined || !isPointed ? entry : withUrl(name, entry, before)];
  });
  if ((found ? top.length : 0) + providers.length === 0) return;
  const merged = { ...changed(current, top), providers: changed(providersOf(current), providers) };
  await mkdir(path.dirname(own), { recursive: true });
  await replaceFile(own, `${JSON.stringify(merged, null, 2)}\n`, { mode: OWNER_FILE_MODE });
}
