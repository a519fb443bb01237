import { describe, expect, test } from 'vitest';
import type { CompactOptions } from '../../src/compaction/contract.ts';
import { compactSettings } from '../../src/compaction/settings.ts';

describe('settings of a compaction (4.3)', () => {
  test('every setting has a default (F-002, F-004.4, F-005.5, F-005.6, F-007, F-008)', () => {
    expect(compactSettings({}, {})).toEqual({
      contextTokenLimit: 200_000,
      compactThresholdRatio: 0.92,
      summaryModel: 'claude-haiku-4-5-20251001',
      summaryMaxWords: 1_200,
      maxRetries: 2,
      outputDir: '.compact',
      sessionId: 'default',
      maxRestoreFiles: 5,
      maxRestoreTokensPerFile: 5_000,
      maxRestoreTokensTotal: 50_000,
      workDir: process.cwd(),
      deadlineMs: 30_000,
      callDeadlineMs: 30_000,
    });
  });

  const ENVIRONMENT = {
    CONTEXT_TOKEN_LIMIT: '100000',
    COMPACT_THRESHOLD_RATIO: '0.5',
    SUMMARY_MODEL: 'claude-sonnet-4-5',
    COMPACT_MAX_RETRIES: '0',
    COMPACT_OUTPUT_DIR: '/var/compact',
    SUMMARY_MAX_WORDS: '800',
    MAX_RESTORE_FILES: '0',
    MAX_RESTORE_TOKENS_PER_FILE: '10',
    MAX_RESTORE_TOKENS_TOTAL: ' 20 ',
  };

  test('the environment overrides the defaults (F-002, 4.3)', () => {
    expect(compactSettings({}, ENVIRONMENT)).toMatchObject({
      contextTokenLimit: 100_000,
      compactThresholdRatio: 0.5,
      summaryModel: 'claude-sonnet-4-5',
      maxRetries: 0,
      outputDir: '/var/compact',
      summaryMaxWords: 800,
      maxRestoreFiles: 0,
      maxRestoreTokensPerFile: 10,
      maxRestoreTokensTotal: 20,
    });
  });

  test('options override the environment, and an undefined option counts as absent (4.3)', () => {
    const options = { contextTokenLimit: 1, summaryModel: 'claude-opus-4-5', maxRetries: 7 };
    expect(compactSettings(options, ENVIRONMENT)).toMatchObject({ ...options, compactThresholdRatio: 0.5 });
    const absent: Record<string, unknown> = { contextTokenLimit: undefined };
    expect(compactSettings(absent, ENVIRONMENT).contextTokenLimit).toBe(100_000);
  });

  test('an empty variable is none (4.3)', () => {
    expect(compactSettings({}, { CONTEXT_TOKEN_LIMIT: ' ', SUMMARY_MODEL: '' })).toEqual(compactSettings({}, {}));
  });

  test.each<[keyof CompactOptions, unknown]>([
    ['contextTokenLimit', 0],
    ['contextTokenLimit', '200000'],
    ['compactThresholdRatio', 1.2],
    ['compactThresholdRatio', 0],
    ['maxRetries', -1],
    ['maxRetries', 1.5],
    ['maxRestoreFiles', Number.NaN],
    ['maxRestoreTokensTotal', -1],
    ['deadlineMs', 0],
    ['callDeadlineMs', Number.POSITIVE_INFINITY],
    ['outputDir', ''],
    ['workDir', 'a\0b'],
    ['sessionId', 5],
  ])('`%s: %s` is refused with the option, the rule and the value', (key, value) => {
    const options: Record<string, unknown> = { [key]: value };
    expect(() => compactSettings(options, {})).toThrow(expect.objectContaining({ code: 'SETTING_INVALID' }));
    expect(() => compactSettings(options, {})).toThrow(new RegExp(`Expected the option \`${key}\` to be .*, got`));
  });

  test('a variable that is wrong is named', () => {
    expect(() => compactSettings({}, { MAX_RESTORE_FILES: 'many' })).toThrow(
      'Expected MAX_RESTORE_FILES in the environment to be a number of at least 0, got `"many"`.',
    );
  });

  test('`tailRetentionRatio` is a type error, and at run time a message that says what to do (4.4, F-003.3)', () => {
    // @ts-expect-error the option of the first version does not exist
    const typed: CompactOptions = { tailRetentionRatio: 0.2 };
    expect(() => compactSettings(typed, {})).toThrow(expect.objectContaining({ code: 'SETTING_UNKNOWN' }));
    expect(() => compactSettings(typed, {})).toThrow(/tailRetentionRatio.*Remove it/);
  });

  test('a name that is not an option is refused with the one that was meant; every name of an option is known', () => {
    // @ts-expect-error a misspelt option does not exist
    const misspelt: CompactOptions = { contextTokenLimt: 100_000 };
    expect(() => compactSettings(misspelt, {})).toThrow(expect.objectContaining({ code: 'SETTING_UNKNOWN' }));
    expect(() => compactSettings(misspelt, {})).toThrow('`contextTokenLimt`. Did you mean `contextTokenLimit`?');
    const all: Record<keyof CompactOptions, undefined> = {
      contextTokenLimit: undefined,
      compactThresholdRatio: undefined,
      summaryModel: undefined,
      summaryMaxWords: undefined,
      maxRetries: undefined,
      outputDir: undefined,
      sessionId: undefined,
      maxRestoreFiles: undefined,
      maxRestoreTokensPerFile: undefined,
      maxRestoreTokensTotal: undefined,
      workDir: undefined,
      llmClient: undefined,
      fileWriter: undefined,
      fileReader: undefined,
      logger: undefined,
      signal: undefined,
      readTools: undefined,
      deadlineMs: undefined,
      callDeadlineMs: undefined,
    };
    // @ts-expect-error given as undefined they are not typed, and at run time they are as good as absent
    expect(compactSettings(all, {})).toEqual(compactSettings({}, {}));
  });
});
