import type { Mutation } from './mutation.ts';

/** The mutants of the way from waiting edits to a decision. */
export const PRUNING_MUTATIONS: readonly Mutation[] = [
  {
    requirement: 'docs/economics.md#the-decision',
    what: 'a cache lifetime that is set in minutes counts in seconds',
    file: 'src/pruning/pruning-decision.ts',
    find: 'minutes * MINUTE_MS',
    replace: 'minutes * 1_000',
    tests: ['test/pruning', 'test/gate/density'],
  },
  {
    requirement: 'docs/economics.md#the-decision',
    what: 'what pruning saved counts again with every call',
    file: 'src/pruning/sent-prompts.ts',
    find: '    this.#changed = undefined;\n',
    replace: '',
    tests: ['test/pruning'],
  },
  {
    requirement: 'docs/live.md#what-it-promises',
    what: 'encrypted thinking is not bound',
    file: 'src/pruning/pruning-decision.ts',
    find: ' || block.encryptedContent !== undefined',
    replace: '',
    tests: ['test/pruning'],
  },
  {
    requirement: 'docs/strategies.md#thinking-that-is-bound',
    what: 'bound thinking is left out in the middle of a round of tools',
    file: 'src/pruning/pruning-decision.ts',
    find: "newest.every(({ speaker }) => speaker === 'human')",
    replace: "newest.some(({ speaker }) => speaker !== 'ai')",
    tests: ['test/live/dropped-thinking.test.ts'],
  },
  {
    requirement: 'docs/live.md#what-changes-and-when',
    what: 'the rules of a cold cache apply to a warm one',
    file: 'src/pruning/pruning-decision.ts',
    find: '  if (!isCacheCold(sent, lifetimeMs ?? defaultLifetimeMs(model))) return config;\n',
    replace: '  void [sent, lifetimeMs];\n',
    tests: ['test/pruning'],
  },
];
