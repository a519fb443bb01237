import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { fileBytes } from '../../src/disk/file-bytes.ts';
import type { Session } from '../../src/formats/contract.ts';
import { PlayedRegrets } from '../../src/lab/played/played-regrets.ts';
import { recommendedRun } from '../../src/lab/recommended-bill.ts';
import type { Regret } from '../../src/lab/regrets.ts';
import type { ContextMove } from '../../src/replay/context-move.ts';
import { readSession } from '../../src/sessions/read-session.ts';
import { type ChangedBlock, type ChangedEntry, reasonFor } from '../../src/strategies/changed-entries.ts';
import { blockCounter } from '../../src/tokens/entries/block-counter.ts';
import { isSampled, realSession } from '../real-sessions.ts';

const REMOVALS = path.resolve(import.meta.dirname, '../../bench/fidelity/removals.tsv');
const [, ...ROWS] = readFileSync(REMOVALS, 'utf8').trim().split('\n');

/** A removal, and what readers said: whether the text was needed later, and whether the reason is true. */
interface Removal {
  readonly file: string;
  readonly event: number;
  readonly block: number;
  readonly kind: string;
  readonly rule: string;
  /** By reader, the first one first; fewer where the others did not read it. */
  readonly needed: readonly string[];
  readonly isTrue: readonly string[];
}

const removals = ROWS.map((row): Removal => {
  const [file = '', , event, block, kind = '', rule = '', ...said] = row.split('\t');
  const [needed, isTrue] = [0, 1].map((question) => said.filter((_, at) => at % 2 === question));
  return { file, event: Number(event), block: Number(block), kind, rule, needed: needed!, isTrue: isTrue! };
});
const files = [...new Set(removals.map(({ file }) => file))];
const isNeeded = ({ needed }: Removal): boolean => needed[0] === 'yes';
const hasWrongReason = ({ isTrue }: Removal): boolean => isTrue[0] === 'no';
const readTwice = removals.filter(({ needed }) => needed.length > 1);

test('the labelled removals are as many as they must be, of all new rules, and none is there twice', () => {
  expect(removals).toHaveLength(40);
  expect(files).toHaveLength(12);
  expect(new Set(removals.map(({ file, event, block }) => [file, event, block].join())).size).toBe(40);
  const kinds = new Set(removals.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['attached', 'named-files', 'new-text', 'report', 'skill', 'thinking']);
});

test('two removals of forty were needed later, and one reason was wrong', () => {
  expect(removals.filter(isNeeded)).toHaveLength(2);
  expect(removals.filter(hasWrongReason)).toHaveLength(1);
});

test('the other readers agree with the first one on removals and their reasons', () => {
  expect(readTwice.length).toBeGreaterThanOrEqual(20);
  const isAgreed = ([first, ...others]: readonly string[]): boolean => others.every((said) => said === first);
  expect(readTwice.filter(({ needed }) => isAgreed(needed)).length).toBeGreaterThanOrEqual(0.9 * readTwice.length);
  expect(readTwice.filter(({ isTrue }) => isAgreed(isTrue)).length).toBeGreaterThanOrEqual(0.9 * readTwice.length);
});

const MODEL = 'claude-opus-5';
const countBlock = blockCounter(MODEL);

interface Played {
  readonly session: Session;
  readonly moves: readonly ContextMove[];
  readonly regrets: readonly Regret[];
}

/** A session under the profile `recommended`, with a model that does not bind thinking and a cache of five minutes. */
async function playedSession(file: string): Promise<Played> {
  const { session, format } = readSession(fileBytes(realSession(file)!));
  const tokensOf = ({ blocks }: IContent): number => blocks.reduce((sum, block) => sum + countBlock(block), 0);
  const terms = { model: MODEL, cacheMinutes: 5, constantTokens: 20_000, tokensOf };
  const moves = await recommendedRun({ session, vocabulary: format.vocabulary, ...terms }).play(session);
  return { session, moves, regrets: new PlayedRegrets(session, countBlock).under(moves) };
}

/** True if a change is that of a labelled block, which an earlier rule may have changed before. */
function isOf({ event, block }: Removal, session: Session, { before }: ChangedEntry, changed: ChangedBlock): boolean {
  const recorded = session.events[event]!;
  if (recorded.kind !== 'add') return false;
  const own = recorded.content.blocks[block]!;
  if (own.type === 'tool_response')
    return changed.block.type === 'tool_response' && changed.block.callId === own.callId;
  return before.metadata === recorded.content.metadata && changed.edits.at(-1)!.block === block;
}

/** True if later events needed what a change removed, by the detector; `undefined` if the labelled removal is not made. */
function isRegretted(removal: Removal, { session, moves, regrets }: Played): boolean | undefined {
  for (const move of moves)
    for (const entry of move.changes)
      for (const changed of entry.blocks) {
        if (reasonFor(changed).rule !== removal.rule || !isOf(removal, session, entry, changed)) continue;
        const tokens = countBlock(changed.block);
        return regrets.some((regret) => regret.removedAtTurn === move.turn && regret.tokens === tokens);
      }
  return undefined;
}

test.runIf(files.every((file) => realSession(file) !== undefined))(
  'most labelled removals are still made, none with a wrong reason, and the detector agrees with all labels but two',
  async () => {
    const played = isSampled ? files.slice(0, 4) : files;
    const labelled = removals.filter(({ file }) => played.includes(file));
    const found = new Map<Removal, boolean>();
    for (const file of played) {
      const session = await playedSession(file);
      for (const removal of labelled.filter((one) => one.file === file)) {
        const regretted = isRegretted(removal, session);
        if (regretted !== undefined) found.set(removal, regretted);
      }
    }
    // When a rule changes, some of them may not be made any more.
    expect(found.size).toBeGreaterThanOrEqual(0.75 * labelled.length);
    expect([...found.keys()].filter(hasWrongReason)).toEqual([]);
    const other = [...found].filter(([removal, regretted]) => regretted !== isNeeded(removal));
    expect(other.length).toBeLessThanOrEqual(labelled.length / 20);
  },
);
