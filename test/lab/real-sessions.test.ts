import { expect, test } from 'vitest';
import { compareFile } from '../../src/lab/compared-file.ts';
import { type ComparedProfile, DEFAULT_PROFILES } from '../../src/lab/policy.ts';
import { haveRealSessions, sessionsOfEveryFormat } from '../real-sessions.ts';

const TIGHT: ComparedProfile = {
  name: 'tight',
  settings: { 'context-limit': 20_000, 'compression.density.recencyPruning': true },
};

// A file without tests is an error to vitest: the absence is a test that is skipped.
test.runIf(haveRealSessions).each(haveRealSessions ? sessionsOfEveryFormat() : ['absent'])(
  'no policy makes a provider refuse what it would not refuse as recorded: %s',
  async (file) => {
    const { outcomes } = await compareFile({ path: file, policies: [...DEFAULT_PROFILES, TIGHT] });
    expect(
      outcomes.flatMap(({ policy, lintFindings }) => lintFindings.map((finding) => ({ policy, ...finding }))),
    ).toEqual([]);
    expect(outcomes[0]!.regrets).toEqual([]);
  },
);
