import type { IContent } from '../../../content/content.ts';
import type { SummarizerAccess } from '../../../gate/options.ts';
import type { EngineName } from '../../../history/engine.ts';
import { makeSmaller, type SmallerHistory } from '../../../replay/smaller.ts';
import { type ContextSize, contextSize } from '../../../sessions/context-size.ts';
import type { Ephemerals } from '../../../strategies/contract.ts';
import { entryCounter } from '../../../tokens/entries/block-counter.ts';
import type { SessionFile } from '../../options/session-file.ts';
import { strategyFor } from '../../options/strategies.ts';
import { engineNotices } from '../../terminal/engine-notices.ts';
import { startProgress } from '../../terminal/progress.ts';

interface Work {
  readonly before: readonly IContent[];
  readonly model: string;
  readonly engine: EngineName;
  readonly ephemerals: Ephemerals;
  readonly compress: boolean;
  readonly summarizer: SummarizerAccess | undefined;
  readonly transcriptPath: string;
}

/** A smaller session. Tokens are those of its whole context, as `ContextSize`. */
export interface SmallerContext extends SmallerHistory {
  /** Before. */
  readonly context: ContextSize;
}

/** Makes the live history of a session smaller. @throws CompressionStrategyError as the strategy does. */
export async function smallerContext(
  { session, format }: SessionFile,
  { before, ...work }: Work,
): Promise<SmallerContext> {
  const { vocabulary } = format;
  const hasModel = work.summarizer !== undefined;
  const progress = startProgress('counting', 1);
  try {
    const made = await makeSmaller(before, {
      ...work,
      workspaceRoot: session.workspaceRoot ?? '/',
      createStrategy: (name) => strategyFor(name, { vocabulary, hasModel, option: '--model' }),
      engineListener: engineNotices(progress),
    });
    const context = contextSize(session, entryCounter(work.model), made.tokensBefore);
    const { tokens } = context;
    const tokensAfter = Math.max(0, tokens - made.tokensBefore + made.tokensAfter);
    return { ...made, tokensBefore: tokens, tokensAfter, context };
  } finally {
    progress.stop();
  }
}
