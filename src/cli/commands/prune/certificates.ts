import type { IContent } from '../../../content/content.ts';
import { densityConfig } from '../../../gate/density/density-step.ts';
import { applyEdits } from '../../../history/apply.ts';
import { type Certificate, certify } from '../../../lab/certificate.ts';
import type { SmallerHistory } from '../../../replay/smaller.ts';
import type { Ephemerals } from '../../../strategies/contract.ts';
import { getCompressionStrategy } from '../../../strategies/index.ts';
import type { SessionFile } from '../../options/session-file.ts';
import { toolsInForce } from '../../options/tools-in-force.ts';

/** The certificates of the steps, optimising first. Tests on this thread whether optimising again changes anything. */
export function certificatesOf(
  { session, format }: SessionFile,
  { steps, history: after }: SmallerHistory,
  {
    before,
    model,
    ephemerals,
    compress,
  }: {
    readonly before: readonly IContent[];
    readonly model: string;
    readonly ephemerals: Ephemerals;
    readonly compress: boolean;
  },
): readonly Certificate[] {
  const workspaceRoot = session.workspaceRoot ?? '/';
  const vocabulary = toolsInForce(format.vocabulary, ephemerals);
  const config = densityConfig({ ephemerals, workspaceRoot });
  const again = (history: readonly IContent[]): readonly IContent[] => {
    const result = getCompressionStrategy('high-density', { vocabulary }).optimize?.(history, config);
    return result ? applyEdits(history, result) : history;
  };
  const context = { vocabulary, workspaceRoot, model };
  const [optimized, compressed] = (['optimized', 'compressed'] as const).map((kind) =>
    steps.find((step) => step.kind === kind),
  );
  const between = compressed?.before ?? after;
  const first = certify(before, between, { ...context, kind: 'optimized', changes: optimized?.changes ?? [], again });
  if (!compress) return [first];
  return [first, certify(between, after, { ...context, kind: 'compressed', changes: compressed?.changes ?? [] })];
}
