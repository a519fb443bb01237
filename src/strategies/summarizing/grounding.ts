import { groupBy } from '../../content/group-by.ts';
import type { Claim } from './claims.ts';

const UNVERIFIED = '(unverified)';

export interface MendedSnapshot {
  readonly text: string;
  /** Numbers of unsupported lines with a warning, and of removed unsupported user quotations. */
  readonly marked: number;
  readonly struck: number;
}

/**
 * The snapshot with each unsupported claim handled: the line of an invented user quotation is removed. Other lines get a
 * warning only, because a plan may name a file that does not exist yet.
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
    return [withWarning(line)];
  });
  return { text: lines.join('\n'), marked, struck };
}

/** The line with a warning before the tags at its end. */
function withWarning(line: string): string {
  const parts = line.match(/<\/[a-z_]+>\s*|[^<]+|</g) ?? [];
  const end = parts.findLastIndex((part) => !part.startsWith('</')) + 1;
  return `${parts.slice(0, end).join('').trimEnd()} ${UNVERIFIED}${parts.slice(end).join('')}`;
}

/** A request to correct the claims of a snapshot that the conversation does not support. */
export function groundingRequest(snapshot: string, unsupported: readonly Claim[]): string {
  const list = unsupported.map(({ kind, text }) => `- ${kind}: ${text}`).join('\n');
  return `Your snapshot was:

<state_snapshot>
${snapshot}
</state_snapshot>

The conversation does not contain these parts of it:
<unsupported>
${list}
</unsupported>

Write the whole snapshot again. Replace each of them by what the conversation really says, or leave it out. Keep everything else unchanged. You may keep a file that is only planned if the text says that it does not exist yet.`;
}
