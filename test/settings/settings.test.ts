import { describe, expect, test } from 'vitest';
import { BlockArchive } from '../../src/disk/block-archive.ts';
import { nearestName } from '../../src/settings/nearest-name.ts';
import { checkSetting, parseSettings, parseSettingText, settingRow } from '../../src/settings/parse.ts';
import { SETTINGS_REGISTRY, type SettingKey } from '../../src/settings/registry.ts';
import { createEphemerals, resolveSetting } from '../../src/settings/resolve.ts';
import { COMPRESSION_STRATEGIES } from '../../src/strategies/contract.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { contextLimitOfModel } from '../../src/tokens/models.ts';

const MODEL = { model: 'gpt-4o' };

describe('the registry', () => {
  test.each([
    ['REQ-HD-009.1', 'compression.density.readWritePruning', 'boolean', true],
    ['REQ-HD-009.2', 'compression.density.fileDedupe', 'boolean', true],
    ['REQ-HD-009.3, REQ-HD-007.5, BR-RECENCY-004', 'compression.density.recencyPruning', 'boolean', false],
    ['REQ-HD-009.4, REQ-HD-007.4', 'compression.density.recencyRetention', 'number', 3],
  ])('(%s) has %s as a persisted %s with default %s', (_id, key, type, standard) => {
    expect(settingRow(key)).toMatchObject({
      type,
      default: standard,
      category: 'cli-behavior',
      persistToProfile: true,
    });
  });

  test('has the limits that an archive has without settings', () => {
    const { mostBytes, keepDays } = new BlockArchive('archive').limits;
    expect([mostBytes / 1e6, keepDays]).toEqual([
      settingRow('compression.density.archiveMegabytes').default,
      settingRow('compression.density.archiveDays').default,
    ]);
  });

  test('offers every registered strategy and no other (REQ-HD-004.4)', () => {
    expect(settingRow('compression.strategy')).toMatchObject({ enumValues: [...COMPRESSION_STRATEGIES] });
    expect(checkSetting('compression.strategy', 'high-density')).toBe('high-density');
  });

  test('has a row for the engine, with threads as the default, and one for the profile, which is not persisted', () => {
    expect(settingRow('compression.engine')).toMatchObject({
      enumValues: ['offloaded', 'inline'],
      default: 'offloaded',
      persistToProfile: true,
    });
    expect(settingRow('compression.profile')).toMatchObject({ type: 'text', persistToProfile: false });
    expect(SETTINGS_REGISTRY.every(({ category }) => category === 'cli-behavior')).toBe(true);
  });

  test('has each key once, with a help text and a default that passes its own check', () => {
    expect(new Set(SETTINGS_REGISTRY.map(({ key }) => key)).size).toBe(SETTINGS_REGISTRY.length);
    for (const row of SETTINGS_REGISTRY) {
      expect(row.help).toMatch(/^[A-Z].*\.$/);
      if (row.default !== undefined) expect(checkSetting(row.key, row.default)).toBe(row.default);
    }
  });

  test('has no default threshold (docs/readings.md, row 1)', () => {
    expect(settingRow('compression-threshold').default).toBeUndefined();
    expect(settingRow('compression-preserve-threshold').default).toBe(0.2);
  });
});

describe('values', () => {
  test.each([
    ['0.5', 0.5],
    [' 3 ', 3],
    ['true', true],
    ['false', false],
    ['"high-density"', 'high-density'],
    ['{"a":1}', { a: 1 }],
    ['high-density', 'high-density'],
    ['', ''],
    ['NaN', 'NaN'],
  ])('the text %j is read as %j', (text, value) => {
    expect(parseSettingText(text)).toEqual(value);
  });

  test.each<[SettingKey, unknown, string, string]>([
    ['compression-threshold', 1.4, 'a number above 0 and at most 1', '1'],
    ['compression-threshold', 0, 'a number above 0 and at most 1', '0.01'],
    ['compression-preserve-threshold', -1, 'a number of at least 0 and at most 1', '0'],
    ['compression-preserve-threshold', 'much', 'a number of at least 0 and at most 1', '0.2'],
    ['context-limit', 0, 'a whole number of at least 1', '1'],
    ['context-limit', 1000.4, 'a whole number of at least 1', '1000'],
    ['compression.density.recencyRetention', 2.5, 'a whole number', '3'],
    ['compression.density.recencyRetention', Number.NaN, 'a whole number', '3'],
    ['compression.density.fileDedupe', 'yes', '`true` or `false`', 'true'],
    ['compression.strategy', 'hi-density', 'one of', 'high-density'],
    ['compression.strategy', null, 'one of', ''],
    ['compression.engine', 'threads', 'one of offloaded, inline', 'offloaded'],
    ['compression.profile', '../../my file', 'the name of a profile', 'my-file'],
    ['compression.profile', 7, 'the name of a profile', '7'],
    ['compression.profile', '', 'the name of a profile', 'my-profile'],
  ])('%s rejects %j and names key, rule, value and the nearest valid value', (key, value, rule, nearest) => {
    expect(() => checkSetting(key, value)).toThrowError(
      expect.objectContaining({ code: 'SETTING_INVALID', message: expect.stringContaining(`\`${key}\``) }),
    );
    expect(() => checkSetting(key, value)).toThrow(rule);
    expect(() => checkSetting(key, value)).toThrow(`Nearest valid value: ${nearest}`);
  });

  test.each([1, 0, -5])('(docs/readings.md, row 31, EC-031) recencyRetention accepts the integer %d', (value) => {
    expect(checkSetting('compression.density.recencyRetention', value)).toBe(value);
  });

  test('an unknown key is rejected, with the nearest one in the message', () => {
    expect(() => settingRow('compression-treshold')).toThrowError(
      expect.objectContaining({
        code: 'SETTING_UNKNOWN',
        message: expect.stringContaining('Did you mean `compression-threshold`?'),
      }),
    );
    expect(() => parseSettings({ fileDedupe: true })).toThrow('compression.density.fileDedupe');
  });

  test('a record is checked key by key, without undefined values', () => {
    const record = { 'compression-threshold': 0.5, 'context-limit': undefined };
    expect(parseSettings(record)).toEqual({ 'compression-threshold': 0.5 });
    expect(() => parseSettings({ 'compression-threshold': 2 })).toThrow('compression-threshold');
  });

  test('the nearest name is the one with the fewest edits', () => {
    expect(nearestName('topdown', COMPRESSION_STRATEGIES)).toBe('top-down-truncation');
    expect(nearestName('HIGH-DENSITI', COMPRESSION_STRATEGIES)).toBe('high-density');
  });
});

describe('resolution', () => {
  test('the first layer that has a value wins, then the default (REQ-HD-001.10, BR-THRESH-001)', () => {
    const layers = [{}, { 'compression-threshold': 0.6 }, { 'compression-threshold': 0.7 }];
    expect(resolveSetting(layers, 'compression-threshold')).toBe(0.6);
    expect(resolveSetting(layers, 'compression.density.recencyRetention')).toBe(3);
    expect(resolveSetting([{ 'compression.density.fileDedupe': false }], 'compression.density.fileDedupe')).toBe(false);
  });

  test('without a setting the threshold is the strategy’s own default (REQ-HD-001.10, BR-THRESH-001; docs/readings.md, row 1)', () => {
    for (const strategy of COMPRESSION_STRATEGIES) {
      const ephemerals = createEphemerals([{ 'compression.strategy': strategy }], MODEL);
      const { defaultThreshold } = getCompressionStrategy(strategy).trigger;
      expect(ephemerals.compressionThreshold()).toBe(defaultThreshold);
    }
  });

  test('the ephemeral threshold overrides the strategy’s default and is read at every call (REQ-HD-001.10, BR-THRESH-001)', () => {
    const session: { 'compression-threshold'?: number } = {};
    const ephemerals = createEphemerals([session], MODEL);
    expect(ephemerals.compressionThreshold()).toBe(0.85);
    session['compression-threshold'] = 0.5;
    expect(ephemerals.compressionThreshold()).toBe(0.5);
    delete session['compression-threshold'];
    expect(ephemerals.compressionThreshold()).toBe(0.85);
  });

  test('the context limit is the model’s unless it is set', () => {
    expect(createEphemerals([{}], MODEL).contextLimit()).toBe(contextLimitOfModel('gpt-4o'));
    expect(createEphemerals([{ 'context-limit': 5000 }], MODEL).contextLimit()).toBe(5000);
  });

  test('a profile of settings is not handed to a host as the profile of its provider (docs/readings.md, row 42)', () => {
    expect(createEphemerals([{ 'compression.profile': 'mine' }], MODEL).compressionProfile?.()).toBeUndefined();
  });

  test('the accessors return the density settings (REQ-HD-009.5)', () => {
    const defaults = createEphemerals([{}], MODEL);
    expect([
      defaults.densityReadWritePruning(),
      defaults.densityFileDedupe(),
      defaults.densityRecencyPruning(),
      defaults.densityRecencyRetention(),
    ]).toEqual([true, true, false, 3]);
    const chosen = createEphemerals(
      [
        {
          'compression.density.readWritePruning': false,
          'compression.density.fileDedupe': false,
          'compression.density.recencyPruning': true,
          'compression.density.recencyRetention': 7,
          'compression-preserve-threshold': 0.4,
        },
      ],
      MODEL,
    );
    expect([
      chosen.densityReadWritePruning(),
      chosen.densityFileDedupe(),
      chosen.densityRecencyPruning(),
      chosen.densityRecencyRetention(),
      chosen.preserveThreshold(),
    ]).toEqual([false, false, true, 7, 0.4]);
  });
});
