import { createHash } from 'node:crypto';
import type { IContent } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import type { Session } from '../../formats/contract.ts';
import type { Need, NeedKind } from '../../needs/need.ts';
import { needsOf } from '../../needs/needs.ts';
import { SessionIndex } from '../../needs/session-index.ts';
import { TextSearch } from '../../needs/text-search.ts';
import { type ChangedEntry, compressedEntries } from '../../strategies/changed-entries.ts';
import { recordOf } from '../../strategies/reasons/edit-reason.ts';
import type { CountBlock } from '../../tokens/entries/block-counter.ts';
import { playedEvents } from '../played-events.ts';
import { type Regret, RegretLedger } from '../regrets.ts';

export const NEED_KINDS: readonly NeedKind[] = ['edit', 'rerun', 'quotation', 'name'];

/** What a cut removed, and what later events needed of it. */
export interface CutLosses {
  /** Tokens of removed text as we count them, without those of what replaced it in its place. */
  readonly removedTokens: number;
  /**
   * How the model can know what was removed: from a summary that is recorded, from one that is recorded encrypted, or
   * from what is left.
   */
  readonly summary: 'text' | 'encrypted' | 'none';
  /** Blocks of later events, up to the next cut, that use text from before this event, removed or not. */
  readonly uses: Readonly<Record<NeedKind, number>>;
  /** Later events that needed the removed text when no visible copy was left. */
  readonly regrets: readonly Regret[];
  /** Equal for the same cut in a copy of the session. */
  readonly digest: string;
}

/**
 * The losses of each cut of a session that has something before it, by its event. Needs are those of the session as if
 * nothing had been cut, because in the recorded one removed text is no longer there to be found. Linear, as `needsOf`.
 */
export function cutLosses(session: Session, countBlock: CountBlock): ReadonlyMap<number, CutLosses> {
  const uncut = withoutCuts(session);
  const places = new SessionIndex(uncut);
  const byEvent = groupBy(needsOf(uncut, places), ({ event }) => event);
  const ledger = new RegretLedger({ places, texts: new TextSearch(places), countBlock });
  const cuts: Cut[] = [];
  let turn = 1;
  for (const { at: event, event: played, recorded } of playedEvents(session)) {
    if (played.kind === 'replace') {
      const changes = played.by === undefined ? [] : compressedEntries(recorded, played.contents, played.by.kind);
      ledger.move({ kind: 'rebuilt', event, turn, changes, after: played.contents });
      if (played.by !== undefined && recorded.length > 0)
        cuts.push({
          event,
          turn,
          changes,
          digest: digestOf(recorded),
          summary: summaryIn(played.contents, recorded),
          uses: noUses(),
        });
      continue;
    }
    const needs = byEvent.get(event) ?? [];
    ledger.check(needs);
    const cut = cuts.at(-1);
    if (cut !== undefined) addUses(cut.uses, needs);
    ledger.add(played.content);
    if (played.content.speaker === 'ai') turn++;
  }
  // A later cut before the same model call removed what an earlier one had left.
  const lastOfTurn = new Map(cuts.map(({ turn: cutTurn, event }) => [cutTurn, event]));
  const regrets = groupBy(ledger.regrets, ({ removedAtTurn }) => lastOfTurn.get(removedAtTurn));
  return new Map(
    cuts.map(({ event, changes, digest, summary, uses }) => [
      event,
      { removedTokens: removedTokens(changes, countBlock), summary, uses, regrets: regrets.get(event) ?? [], digest },
    ]),
  );
}

interface Cut extends Pick<CutLosses, 'digest' | 'summary'> {
  readonly event: number;
  readonly turn: number;
  readonly changes: readonly ChangedEntry[];
  readonly uses: Record<NeedKind, number>;
}

const noUses = (): Record<NeedKind, number> => recordOf(NEED_KINDS, () => 0);

function addUses(uses: Record<NeedKind, number>, needs: readonly Need[]): void {
  for (const kind of NEED_KINDS)
    uses[kind] += new Set(needs.filter((need) => need.kind === kind).map(({ block }) => block)).size;
}

/** The session with every cut replaced by an event that keeps what was there and adds what is new. */
function withoutCuts({ events }: Session): { readonly events: readonly SessionEvent[] } {
  let entries: IContent[] = [];
  return {
    events: events.map((event): SessionEvent => {
      if (event.kind === 'add') {
        entries.push(event.content);
        return event;
      }
      const known = new Set(entries);
      const fresh = event.contents.filter((entry) => !known.has(entry));
      entries = event.by === undefined ? [...event.contents] : [...entries, ...fresh];
      return { kind: 'replace', contents: [...entries] };
    }),
  };
}

function removedTokens(changes: readonly ChangedEntry[], countBlock: CountBlock): number {
  let tokens = 0;
  for (const { block, replacement } of changes.flatMap(({ blocks }) => blocks))
    tokens += countBlock(block) - (replacement === undefined ? 0 : countBlock(replacement));
  return tokens;
}

function summaryIn(after: readonly IContent[], before: readonly IContent[]): CutLosses['summary'] {
  const known = new Set(before);
  const blocks = after
    .filter((entry) => entry.metadata?.isSummary && !known.has(entry))
    .flatMap((entry) => entry.blocks);
  if (blocks.some(({ type }) => type === 'text')) return 'text';
  return blocks.length > 0 ? 'encrypted' : 'none';
}

const digestOf = (entries: readonly IContent[]): string =>
  createHash('sha256')
    .update(JSON.stringify(entries.map(({ blocks }) => blocks)))
    .digest('hex')
    .slice(0, 16);
