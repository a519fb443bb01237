import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { asText } from '../../../src/content/foreign-value.ts';
import type { SessionEvent } from '../../../src/content/session-event.ts';
import { liveHistory, type Session } from '../../../src/formats/contract.ts';
import { cutLosses } from '../../../src/lab/cuts/cut-losses.ts';
import { recordedCuts } from '../../../src/lab/cuts/recorded-cuts.ts';
import { recordedCalls } from '../../../src/lab/recorded-bill.ts';
import { compaction } from '../../../src/plugin/compaction/compaction.ts';
import { blockCounter } from '../../../src/tokens/entries/block-counter.ts';

/** As the mod: so much of the window may be left, and so much must be removed. */
const MAX_LEFT = 0.6;
const MIN_REMOVED = 0.2;
const [DEFAULT_WINDOW, LARGE_WINDOW] = [200_000, 1_000_000];

/** A compaction by the agent, and what rules would have made of its transcript. Tokens are those of the prompt. */
export interface CutByRules {
  readonly session: string;
  readonly trigger: string;
  readonly windowTokens: number;
  readonly beforeTokens: number;
  readonly summaryTokens: number;
  readonly ruleTokens: number;
  /** Whether the mod would have compacted by rules. */
  readonly isByRules: boolean;
  /** Calls after which the prompt would have been as long again; `undefined`: it would not, up to the next compaction or the end. */
  readonly callsUntilFull?: number;
  readonly callsAfter: number;
  readonly keptTokens: number;
  /** Later calls that needed text of it. */
  readonly summaryRegrets: number;
  readonly ruleRegrets: number;
  readonly hasThinking: boolean;
  readonly digest: string;
}

/** The mod's form of an entry: a message of text and calls, or of results. */
function modMessage({ speaker, blocks }: IContent): object {
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const toolUses = blocks.flatMap((block) =>
    block.type === 'tool_call' ? [{ tool_use_id: block.id, tool: block.name, input: block.parameters }] : [],
  );
  const toolResults = blocks.flatMap((block) =>
    block.type === 'tool_response'
      ? [{ tool_use_id: block.callId, text: asText(block.result ?? block.error), isError: block.error !== undefined }]
      : [],
  );
  return { role: speaker === 'ai' ? 'assistant' : 'user', text, toolUses, toolResults };
}

function withTexts(entries: readonly IContent[], texts: Readonly<Record<string, string>>): readonly IContent[] {
  const changed = (block: ContentBlock): ContentBlock => {
    const text = block.type === 'tool_response' ? texts[block.callId] : undefined;
    return text === undefined ? block : ({ ...block, result: text } as ContentBlock);
  };
  return entries.map((entry) =>
    entry.blocks.some((block) => block.type === 'tool_response' && texts[block.callId] !== undefined)
      ? { ...entry, blocks: entry.blocks.map(changed) }
      : entry,
  );
}

const historyBefore = ({ events, ...session }: Session, event: number): readonly IContent[] =>
  liveHistory({ ...session, events: events.slice(0, event) });

/** The agent's own compactions of a session, in order, each with what rules make of the transcript before it. */
export async function cutsByRules(
  session: Session,
  { name, archive }: { readonly name: string; readonly archive: string },
): Promise<readonly CutByRules[]> {
  const countBlock = blockCounter(session.model ?? 'unknown');
  const calls = recordedCalls(session);
  const cuts = recordedCuts(session, countBlock).filter(({ kind, losses }) => kind === 'compaction' && losses);
  const found: CutByRules[] = [];
  for (const [at, cut] of cuts.entries()) {
    const { beforeTokens = 0, afterTokens: summaryTokens = 0 } = cut;
    const before = historyBefore(session, cut.event);
    const fields = { messages: before.map(modMessage), model: session.model ?? '' };
    const event = { name: 'SessionCompact', session: `s${at}`, transcript: '', cwd: session.workspaceRoot ?? '/' };
    const answer = await compaction(
      { ...event, agentId: undefined, isOfCodex: false, fields },
      { archive, folder: archive },
    );
    const removed = answer === undefined ? 0 : answer.tokensBefore - answer.tokensAfter;
    const ruleTokens = beforeTokens - removed;
    const windowTokens = beforeTokens > DEFAULT_WINDOW ? LARGE_WINDOW : DEFAULT_WINDOW;
    const next = cuts[at + 1]?.event ?? session.events.length;
    const later = calls.filter((call) => call.event > cut.event && call.event < next);
    const grown = (call: (typeof later)[number]): number => ruleTokens + call.usage.promptTokens - summaryTokens;
    const full = later.findIndex((call) => grown(call) >= beforeTokens);
    const instead = withTexts(before, answer?.texts ?? {});
    const events = session.events.map(
      (one, index): SessionEvent => (index === cut.event ? { ...one, kind: 'replace', contents: [...instead] } : one),
    );
    const byRules = cutLosses({ ...session, events }, countBlock).get(cut.event);
    found.push({
      session: name,
      trigger: cut.trigger ?? '',
      ...{ windowTokens, beforeTokens, summaryTokens, ruleTokens },
      isByRules: removed >= MIN_REMOVED * beforeTokens && ruleTokens < MAX_LEFT * windowTokens,
      ...(full >= 0 && { callsUntilFull: full }),
      callsAfter: later.length,
      keptTokens: cut.losses!.removedTokens - (byRules?.removedTokens ?? 0),
      summaryRegrets: cut.losses!.regrets.length,
      ruleRegrets: byRules?.regrets.length ?? 0,
      hasThinking: before.some(({ blocks }) => blocks.some(({ type }) => type === 'thinking')),
      digest: cut.losses!.digest,
    });
  }
  return found;
}
