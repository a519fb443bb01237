import type { ContentBlock, IContent } from '../../../content/content.ts';
import { counted } from '../../../content/counted.ts';
import type { DensityRow, RowFields } from '../../settings/density-row.ts';
import { isBlank } from './changed-entry.ts';
import type { Draft, PruningRule, RulesInForce } from './rule.ts';

const SETTINGS = [
  {
    key: 'compression.density.thinkingCalls',
    flag: '--thinking-calls <calls>',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Leave out thinking of earlier turns that was sent this many times, if the model allows it, when the prompt cache has expired and a change is free (`when-it-pays`); 0: never.',
  },
  {
    key: 'compression.density.thinkingWhenCold',
    flag: '--thinking-when-cold <keep|drop>',
    type: 'enum',
    enumValues: ['keep', 'drop'],
    default: 'keep',
    help: 'What to do with thinking that a model binds to the text before it: `drop` lets pruning change that text when the prompt cache has expired and a person speaks (`when-it-pays`), and leaves out all thinking after the first change.',
  },
] as const satisfies readonly DensityRow[];

/** Thinking of an earlier turn was sent with at least `leastSentCalls` model calls. */
export interface OldThinking {
  readonly rule: 'oldThinking';
  readonly leastSentCalls: number;
}

/** Text before this thinking changed, to which the model binds it. */
export interface UnboundThinking {
  readonly rule: 'unboundThinking';
}

export const oldThinking = {
  settings: SETTINGS,
  reasons: {
    oldThinking: {
      counter: {
        name: 'thinking',
        what: 'old thinking',
        one: 'thought',
        many: 'thoughts',
        badge: 'old thinking',
      },
      certificate: {
        what: 'thinking of earlier turns, left out when the prompt cache had expired',
        page: 'old thinking',
        terminal: 'thinking',
      },
      sentence: ({ leastSentCalls }) =>
        `it belongs to an earlier turn, and was sent with at least ${counted(leastSentCalls, 'model call')}`,
    },
    unboundThinking: {
      counter: 'thinking',
      certificate: 'oldThinking',
      sentence: () => 'text before it changed when the prompt cache had expired, and the model binds it to that text',
    },
  },
  isOn: ({ rules, canOmitThinking }) => canOmitThinking && rules.thinkingCalls > 0,
  prune: (draft, { inForce }) => omitOldThinking(draft, inForce),
} as const satisfies PruningRule<OldThinking | UnboundThinking, typeof SETTINGS>;

/**
 * Leaves out old thinking before the newest message that is not a result. It leaves out all thinking of an answer or nothing. An answer that
 * has nothing else keeps its thinking. Linear in the history.
 */
export function omitOldThinking(
  draft: Draft<OldThinking | UnboundThinking>,
  { rules: { thinkingCalls: leastSentCalls } }: RulesInForce<RowFields<(typeof SETTINGS)[number]>>,
): void {
  const { history } = draft;
  let sentCalls = 0;
  let isEarlierTurn = false;
  for (let entry = history.length - 1; entry >= 0; entry--) {
    const { speaker, blocks } = history[entry]!;
    if (startsTurn(history, entry)) isEarlierTurn = true;
    if (speaker !== 'ai') continue;
    if (isEarlierTurn && sentCalls >= leastSentCalls && blocks.some(isThought)) omit(draft, entry, leastSentCalls);
    sentCalls++;
  }
}

/** True for the first message to the model after an answer, where it has no result: what stands beside results belongs to the running turn. */
function startsTurn(history: readonly IContent[], entry: number): boolean {
  if (history[entry]!.speaker !== 'human') return false;
  return history[entry - 1]?.speaker === 'ai' && !isResultAfter(history, entry);
}

function isResultAfter(history: readonly IContent[], entry: number): boolean {
  for (let at = entry + 1; at < history.length && history[at]!.speaker !== 'ai'; at++)
    if (history[at]!.speaker === 'tool') return true;
  return false;
}

function omit(draft: Draft<OldThinking | UnboundThinking>, entry: number, leastSentCalls: number): void {
  const { blocks } = draft.history[entry]!;
  const left = blocks.map((_, block) => draft.blockAt(entry, block));
  if (!left.some((block) => block !== undefined && !isThought(block) && !isBlank(block))) return;
  for (const [block, thought] of left.entries())
    if (thought !== undefined && isThought(thought))
      draft.removeBlock(entry, block, { rule: 'oldThinking', leastSentCalls });
}

/** Thinking that is sent; what is left of one that was left out is empty. */
const isThought = (block: ContentBlock): boolean =>
  block.type === 'thinking' &&
  (block.thought !== '' || block.signature !== undefined || block.encryptedContent !== undefined);
