import type { ContradictedCall } from '../sessions/possible-usage.ts';
import { counted, grouped } from './figures.ts';

const MAX_NAMED = 3;

type NamedCall = ContradictedCall & { readonly session?: string };

const named = ({ call, session, reportedTokens, countedTokens }: NamedCall): string =>
  `call ${call}${session === undefined ? '' : ` of ${session}`} reports ${counted(reportedTokens, 'token')} where its text has ${grouped(countedTokens)}`;

/** A sentence about calls whose usage is not used, and why; none without such calls. */
export function contradictedNote(calls: readonly NamedCall[]): readonly string[] {
  if (calls.length === 0) return [];
  const more = calls.length - MAX_NAMED;
  const listed = [...calls.slice(0, MAX_NAMED).map(named), ...(more > 0 ? [`${grouped(more)} more`] : [])];
  const verb = calls.length === 1 ? 'reports' : 'report';
  return [`${counted(calls.length, 'call')} ${verb} usage that cannot be, and it is not used: ${listed.join('; ')}.`];
}
