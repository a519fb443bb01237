import { fileBytes } from '../../../disk/file-bytes.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { constantTokensOf, reportedConstantTokens } from '../../../lab/constant-tokens.ts';
import { recommendedBill } from '../../../lab/recommended-bill.ts';
import { type RecordedCall, recordedCalls } from '../../../lab/recorded-bill.ts';
import { readSession } from '../../../sessions/read-session.ts';
import { blockCounter, entryCounter } from '../../../tokens/entries/block-counter.ts';
import { namedSessions } from '../compare/compared-sessions.ts';

export interface BilledCall extends RecordedCall {
  readonly session: string;
  readonly project: string;
  readonly agent: string;
  readonly constantTokens: number | undefined;
}

export interface BilledSessions {
  readonly calls: readonly BilledCall[];
  /** Sessions with recorded usage, and without. */
  readonly sessions: number;
  readonly silent: number;
  /** Simulated dollars of the sessions whose model has a price; absent if none has. */
  readonly pruned?: { readonly sessions: number; readonly without: number; readonly recommended: number };
}

const HOUR_MINUTES = 60;

/** The recorded calls of files and folders. Files of a folder that are no sessions are left out. @throws as `readSession`. */
export async function billedSessions(named: readonly string[]): Promise<BilledSessions> {
  const { files, fromFolders } = namedSessions(named);
  const calls: BilledCall[] = [];
  const pruned = { sessions: 0, without: 0, recommended: 0 };
  let [sessions, silent] = [0, 0];
  for (const file of files) {
    try {
      const read = readSession(fileBytes(file));
      const own = recordedCalls(read.session);
      if (own.length === 0) {
        silent++;
        continue;
      }
      sessions++;
      const { constantTokens, bill } = await played(read, own);
      if (bill) {
        pruned.sessions++;
        pruned.without += bill.without;
        pruned.recommended += bill.recommended;
      }
      const project = read.session.workspaceRoot ?? 'unknown';
      for (const call of own) calls.push({ ...call, session: file, project, agent: read.format.name, constantTokens });
    } catch (error) {
      if (!(error instanceof CompressionStrategyError) || !fromFolders.has(file)) throw error;
    }
  }
  return { calls, sessions, silent, ...(pruned.sessions > 0 && { pruned }) };
}

/** What the text of a session adds to its recorded calls. */
async function played(
  { session, format }: ReturnType<typeof readSession>,
  calls: readonly RecordedCall[],
): Promise<{
  readonly constantTokens: number | undefined;
  readonly bill?: { readonly without: number; readonly recommended: number };
}> {
  const { model, price } = calls.at(-1)!;
  const countBlock = blockCounter(model);
  const tokensOf = entryCounter(model, countBlock);
  const reported = reportedConstantTokens(session, tokensOf);
  if (price.match === 'unknown') return { constantTokens: reported };
  const bill = await recommendedBill({
    session,
    vocabulary: format.vocabulary,
    model,
    cacheMinutes: calls.some(({ usage }) => (usage.writtenHourTokens ?? 0) > 0) ? HOUR_MINUTES : undefined,
    tokensOf,
    constantTokens: constantTokensOf(session, { tokensOf, countBlock }),
  });
  return { constantTokens: reported, bill };
}
