import type { BilledFile } from '../../../lab/files/billed-file.ts';

/** False for a call of a sub-agent that an earlier file has too: a session that continues another one copies it. */
export function firstOfCopies(): (call: BilledFile['calls'][number]) => boolean {
  const known = new Set<string>();
  return (call) => {
    if (!('answerId' in call)) return true;
    const isNew = !known.has(call.answerId);
    known.add(call.answerId);
    return isNew;
  };
}
