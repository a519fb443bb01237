import { blockTexts } from '../../content/block-text.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import type { Claim } from './claims.ts';

/** Characters compared with claims between two turns of the event loop: about a millisecond of work. */
const SLICE_UNITS = 1_000_000;

interface Search {
  readonly kind: Claim['kind'];
  /** The claims with this text, one per line. */
  readonly claims: readonly Claim[];
  /** Spellings; one of them must be found; a quotation with gaps is searched part by part. */
  readonly needles: readonly (readonly string[])[];
}

/**
 * The claims that nothing in `history` and `more` supports. A path may be relative to the workspace or absolute. A
 * quotation must be a person's words; case, spacing and kind of quotation marks do not matter. `pause` yields to the event
 * loop. Linear in the history for each unsupported claim.
 */
export async function unsupportedClaims(
  claims: readonly Claim[],
  {
    history,
    more,
    workspaceRoot,
    pause,
  }: { history: readonly IContent[]; more: readonly string[]; workspaceRoot: string; pause: () => Promise<void> },
): Promise<Claim[]> {
  let open = searchesOf(claims, workspaceRoot);
  let units = 0;
  const search = async (text: string, isHuman: boolean): Promise<void> => {
    const words = isHuman && open.some(({ kind }) => kind === 'quotation') ? plain(text) : undefined;
    const left: Search[] = [];
    for (const one of open) {
      const where = one.kind === 'quotation' ? words : text;
      const rest = where === undefined ? one.needles : one.needles.filter((spellings) => !hasOne(where, spellings));
      if (rest.length > 0) left.push(rest.length === one.needles.length ? one : { ...one, needles: rest });
    }
    units += text.length * open.length;
    open = left;
    if (units < SLICE_UNITS) return;
    units = 0;
    await pause();
  };
  for (const text of more) await search(text, true);
  for (const { blocks, speaker } of history) {
    for (const block of blocks) {
      if (open.length === 0) return [];
      for (const text of textsOf(block)) await search(text, speaker === 'human');
    }
  }
  return open.flatMap((one) => one.claims).sort((left, right) => left.line - right.line);
}

function searchesOf(claims: readonly Claim[], workspaceRoot: string): Search[] {
  const same = groupBy(claims, ({ kind, text }) => `${kind} ${text}`);
  return [...same.values()].map((alike) => ({
    kind: alike[0]!.kind,
    claims: alike,
    needles: needlesOf(alike[0]!, workspaceRoot),
  }));
}

const hasOne = (text: string, spellings: readonly string[]): boolean =>
  spellings.some((spelling) => text.includes(spelling));

function needlesOf({ kind, text }: Claim, workspaceRoot: string): string[][] {
  if (kind === 'quotation') {
    const parts = text
      .split(/…|\.{3}|\[[^[\]]*\]/)
      .map((part) => plain(part).replace(/^[\s.,;:!?]+|(?<![\s.,;:!?])[\s.,;:!?]+$/g, ''));
    return parts.filter((part) => part !== '').map((part) => [part]);
  }
  if (kind === 'command') return [[text]];
  const bare = text.replace(/^(?:\.[\\/]){1,1000}/, '').replace(/:\d+(?:[-:]\d+)?$/, '');
  const inside = bare.startsWith(`${workspaceRoot}/`) ? bare.slice(workspaceRoot.length + 1) : bare;
  return [[...new Set([bare, inside, inside.replaceAll('\\', '/'), inside.replaceAll('/', '\\')])]];
}

/** The words in lower case, with single spaces and straight quotation marks. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[“”«»„]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ');
}

/** Every text in a block, without JSON escapes. */
function textsOf(block: ContentBlock): readonly string[] {
  if (block.type !== 'media') return blockTexts(block);
  return [block.filename ?? '', block.caption ?? '', block.encoding === 'url' ? block.data : ''];
}
