import { Redactor } from '../../src/content/secrets/redact.ts';
import type { Session } from '../../src/formats/contract.ts';
import { highDensity } from '../../src/formats/high-density/high-density.ts';
import { sessionWorth } from '../../src/lab/played/session-worth.ts';
import type { ContextMove } from '../../src/replay/context-move.ts';
import { RemovalLedger } from '../../src/replay/ledger/ledger.ts';
import { TurnIndex } from '../../src/replay/ledger/turn-index.ts';
import type { ReplayTurn } from '../../src/replay/result.ts';
import type { PlayedStrategy, SessionReport } from '../../src/report/session-report.ts';
import { optimizeConfig } from '../../src/sessions/prunable.ts';
import { inspectionOf } from '../../src/sessions/session-inspection.ts';
import type { EphemeralSettings } from '../../src/settings/registry.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { MODEL, replayed } from '../replay/sessions.ts';

const OPTIMIZE = optimizeConfig(createEphemerals([], { model: MODEL }));

/** The report of a session under every strategy that asks no model. */
export async function reportOf(
  session: Session,
  { settings = {}, isRedacted = true, rowsAtMost = 250 }: ReportCase = {},
): Promise<SessionReport> {
  const { vocabulary } = highDensity;
  const ledger = new RemovalLedger({ turns: await TurnIndex.of(session), vocabulary }, { rowsAtMost });
  const play = async (strategy: string): Promise<PlayedStrategy> => {
    const turns: ReplayTurn[] = [];
    const moves: ContextMove[] = [];
    const result = await replayed(session, strategy, {
      settings,
      onMove: (move) => moves.push(move),
      onTurn: (turn) => turns.push({ ...turn, stallMs: turn.turn % 70 }),
      ...(strategy === 'high-density' && { ledger }),
    });
    return {
      result,
      turns,
      ...(strategy !== 'none' && {
        worth: sessionWorth({ session, moves, model: MODEL }),
        thresholdTokens: result.contextLimit * (settings['compression-threshold'] ?? 0.85),
      }),
    };
  };
  const none = await play('none');
  const dropped = await play('top-down-truncation');
  const chosen = await play('high-density');
  return {
    title: 'a-session-with-a-long-name-that-no-one-would-choose-0ccf1a04-1b4c-43b6',
    fileName: '0ccf1a04-1b4c-43b6.jsonl',
    formatTitle: 'high-density',
    sizeBytes: 306_000,
    workspaceRoot: session.workspaceRoot ?? '/',
    skippedLines: 2,
    played: [none, dropped, chosen],
    chosen,
    inspection: inspectionOf(
      { session: { ...session, workspaceRoot: '/project' }, format: { vocabulary } },
      { model: MODEL, optimize: OPTIMIZE },
    ),
    ledger: ledger.record(),
    ...(isRedacted && { redactor: new Redactor() }),
    version: '1.2.3',
    madeOn: '2026-01-02',
  };
}

interface ReportCase {
  readonly settings?: EphemeralSettings;
  readonly isRedacted?: boolean;
  readonly rowsAtMost?: number;
}
