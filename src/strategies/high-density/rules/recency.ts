import { madeOnce } from '../../../content/group-by.ts';
import { isPruned, PRUNED_RESULT } from '../../../content/pruned-result.ts';
import type { Draft, PruningRule, RulesInForce } from './rule.ts';

/** Only the newest `retention` results of a tool are kept. */
export interface Recency {
  readonly rule: 'recency';
  readonly tool: string;
  readonly retention: number;
}

export const recency = {
  reasons: {
    recency: {
      counter: {
        name: 'recency',
        metadata: 'recencyPruned',
        what: 'older results, or lines of them',
        one: 'result',
        many: 'results',
        badge: 'older result',
      },
      certificate: {
        what: 'result that is old, or beyond the newest of its tool',
        page: 'older result',
        terminal: 'recency',
      },
      sentence: ({ tool, retention }) =>
        retention === 1
          ? `only the newest result of ${tool} is kept`
          : `only the newest ${retention} results of ${tool} are kept`,
    },
  },
  isOn: ({ recencyPruning }) => recencyPruning,
  prune: (draft, { inForce }) => replaceOldResults(draft, [...draft.history.keys()], inForce),
} as const satisfies PruningRule<Recency>;

/** The newer results of a tool, and why further ones are replaced. */
interface Seen {
  count: number;
  readonly reason: Recency;
}

/**
 * Replaces the result of every response beyond the newest `recencyRetention` of its tool by the marker. Results that
 * already are the marker, or that their agent cleared, are neither counted nor replaced; those of protected tools are kept.
 * `entries`: in order, all with other results. Linear in their blocks. Source: REQ-HD-007; docs/readings.md, rows 3,
 * 5 and 7.
 */
export function replaceOldResults(
  draft: Draft<Recency>,
  entries: readonly number[],
  { recencyRetention, protection }: RulesInForce,
): void {
  const retention = retainedResults(recencyRetention);
  const seen = new Map<string, Seen>();
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at]!;
    const { blocks } = draft.history[entry]!;
    for (let block = blocks.length - 1; block >= 0; block--) {
      const raw = blocks[block]!;
      if (raw.type !== 'tool_response' || isPruned(raw.result) || draft.isRemoved(entry, block)) continue;
      const tool = raw.toolName;
      const ofTool = madeOnce(seen, tool, (): Seen => ({ count: 0, reason: { rule: 'recency', tool, retention } }));
      ofTool.count++;
      if (ofTool.count <= retention || protection.coversTool(tool)) continue;
      const by = { ...raw, result: PRUNED_RESULT };
      draft.replaceBlock(entry, block, { by, reason: ofTool.reason });
    }
  }
}

/** Number of results of each tool to keep: a whole number, at least 1 (REQ-HD-013.6; docs/readings.md, row 31). */
export function retainedResults(recencyRetention: number): number {
  return Number.isNaN(recencyRetention) ? 1 : Math.max(1, Math.floor(recencyRetention));
}
