import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ProfileStore } from '../../src/settings/profile-store.ts';
import { findProjectFile } from '../../src/settings/project/find-project-file.ts';
import { readProjectFile } from '../../src/settings/project/project-file.ts';
import { setProjectProfile } from '../../src/settings/project/set-project-profile.ts';
import { RECOMMENDED } from '../../src/settings/recommended.ts';
import { type EphemeralSettings, SETTINGS_REGISTRY, type SettingKey } from '../../src/settings/registry.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { explainSettings, settingSources } from '../../src/settings/sources.ts';
import { contextLimitOfModel } from '../../src/tokens/models.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A computer with a project folder in a repository, and profiles. */
async function createPlace({
  project,
  profiles = {},
}: {
  project?: unknown;
  profiles?: Readonly<Record<string, EphemeralSettings>>;
} = {}) {
  const root = mkdtempSync(path.join(tmpdir(), 'density-settings-'));
  folders.push(root);
  const folder = path.join(root, 'project');
  mkdirSync(path.join(folder, '.git'), { recursive: true });
  const file = path.join(folder, '.density.json');
  if (project !== undefined) writeFileSync(file, typeof project === 'string' ? project : JSON.stringify(project));
  const store = new ProfileStore(path.join(root, 'profiles'));
  for (const [name, settings] of Object.entries(profiles)) await store.save(name, settings, { mayReplace: false });
  return { folder, file, profiles: store };
}

async function explained(session: EphemeralSettings, place: Awaited<ReturnType<typeof createPlace>>) {
  const { sources } = await settingSources(session, place);
  const all = explainSettings(sources, { model: undefined });
  return (key: SettingKey) => all.find((setting) => setting.key === key);
}

describe('the source of a setting', () => {
  test('the threshold is the session’s, else the profile’s, else the project’s, else the strategy’s (REQ-HD-001.10, BR-THRESH-001)', async () => {
    const place = await createPlace({
      project: { 'compression-threshold': 0.3 },
      profiles: { mine: { 'compression-threshold': 0.4 }, empty: {} },
    });
    const threshold = async (session: EphemeralSettings): Promise<number> => {
      const { sources } = await settingSources(session, place);
      return createEphemerals(
        sources.map(({ settings }) => settings),
        { model: 'gpt-4o' },
      ).compressionThreshold();
    };
    expect(await threshold({ 'compression-threshold': 0.5, 'compression.profile': 'mine' })).toBe(0.5);
    expect(await threshold({ 'compression.profile': 'mine' })).toBe(0.4);
    expect(await threshold({ 'compression.profile': 'empty' })).toBe(0.3);
    expect(await threshold({})).toBe(0.3);
    rmSync(place.file);
    expect(await threshold({ 'compression.profile': 'empty' })).toBe(0.85);
    expect(await threshold({})).toBe(0.85);
  });

  test('is reported for each setting, in the order of the registry', async () => {
    const place = await createPlace({
      project: { 'compression.profile': 'mine', 'context-limit': 1000, 'compression.engine': 'inline' },
      profiles: { mine: { 'context-limit': 2000, 'compression-preserve-threshold': 0.1 } },
    });
    const { sources, profile } = await settingSources({ 'compression.density.fileDedupe': false }, place);
    expect(profile?.name).toBe('mine');
    const all = explainSettings(sources, { model: undefined });
    expect(all.map(({ key }) => key)).toEqual(SETTINGS_REGISTRY.map(({ key }) => key));
    const of = await explained({ 'compression.density.fileDedupe': false }, place);
    const project = { kind: 'project', file: place.file };
    expect(of('compression.density.fileDedupe')).toMatchObject({ value: false, origin: { kind: 'session' } });
    expect(of('context-limit')).toMatchObject({ value: 2000, origin: { kind: 'profile', name: 'mine' } });
    expect(of('compression-preserve-threshold')).toMatchObject({ value: 0.1, origin: { kind: 'profile' } });
    expect(of('compression.engine')).toMatchObject({ value: 'inline', origin: project });
    expect(of('compression.profile')).toMatchObject({ value: 'mine', origin: project });
    expect(of('compression.density.recencyRetention')).toMatchObject({ value: 3, origin: { kind: 'default' } });
    expect(of('compression-threshold')).toEqual({
      key: 'compression-threshold',
      value: 0.85,
      origin: { kind: 'strategy', name: 'high-density' },
    });
  });

  test('the context limit is the model’s, and unknown without a model', async () => {
    const { sources } = await settingSources({}, await createPlace());
    const limit = (model?: string) => explainSettings(sources, { model }).find(({ key }) => key === 'context-limit');
    expect(limit('gpt-4o')).toMatchObject({
      value: contextLimitOfModel('gpt-4o'),
      origin: { kind: 'model', name: 'gpt-4o' },
    });
    expect(limit()).toEqual({ key: 'context-limit', origin: { kind: 'default' } });
  });

  test('a profile that the session names replaces the project’s, and an unknown profile of the session is an error', async () => {
    const place = await createPlace({
      project: { 'compression.profile': 'gone' },
      profiles: { mine: { 'context-limit': 2000 } },
    });
    expect((await settingSources({ 'compression.profile': 'mine' }, place)).profile?.name).toBe('mine');
    await expect(settingSources({ 'compression.profile': 'gone' }, place)).rejects.toThrowError(
      expect.objectContaining({ code: 'PROFILE_UNKNOWN' }),
    );
  });

  test('a profile that the project names and that is gone is reported, and the next sources count', async () => {
    const place = await createPlace({ project: { 'compression.profile': 'gone', 'context-limit': 3000 } });
    const { sources, profile, missingProfile } = await settingSources({}, place);
    expect([profile, missingProfile]).toEqual([undefined, { name: 'gone', projectFile: place.file }]);
    expect(sources.map(({ origin }) => origin.kind)).toEqual(['session', 'project', 'recommended']);
    expect(explainSettings(sources, {}).find(({ key }) => key === 'context-limit')?.value).toBe(3000);
  });

  test('without a project or a profile the session, `recommended` and the defaults count', async () => {
    const { sources, profile } = await settingSources({}, await createPlace());
    expect(profile).toBeUndefined();
    expect(sources).toEqual([
      { origin: { kind: 'session' }, settings: {} },
      { origin: { kind: 'recommended' }, settings: RECOMMENDED },
    ]);
  });

  test('what no source sets is that of `recommended`, also under a profile of one setting', async () => {
    const place = await createPlace({
      project: { 'compression.density.resultCalls': 9 },
      profiles: { mine: { 'compression.density.carriedTokens': 1 } },
    });
    const of = await explained({ 'compression.profile': 'mine' }, place);
    expect(of('compression.density.carriedTokens')).toMatchObject({ value: 1, origin: { name: 'mine' } });
    expect(of('compression.density.resultCalls')).toMatchObject({ value: 9, origin: { kind: 'project' } });
    expect(of('compression.density.partialEdits')).toEqual({
      key: 'compression.density.partialEdits',
      value: 'keep-lines',
      origin: { kind: 'recommended' },
    });
  });

  test('the profile `specification` leaves nothing of `recommended`', async () => {
    const { sources } = await settingSources({ 'compression.profile': 'specification' }, await createPlace());
    const layers = sources.map(({ settings }) => settings);
    const [ephemerals, plain] = [layers, []].map((one) => createEphemerals(one, { model: 'gpt-4o' }));
    expect(ephemerals!.densityRules?.()).toBeUndefined();
    expect(ephemerals!.densityTiming?.()).toBe(plain!.densityTiming?.());
    expect(ephemerals!.compressionStrategy()).toBe(plain!.compressionStrategy());
  });
});

describe('the file of a project', () => {
  test('is the nearest one in or above a folder, not above its repository', async () => {
    const { folder, file } = await createPlace({ project: {} });
    const deep = path.join(folder, 'src', 'deep');
    mkdirSync(deep, { recursive: true });
    expect(findProjectFile(deep)).toBe(file);
    const nested = path.join(folder, 'vendor');
    mkdirSync(path.join(nested, '.git'), { recursive: true });
    expect(findProjectFile(nested)).toBeUndefined();
    writeFileSync(path.join(deep, '.density.json'), '{}');
    expect(findProjectFile(deep)).toBe(path.join(deep, '.density.json'));
  });

  test.each([
    ['text that is not JSON', '{"compression-threshold": 0.5,}', /not JSON/],
    ['a list', '[]', /Expected a JSON object/],
    ['an unknown key', { 'compression-treshold': 0.5 }, /"compression-treshold".*Did you mean `compression-threshold`/],
    ['a wrong value', { 'context-limit': 'big' }, /`context-limit`.*"big"/],
    ['a wrong profile name', { 'compression.profile': '../x' }, /`compression.profile`.*Nearest valid value: x\./],
  ])('with %s is an error that names the file', async (_what, project, message) => {
    const { file } = await createPlace({ project });
    const failure = expect.objectContaining({ code: 'SETTINGS_FILE_INVALID', message: expect.stringContaining(file) });
    await expect(readProjectFile(file)).rejects.toThrowError(failure);
    await expect(readProjectFile(file)).rejects.toThrow(message);
  });

  test('may begin with a byte order mark', async () => {
    const { file } = await createPlace({ project: '\uFEFF{"context-limit": 5000}' });
    expect(await readProjectFile(file)).toEqual({ 'context-limit': 5000 });
  });

  test('gets the profile to use, and keeps its other text', async () => {
    const { file } = await createPlace({ project: '{\n\t"context-limit":5e3\n}\n' });
    await setProjectProfile(file, 'mine');
    expect(readFileSync(file, 'utf8')).toContain('"context-limit":5e3');
    expect(await readProjectFile(file)).toEqual({ 'context-limit': 5000, 'compression.profile': 'mine' });
    await setProjectProfile(file, 'other');
    expect((await readProjectFile(file))['compression.profile']).toBe('other');
  });

  test('is created if it does not exist, and never changed if it is invalid', async () => {
    const { file } = await createPlace();
    await setProjectProfile(file, 'mine');
    expect(await readProjectFile(file)).toEqual({ 'compression.profile': 'mine' });
    writeFileSync(file, '{');
    await expect(setProjectProfile(file, 'mine')).rejects.toThrow(file);
    expect(readFileSync(file, 'utf8')).toBe('{');
  });
});
