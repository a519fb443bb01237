import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { BUILT_IN, BUILT_IN_PROFILES } from '../../src/settings/built-in-profiles.ts';
import { parseSettings } from '../../src/settings/parse.ts';
import { ProfileStore } from '../../src/settings/profile-store.ts';
import { SETTINGS_REGISTRY, type SettingRow } from '../../src/settings/registry.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  }
});

function createStore(files: Readonly<Record<string, unknown>> = {}): { store: ProfileStore; folder: string } {
  const root = mkdtempSync(path.join(tmpdir(), 'density-profiles-'));
  folders.push(root);
  const folder = path.join(root, 'profiles');
  if (Object.keys(files).length > 0) mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { store: new ProfileStore(folder), folder };
}

const NEW = { mayReplace: false };
const REPLACE = { mayReplace: true };
const code = (name: string) => expect.objectContaining({ code: name });

/** A valid value of a setting that is not its default. */
function anotherValue(row: SettingRow): unknown {
  switch (row.type) {
    case 'boolean':
      return !row.default;
    case 'enum':
      return row.enumValues.find((value) => value !== row.default);
    case 'number':
      return row.default === 1 ? 2 : 1;
    case 'text':
      return row.example ?? 'docs, AGENTS.md';
  }
}

describe('a profile', () => {
  test.each([
    ['REQ-HD-009.1', 'compression.density.readWritePruning', false],
    ['REQ-HD-009.2', 'compression.density.fileDedupe', false],
    ['REQ-HD-009.3', 'compression.density.recencyPruning', true],
    ['REQ-HD-009.4', 'compression.density.recencyRetention', 7],
  ])('(%s) keeps %s', async (_id, key, value) => {
    const { store } = createStore();
    await store.save('mine', parseSettings({ [key]: value }), NEW);
    expect((await store.load('mine')).settings).toEqual({ [key]: value });
  });

  test('loads every persisted setting as it was saved', async () => {
    const { store, folder } = createStore();
    const persisted = SETTINGS_REGISTRY.filter((row) => row.persistToProfile);
    const settings = parseSettings(Object.fromEntries(persisted.map((row) => [row.key, anotherValue(row)])));
    expect(Object.keys(settings)).toEqual(persisted.map(({ key }) => key));
    const saved = await store.save('all', settings, NEW);
    expect(saved).toEqual({ name: 'all', file: path.join(folder, 'all.json'), settings, unknownKeys: [] });
    expect(await store.load('all')).toEqual(saved);
  });

  test('is one file that only its user can read', async () => {
    const { store, folder } = createStore();
    const { file } = await store.save('mine', { 'context-limit': 5000 }, NEW);
    chmodSync(file, 0o644);
    await store.save('mine', { 'context-limit': 6000 }, REPLACE);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(readdirSync(folder)).toEqual(['mine.json']);
  });

  test('is replaced only with `mayReplace`', async () => {
    const { store } = createStore();
    await store.save('mine', { 'context-limit': 5000 }, NEW);
    await expect(store.save('mine', {}, NEW)).rejects.toThrowError(code('PROFILE_EXISTS'));
    expect((await store.load('mine')).settings).toEqual({ 'context-limit': 5000 });
    await store.save('mine', { 'compression-threshold': 0.5 }, REPLACE);
    expect((await store.load('mine')).settings).toEqual({ 'compression-threshold': 0.5 });
  });

  test('keeps and reports unknown keys', async () => {
    const settings = { 'context-limit': 5000, 'compression.tomorrow': [1] };
    const { store, folder } = createStore({ 'new.json': { version: 1, comment: 'mine', settings } });
    expect(await store.load('new')).toMatchObject({
      settings: { 'context-limit': 5000 },
      unknownKeys: ['comment', 'compression.tomorrow'],
    });
    const saved = await store.save('new', { 'compression-threshold': 0.5 }, REPLACE);
    expect(saved.unknownKeys).toEqual(['comment', 'compression.tomorrow']);
    expect(JSON.parse(readFileSync(path.join(folder, 'new.json'), 'utf8'))).toEqual({
      version: 1,
      comment: 'mine',
      settings: { 'compression.tomorrow': [1], 'compression-threshold': 0.5 },
    });
  });

  test.each([
    ['text that is no JSON', '{"version": 1, "settings": {'],
    ['no object', '[1]'],
    ['an empty file', ''],
    ['no settings', { version: 1 }],
    ['another version', { version: 2, settings: {} }],
    ['a value out of range', { version: 1, settings: { 'compression-threshold': 2 } }],
    ['the name of a profile', { version: 1, settings: { 'compression.profile': 'other' } }],
  ])('with %s fails with its name, and no save changes its file', async (_what, content) => {
    const { store, folder } = createStore({ 'broken.json': content });
    const file = path.join(folder, 'broken.json');
    const before = readFileSync(file, 'utf8');
    const failure = expect.objectContaining({
      code: 'SETTINGS_FILE_INVALID',
      message: expect.stringContaining(file),
    });
    await expect(store.load('broken')).rejects.toThrowError(failure);
    await expect(store.save('broken', { 'context-limit': 5000 }, REPLACE)).rejects.toThrowError(failure);
    expect(readFileSync(file, 'utf8')).toBe(before);
    await store.delete('broken');
    await store.save('broken', { 'context-limit': 5000 }, NEW);
  });

  test('with a wrong value names the file and the key', async () => {
    const { store } = createStore({ 'broken.json': { version: 1, settings: { 'compression-threshold': 1.4 } } });
    await expect(store.load('broken')).rejects.toThrow(/broken\.json: Expected `compression-threshold` .*got `1.4`/);
  });

  test('that does not exist is an error that names the nearest one', async () => {
    const { store } = createStore({ 'careful.json': { version: 1, settings: {} } });
    const failure = expect.objectContaining({
      code: 'PROFILE_UNKNOWN',
      message: expect.stringContaining('Did you mean "careful"?'),
    });
    await expect(store.load('carefull')).rejects.toThrowError(failure);
    await expect(store.delete('carefull')).rejects.toThrowError(failure);
    await expect(createStore().store.load('any')).rejects.toThrow('Did you mean "recommended"?');
  });

  test.each(['../evil', 'a/b', '', '.hidden', 'a'.repeat(65), 'ü', 'a.b'])('cannot be called %j', async (name) => {
    const { store } = createStore();
    for (const attempt of [store.load(name), store.save(name, {}, NEW), store.delete(name)]) {
      await expect(attempt).rejects.toThrowError(code('SETTING_INVALID'));
    }
  });

  test('rejects a setting that is not persisted, and a wrong value', async () => {
    const { store, folder } = createStore();
    await expect(store.save('mine', { 'compression.profile': 'other' }, NEW)).rejects.toThrowError(
      code('SETTING_INVALID'),
    );
    await expect(store.save('mine', { 'compression-threshold': 7 }, NEW)).rejects.toThrowError(code('SETTING_INVALID'));
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });

  test('that cannot be written is an error, and the earlier file is unchanged', async () => {
    const { store, folder } = createStore();
    const { file } = await store.save('mine', { 'context-limit': 5000 }, NEW);
    const before = readFileSync(file);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, before);
    await expect(store.save('mine', {}, REPLACE)).rejects.toThrowError(code('OUTPUT_FAILED'));
    expect(readFileSync(folder)).toEqual(before);
  });
});

describe('the list', () => {
  test('contains every profile, sorted by name, and the problem of each invalid one', async () => {
    const { store } = createStore({
      'b.json': { version: 1, settings: { 'context-limit': 5000 } },
      'a.json': '{',
      'notes.txt': 'mine',
      '.json': '{}',
    });
    expect(await store.list()).toMatchObject([
      { name: 'a', problem: { code: 'SETTINGS_FILE_INVALID' } },
      { name: 'b', settings: { 'context-limit': 5000 } },
      { name: 'recommended', file: BUILT_IN },
      { name: 'specification', file: BUILT_IN },
    ]);
  });

  test('does not contain deleted profiles', async () => {
    const { store } = createStore({ 'a.json': { version: 1, settings: {} } });
    await store.delete('a');
    expect(await store.list()).toMatchObject([{ name: 'recommended' }, { name: 'specification' }]);
  });
});

describe('a built-in profile', () => {
  test('exists without a file and contains only persisted settings', async () => {
    const { store } = createStore();
    const { settings } = await store.load('recommended');
    expect(settings).toEqual(BUILT_IN_PROFILES['recommended']);
    await expect(store.save('mine', settings, { mayReplace: false })).resolves.toMatchObject({ settings });
  });

  test('is replaced by a saved profile of the same name until that one is deleted', async () => {
    const { store } = createStore();
    await store.save('recommended', { 'context-limit': 5000 }, { mayReplace: false });
    expect((await store.load('recommended')).settings).toEqual({ 'context-limit': 5000 });
    expect(await store.list()).toHaveLength(2);
    await store.delete('recommended');
    expect((await store.load('recommended')).file).toBe(BUILT_IN);
    await expect(store.delete('recommended')).rejects.toThrow('comes with the program');
  });
});
