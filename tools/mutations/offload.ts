import type { Mutation } from './mutation.ts';

/** The mutants of work on threads. */
export const OFFLOAD_MUTATIONS: readonly Mutation[] = [
  {
    requirement: 'docs/architecture.md#replicas-and-revisions',
    what: 'a replica takes a message out of sequence',
    file: 'src/offload/replica/replica.ts',
    find: ' && baseRevision === this.#revision && sequence === this.#sequence + 1',
    replace: '',
    tests: ['test/offload/replica/replica.test.ts'],
  },
  {
    requirement: 'docs/architecture.md#replicas-and-revisions',
    what: 'what waits is sent again after a snapshot',
    file: 'src/offload/transfer/delta.ts',
    find: '    this.#pending = [];\n    this.#ownResults = new WeakMap();\n',
    replace: '    this.#ownResults = new WeakMap();\n',
    tests: ['test/offload/transfer/delta.test.ts'],
  },
  {
    requirement: 'docs/architecture.md#a-lost-thread',
    what: 'a history is blamed for the thread that a neighbour lost',
    file: 'src/offload/replica-link.ts',
    find: "error.reason !== 'displaced' && ++losses > 1",
    replace: '++losses > 1',
    tests: ['test/offload/replica-link.test.ts'],
  },
  {
    requirement: 'docs/architecture.md#a-lost-thread',
    what: 'nobody is told that threads serve again',
    file: 'src/offload/degradation.ts',
    find: '    this.#listener()?.restored();\n',
    replace: '',
    tests: ['test/offload/degradation.test.ts'],
  },
  {
    requirement: 'docs/architecture.md#stale-results',
    what: 'a compression is made of entries that moved meanwhile',
    file: 'src/offload/offloaded-engine.ts',
    find: "log.structureVersion === structureVersion ? task : { kind: 'synchronise' }",
    replace: 'task',
    tests: ['test/offload/offloaded-engine.test.ts', 'test/offload/live-history.test.ts'],
  },
  {
    requirement: 'docs/architecture.md#slices',
    what: 'a part of a result names entries that are not there',
    file: 'src/offload/reply-check.ts',
    find: 'keepFrom <= keepTo && keepTo <= length;',
    replace: 'keepFrom <= keepTo;',
    tests: ['test/offload/reply-check.test.ts'],
  },
];
