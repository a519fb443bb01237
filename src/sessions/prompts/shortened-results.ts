import type { IContent, ToolResponseBlock, Usage } from '../../content/content.ts';
import type { Session } from '../../formats/contract.ts';

/**
 * A call shows that results were shortened on their way if so many tokens of results are recorded since the call before, and its
 * prompt grew by less than this part of them. One such call may be the agent's own doing. Source: 193 recorded sessions with usage
 * (13,441 calls), none of which ran behind a proxy of ours: three have one such call, none has two (docs/proxy.md, "What is kept").
 */
const MIN_TOKENS = 200;
const GROWN_RATIO = 0.7;
const MIN_CALLS = 2;
/** Characters of ordinary text for each token by which a prompt grows. If a prompt grows more, the text need not be counted. */
const CHARACTERS_PER_GROWN = 4;

function isShortened(grown: number, results: readonly ToolResponseBlock[], tokensOf: (entry: IContent) => number) {
  const characters = results.reduce((sum, { result }) => sum + (typeof result === 'string' ? result.length : 0), 0);
  if (grown < 0 || grown > characters / CHARACTERS_PER_GROWN) return false;
  const tokens = tokensOf({ speaker: 'tool', blocks: results });
  return tokens >= MIN_TOKENS && grown < GROWN_RATIO * tokens;
}

const isSame = (one: Usage, other: Usage): boolean =>
  one.promptTokens === other.promptTokens && one.completionTokens === other.completionTokens;

/**
 * True if the usage of a session shows that its results were sent in shorter forms that are not known. False proves nothing.
 */
export function areResultsShortened({ events, isAsSent }: Session, tokensOf: (entry: IContent) => number): boolean {
  // Each result has its last form here, also in calls that were sent before it.
  if (isAsSent) return false;
  let last: Usage | undefined;
  let results: ToolResponseBlock[] = [];
  let calls = 0;
  /** Gemini CLI 0.61.0 records a result twice. */
  const known = new Set<string>();
  for (const event of events) {
    if (event.kind === 'replace') {
      last = undefined;
      results = [];
      continue;
    }
    const { speaker, blocks, metadata } = event.content;
    const usage = speaker === 'ai' && metadata?.usage?.promptTokens ? metadata.usage : undefined;
    if (usage && !(last && isSame(usage, last))) {
      const isEstimate = usage.reported !== undefined;
      if (last && !isEstimate && isShortened(usage.promptTokens - last.promptTokens, results, tokensOf)) calls++;
      last = isEstimate ? undefined : usage;
      results = [];
    }
    for (const block of blocks) {
      if (block.type !== 'tool_response' || known.has(block.callId)) continue;
      known.add(block.callId);
      results.push(block);
    }
  }
  return calls >= MIN_CALLS;
}
