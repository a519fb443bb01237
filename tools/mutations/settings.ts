import type { Mutation } from './mutation.ts';

/** The mutants of REQ-HD-009. */
export const SETTINGS_MUTATIONS: readonly Mutation[] = [
  {
    requirement: 'REQ-HD-009.1',
    what: 'read-write pruning is off by default',
    file: 'src/strategies/settings/phase-settings.ts',
    find: "flag: '--read-write-pruning <on|off>',\n    type: 'boolean',\n    default: true",
    replace: "flag: '--read-write-pruning <on|off>',\n    type: 'boolean',\n    default: false",
    tests: ['test/settings'],
  },
  {
    requirement: 'REQ-HD-009.2',
    what: 'profiles do not keep file dedupe',
    file: 'src/strategies/settings/phase-settings.ts',
    find: "help: 'Keep only the latest inclusion of each file.',",
    replace: "help: 'Keep only the latest inclusion of each file.',\n    persistToProfile: false,",
    tests: ['test/settings'],
  },
  {
    requirement: 'REQ-HD-009.3',
    what: 'recency pruning is on by default',
    file: 'src/strategies/settings/phase-settings.ts',
    find: "flag: '--recency-pruning <on|off>',\n    type: 'boolean',\n    default: false",
    replace: "flag: '--recency-pruning <on|off>',\n    type: 'boolean',\n    default: true",
    tests: ['test/settings'],
  },
  {
    requirement: 'REQ-HD-009.4',
    what: 'recency keeps four results by default',
    file: 'src/strategies/settings/phase-settings.ts',
    find: 'range: { isInteger: true },\n    default: 3',
    replace: 'range: { isInteger: true },\n    default: 4',
    tests: ['test/settings'],
  },
  {
    requirement: 'REQ-HD-009.5',
    what: 'one accessor answers with the setting of another',
    file: 'src/settings/resolve.ts',
    find: '() => resolveSetting(layers, key)',
    replace: "() => resolveSetting(layers, 'compression.density.fileDedupe')",
    tests: ['test/settings'],
  },
  {
    requirement: 'REQ-HD-009.6',
    what: 'a field of the ephemeral settings has another type',
    file: 'src/strategies/settings/setting-row.ts',
    find: '? number',
    replace: '? string',
    tests: ['test/settings'],
  },
];
