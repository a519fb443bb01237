import { describe, expect, test } from 'vitest';
import { type IContent, paidUsage } from '../../../src/content/content.ts';
import { fileBytes } from '../../../src/disk/file-bytes.ts';
import { claudeCode } from '../../../src/formats/claude-code/claude-code.ts';
import { type Line, liveHistory, type Session, type SessionFormat } from '../../../src/formats/contract.ts';
import { highDensity } from '../../../src/formats/high-density/high-density.ts';
import { decode, joinLines, linesOf } from '../../../src/formats/lines/lines.ts';
import { recordedCalls } from '../../../src/lab/recorded-bill.ts';
import { makeSmaller } from '../../../src/replay/smaller.ts';
import { contextSize } from '../../../src/sessions/context-size.ts';
import { readSession } from '../../../src/sessions/read-session.ts';
import { rewritten } from '../../../src/sessions/rewritten.ts';
import { RECOMMENDED } from '../../../src/settings/recommended.ts';
import { createEphemerals } from '../../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../../src/strategies/index.ts';
import { entryCounter } from '../../../src/tokens/entries/block-counter.ts';
import { EDITED } from '../../e2e/density.ts';
import { realSessions } from '../../real-sessions.ts';

interface Pruned {
  readonly before: Session;
  readonly after: Session;
  /** What the pruning removed, by our count. */
  readonly removedTokens: number;
  readonly tokensOf: (entry: IContent) => number;
  readonly pieces: Uint8Array;
}

/** A session before and after pruning, as each is read from its file. */
async function pruned(format: SessionFormat, lines: Iterable<Line>): Promise<Pruned> {
  const before = format.read(lines);
  const model = before.model ?? 'unknown';
  const made = await makeSmaller(liveHistory(before), {
    model,
    engine: 'inline',
    ephemerals: createEphemerals([RECOMMENDED], { model }),
    workspaceRoot: before.workspaceRoot ?? '/',
    createStrategy: (name) => getCompressionStrategy(name, { vocabulary: format.vocabulary }),
    compress: false,
  });
  const pieces = [...rewritten({ session: before, format, lines }, made.history).pieces];
  const after = format.read(linesOf(() => pieces));
  const removedTokens = made.tokensBefore - made.tokensAfter;
  return { before, after, removedTokens, tokensOf: entryCounter(model), pieces: joinLines(pieces) };
}

const paid = ({ events }: Session): unknown[] =>
  events.flatMap((event) =>
    event.kind === 'add' && event.content.metadata?.usage ? paidUsage(event.content.metadata) : [],
  );

/** Answers with usage of a system prompt of 20,000 tokens and the entries before. */
function withUsage(history: readonly IContent[]): IContent[] {
  let promptTokens = 20_000;
  return history.map((entry) => {
    const before = promptTokens;
    promptTokens += entryCounter('claude-sonnet-4-5')(entry);
    if (entry.speaker !== 'ai') return entry;
    const usage = { promptTokens: before, completionTokens: 20, totalTokens: before + 20, cachedTokens: 100 };
    return { ...entry, metadata: { ...entry.metadata, model: 'claude-sonnet-4-5', usage } };
  });
}

describe('a pruned session', () => {
  test.each([claudeCode, highDensity])(
    'of $name is smaller by what was removed, and cost what it cost',
    async (format) => {
      const created = [
        ...format.create!(withUsage(EDITED), {
          id: 'one',
          model: 'claude-sonnet-4-5',
          startedAt: 0,
          workspaceRoot: '/project',
        }),
      ];
      const { before, after, removedTokens, tokensOf } = await pruned(
        format,
        linesOf(() => created),
      );
      const had = contextSize(before, tokensOf);
      const has = contextSize(after, tokensOf);
      expect(removedTokens).toBeGreaterThan(50);
      expect(has.tokens).toBe(had.tokens - removedTokens);
      expect(has.unrecordedTokens).toBe(had.unrecordedTokens);
      expect([had.isReported, has.isReported]).toEqual([true, false]);
      // What was reported is as before, of the calls that are left.
      expect(paid(before)).toEqual(expect.arrayContaining(paid(after)));
      const dollars = (of: Session): number => recordedCalls(of).reduce((sum, call) => sum + call.dollars, 0);
      expect(dollars(after)).toBeGreaterThan(0);
      expect(dollars(after)).toBeLessThan(dollars(before));
    },
  );
});

/** What a program adds up that counts each answer of Claude Code once, by its largest usage, and each new total of Codex. */
function paidTotals(text: string): Record<string, number> {
  const calls = new Map<string, Record<string, unknown>>();
  const size = (usage: Record<string, unknown>): number =>
    ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'].reduce(
      (sum, name) => sum + Number(usage[name] ?? 0),
      0,
    );
  for (const line of text.split('\n').filter((one) => one.includes('_tokens"'))) {
    const { message, payload } = JSON.parse(line);
    if (message?.usage) {
      const known = calls.get(message.id);
      if (!known || size(message.usage) > size(known)) calls.set(message.id, message.usage);
    }
    const total = payload?.info?.total_token_usage?.total_tokens;
    if (total !== undefined && !calls.has(String(total))) calls.set(String(total), payload.info.last_token_usage);
  }
  const names = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'cached_input_tokens'];
  return Object.fromEntries(
    names.map((name) => [name, [...calls.values()].reduce((sum, usage) => sum + Number(usage[name] ?? 0), 0)]),
  );
}

test.each(realSessions('claude-code', 'codex'))('a smaller copy has the paid usage of every call: %s', async (file) => {
  const bytes = fileBytes(file);
  const { format } = readSession(bytes);
  const { pieces, removedTokens } = await pruned(
    format,
    linesOf(() => bytes.chunks()),
  );
  if (removedTokens > 0) expect(paidTotals(decode(pieces))).toEqual(paidTotals(decode(joinLines(bytes.chunks()))));
});

describe.each(realSessions('claude-code', 'codex', 'pi', 'opencode', 'gemini', 'cline-roo'))('%s', (file) => {
  test('is shown smaller by what pruning removed', async () => {
    const bytes = fileBytes(file);
    const { format, session } = readSession(bytes);
    if (!format.write) return;
    const { before, after, removedTokens, tokensOf } = await pruned(
      format,
      linesOf(() => bytes.chunks()),
    );
    expect(before.id).toBe(session.id);
    const expected = contextSize(before, tokensOf).tokens - removedTokens;
    // Agents' own markers are some tokens shorter than ours.
    expect(Math.abs(contextSize(after, tokensOf).tokens - expected)).toBeLessThan(0.002 * expected);
  });
});
