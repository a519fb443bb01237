import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';
import { PreSendGate } from '../../src/gate/pre-send-gate.ts';
import { createExactCounter } from '../../src/history/counter.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { brokenPairs } from '../contracts/strategy.ts';
import { haveRealSessions, realSessions } from '../real-sessions.ts';

const FOLDERS = [
  'claude-code',
  'codex',
  'anthropic-messages',
  'openai-chat',
  'swe-agent',
  'mini-swe-agent',
  'openhands',
];
const MODEL = 'gpt-4.1';
const CONTEXT_LIMIT_TOKENS = 8_000;
const COMPLETION_TOKENS = 1_000;
/** The window without the answer and the reserve, a twentieth of the window. */
const HARD_LIMIT_TOKENS = 6_600;
/** Gate runs per session: enough for every kind of step, few enough for long sessions. */
const MAX_RUNS = 60;

const counter = createExactCounter();
const tokensOf = (entries: readonly IContent[]): number =>
  entries.reduce((sum, entry) => sum + counter.countEntry(entry, MODEL), 0);

/** Plays `events` into a history and asks the gate before answers, spread over the session; what each run left is checked. */
async function play(events: readonly SessionEvent[], strategy: string, workspaceRoot: string): Promise<string[]> {
  const history = new HistoryService({ model: MODEL, detectMutation: true });
  const gate = new PreSendGate(history, {
    runtimeContext: {
      ephemerals: createEphemerals([{ 'context-limit': CONTEXT_LIMIT_TOKENS }], { model: MODEL }),
      workspaceRoot,
    },
    runtimeState: { model: MODEL },
    createStrategy: () => getCompressionStrategy(strategy),
    completionBudgetTokens: COMPLETION_TOKENS,
  });
  const problems: string[] = [];
  const every = Math.ceil(events.length / MAX_RUNS);
  for (const [index, event] of events.entries()) {
    if (event.kind === 'add') history.add(event.content);
    else await history.replaceAll(event.contents);
    if (index % every !== 0) continue;
    await history.waitForTokenUpdates();
    const known = new Set(brokenPairs(history.getRawHistory()));
    const before = history.getTotalTokens();
    const outcome = await gate.ensureCompressionBeforeSend('p').catch((error: unknown) => error as Error);
    const after = history.getTotalTokens();
    const note = (problem: string): number => problems.push(`event ${index}: ${problem}`);
    if (after !== tokensOf(history.getRawHistory())) note('the total is not a count from scratch (law 7)');
    if (after > before) note('the history grew (law 2)');
    if (brokenPairs(history.getRawHistory()).some((problem) => !known.has(problem))) note('a pair was split (law 1)');
    if (outcome instanceof Error) {
      if (!('code' in outcome) || outcome.code !== 'CONTEXT_WINDOW_EXCEEDED') note(`it threw ${outcome.message}`);
      if (after <= HARD_LIMIT_TOKENS) note('it threw although it fits (law 10)');
    } else if (after > HARD_LIMIT_TOKENS) note('it neither fits nor threw (law 10)');
  }
  history.dispose();
  return problems;
}

describe.runIf(haveRealSessions)('recorded sessions through the gate (laws 1, 2, 7 and 10)', () => {
  const files = realSessions(...FOLDERS).map((file) => [path.basename(file), file] as const);

  test.each(files)('%s', async (_name, file) => {
    const bytes = readFileSync(file);
    const session = detectFormat(bytes.subarray(0, 256 * 1024).toString()).read(linesOf(() => [bytes]));
    for (const strategy of ['high-density', 'top-down-truncation']) {
      expect(await play(session.events, strategy, session.workspaceRoot ?? '/'), strategy).toEqual([]);
    }
  });
});
