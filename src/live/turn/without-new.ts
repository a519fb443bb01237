import type { Body, Pruned, PruneReport } from '../contract.ts';
import type { Branch } from '../conversation/branch.ts';
import { Projection } from '../conversation/projection.ts';
import type { LiveDialect } from '../request/dialects.ts';
import { type RequestList, written } from '../request/request-list.ts';

interface SentRequest<Given extends Body> {
  readonly body: Given;
  readonly list: RequestList;
  readonly report: PruneReport;
  readonly dialect: LiveDialect;
  /** Called with its report when it is made. */
  readonly onMade: (report: PruneReport) => void;
}

/** Makes the request with every form as it was accepted; `undefined` if it has no other form. */
export function withoutNew<Given extends Body>(
  { decisions, history, unaccepted, constantTokens = 0 }: Branch,
  { body, list, report, dialect, onMade }: SentRequest<Given>,
): (() => Pruned<Given>) | undefined {
  const taken = unaccepted.in(decisions.results);
  if (taken.length === 0) return undefined;
  const forms = new Map(decisions.results);
  for (const [id, before] of taken) before ? forms.set(id, before) : forms.delete(id);
  return () => {
    const projection = new Projection(dialect);
    projection.extend(history, forms);
    const { savedTokens, replacements, results } = projection;
    const sentTokens = constantTokens + projection.sentTokens;
    const unchangedTokens = constantTokens + projection.unchangedTokens;
    const { decision: _, ...rest } = report;
    const counts = { projected: results, savedTokens, sentTokens, unchangedTokens };
    const made = { ...rest, changed: [], isEpoch: false, ...counts };
    onMade(made);
    return { body: written(body, list, replacements), report: made };
  };
}
