import type { Mutation } from './mutation.ts';

/** The mutants of what keeps markers out of files. */
export const GUARD_MUTATIONS: readonly Mutation[] = [
  {
    requirement: 'docs/proxy.md#a-marker-is-not-written-into-a-file',
    what: 'a call that another session was refused runs at once',
    file: 'src/guard/guard-log.ts',
    find: 'one.call === now.call && one.session === now.session',
    replace: 'one.call === now.call',
    tests: ['test/guard', 'test/proxy/guard-server.test.ts'],
  },
  {
    requirement: 'docs/proxy.md#a-marker-is-not-written-into-a-file',
    what: 'a refusal has a marker that can be copied',
    file: 'src/guard/refusal.ts',
    find: 'export const refusalOf = (copy: CopiedMarker): string =>\n',
    replace: 'export const refusalOf = (copy: CopiedMarker): string =>\n  copy.marker +\n',
    tests: ['test/guard', 'test/proxy/guard-server.test.ts'],
  },
  {
    requirement: 'docs/live.md#a-marker-that-a-model-copies',
    what: 'a copy with other numbers is none',
    file: 'src/guard/sent-marker.ts',
    find: "\n    .replace(/\\d+/g, '0')",
    replace: '',
    tests: ['test/guard/copied-marker.test.ts'],
  },
  {
    requirement: 'docs/live.md#a-marker-that-a-model-copies',
    what: 'a marker that the model itself said is no copy',
    file: 'src/guard/copy-in.ts',
    find: "speaker === 'human' ? own.flatMap",
    replace: "speaker !== 'tool' ? own.flatMap",
    tests: ['test/guard/copied-marker.test.ts'],
  },
  {
    requirement: 'docs/proxy.md#what-is-kept',
    what: 'the log of copied markers has keys in its names',
    file: 'src/guard/guard-log.ts',
    find: 'standsFor: new Redactor().label(call.standsFor)',
    replace: 'standsFor: call.standsFor',
    tests: ['test/guard/guard-log.test.ts'],
  },
];
