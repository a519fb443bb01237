import type { PastCall } from '../economics/account/past-calls.ts';
import type { Session } from '../formats/contract.ts';
import { sentCalls } from '../sessions/prompts/sent-calls.ts';
import { type Counts, unprunedCalls } from './unpruned-calls.ts';

/** The model calls of a recorded session, with what pruning removed from them where it ran under `density wrap` or `density proxy`. Linear. */
export const knownCalls = (session: Session, counts: Counts): readonly PastCall[] =>
  (session.isAsSent ? sentCalls(session) : undefined) ?? unprunedCalls(session, counts);
