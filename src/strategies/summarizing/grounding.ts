import { groupBy } from '../../content/group-by.ts';
import type { Claim } from './claims.ts';

const UNVERIFIED = '(unverified)';

export interface MendedSnapshot {
  readonly text: string;
  /** Lines without support that are marked, and user quotations without support that are gone. */
  readonly marked: number;
  readonly struck: number;
}

/**
 * A snapshot in which no unsupported claim passes for a fact: invented user quotations are struck with their line,
 * other lines are marked, since a plan may name a file that does not exist yet.
 */
export function mendSnapshot(snapshot: string, unsupported: readonly Claim[]): MendedSnapshot {
  const byLine = groupBy(unsupported, ({ line }) => line);
  let marked = 0;
  let struck = 0;
  const lines = snapshot.split('\n').flatMap((line, at) => {
    const claims = byLine.get(at);
    if (claims === undefined) return [line];
    if (claims.some(({ kind }) => kind === 'quotation')) {
      struck++;
      // Tags on the line belong to the section, not to the quotation.
      const tags = line.match(/<\/?[a-z_]+>/g);
      return tags === null ? [] : [tags.join('')];
    }
    if (line.includes(UNVERIFIED)) return [line];
    marked++;
    return [line.replace(/\s*((?:<\/[a-z_]+>\s*)*)$/, ` ${UNVERIFIED}$1`)];
  });
  return { text: lines.join('\n'), marked, struck };
}

/** What a model is told of the claims that its snapshot makes and the conversation does not. */
export function groundingRequest(snapshot: string, unsupported: readonly Claim[]): string {
  const list = unsupported.map(({ kind, text }) => `- ${kind}: ${text}`).join('\n');
  return `Your snapshot was:

<state_snapshot>
${snapshot}
</state_snapshot>

These parts of it do not stand in the conversation:
<unsupported>
${list}
</unsupported>

Write the whole snapshot again. Replace each of them by what the conversation really says, or leave it out; keep everything else as it is. A file that is only planned may stay where the text says that it does not exist yet.`;
}
