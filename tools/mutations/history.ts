import type { Mutation } from './mutation.ts';

/** The mutants of REQ-HD-003. */
export const HISTORY_MUTATIONS: readonly Mutation[] = [
  {
    requirement: 'REQ-HD-003.1',
    what: 'a result is validated and not applied',
    file: 'src/history/edits/density-edits.ts',
    find: 'ledger.announce(log.edit(result, created));',
    replace: 'void created;',
    tests: ['test/history'],
  },
  {
    requirement: 'REQ-HD-003.2',
    what: 'replacements are put where removals left room',
    file: 'src/history/entries/entry-log.ts',
    find: '      this.entries[index] = slot.content;\n',
    replace: '      this.entries[Math.max(0, index - result.removals.length)] = slot.content;\n',
    tests: ['test/history'],
  },
  {
    requirement: 'REQ-HD-003.3',
    what: 'a removal shifts the ones after it',
    file: 'src/history/apply.ts',
    find: 'if (removed[index] !== 0) continue;',
    replace: 'if (removed[kept] !== 0) continue;',
    tests: ['test/history'],
  },
  {
    requirement: 'REQ-HD-003.4',
    what: 'totals are not recounted after an apply',
    file: 'src/history/entries/entry-log.ts',
    find: '    this.totals.setPresent(old, false);\n',
    replace: '',
    tests: ['test/history'],
  },
  {
    requirement: 'REQ-HD-003.5',
    what: 'the raw history is a copy',
    file: 'src/history/history.ts',
    find: '  getRawHistory(): readonly IContent[] {\n    return this.parts.log.entries;',
    replace: '  getRawHistory(): readonly IContent[] {\n    return [...this.parts.log.entries];',
    tests: ['test/history'],
  },
  {
    requirement: 'REQ-HD-003.6',
    what: 'a recalculation uses kept counts',
    file: 'src/history/tokens/token-ledger.ts',
    find: '{ model, fresh: true }',
    replace: '{ model, fresh: false }',
    tests: ['test/history'],
  },
];
