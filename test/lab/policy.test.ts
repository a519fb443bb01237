import { describe, expect, test } from 'vitest';
import { DEFAULT_PROFILES, NO_PRUNING, parseProfiles } from '../../src/lab/policy.ts';
import { parseSettings } from '../../src/settings/parse.ts';

describe('policies', () => {
  test('are settings by name, with the unpruned one in front', () => {
    const text = '{"mine": {"compression.density.quietCalls": 4}, "plain": {}}';
    expect(parseProfiles(text, 'p.json')).toEqual([
      NO_PRUNING,
      { name: 'mine', settings: { 'compression.density.quietCalls': 4 } },
      { name: 'plain', settings: {} },
    ]);
    expect(parseProfiles('{"no-pruning": {}}', 'p.json')).toEqual([NO_PRUNING]);
  });

  test.each([
    ['no JSON', 'quiet: 3', 'no JSON'],
    ['a list', '[]', 'at least one profile'],
    ['no policy', '{}', 'at least one profile'],
    ['a policy that is no object', '{"mine": 3}', '"mine"'],
    ['a setting that is unknown', '{"mine": {"quietCalls": 3}}', 'compression.density.quietCalls'],
    ['a value that is wrong', '{"mine": {"compression.density.quietCalls": -1}}', 'at least 0'],
  ])('refuses %s and names the file', (_what, text, message) => {
    const parse = () => parseProfiles(text, 'p.json');
    expect(parse).toThrow(message);
    expect(parse).toThrow('p.json');
    expect(parse).toThrow(expect.objectContaining({ code: 'SETTINGS_FILE_INVALID' }));
  });

  test('the usual ones have names of their own and settings that are allowed', () => {
    expect(new Set(DEFAULT_PROFILES.map(({ name }) => name)).size).toBe(DEFAULT_PROFILES.length);
    for (const { settings } of DEFAULT_PROFILES) expect(parseSettings({ ...settings })).toEqual(settings);
  });
});
