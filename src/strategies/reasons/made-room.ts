import type { ReasonRow } from './reason-row.ts';

/** A strategy without reasons, or the last resort, replaced the block by a shorter one or removed it. */
export interface MadeRoom {
  readonly rule: 'summarised' | 'dropped';
  readonly strategy: string;
}

export const MADE_ROOM = {
  summarised: {
    counter: { name: 'summarised', what: 'results shortened', one: 'result', many: 'results', badge: 'shortened' },
    certificate: { what: 'replaced by a summary', page: 'summarised', terminal: 'summarised' },
    sentence: ({ strategy }) => `shortened by ${strategy} to make room`,
  },
  dropped: {
    counter: { name: 'dropped', what: 'oldest entries dropped', one: 'entry', many: 'entries', badge: 'dropped' },
    certificate: { what: 'dropped to reach the target', page: 'dropped', terminal: 'dropped' },
    sentence: ({ strategy }) => `dropped by ${strategy} to make room`,
  },
} as const satisfies Record<MadeRoom['rule'], ReasonRow<MadeRoom>>;
