import { counted } from '../../../report/figures.ts';

/** Calls that several sessions contain. */
export interface Copied {
  readonly copiedCalls: number;
  /** Sessions without any other call: they are in no figure. */
  readonly onlyCopies?: number;
}

/** Sentences about calls that several sessions contain; nothing if there are none. */
export function copiedNote({ copiedCalls, onlyCopies = 0 }: Copied): readonly string[] {
  if (copiedCalls === 0) return [];
  const [are, they, count] = copiedCalls === 1 ? ['is a copy', 'it', 'counts'] : ['are copies', 'they', 'count'];
  const calls = `${counted(copiedCalls, 'call')} ${are} of calls in other sessions, which these continue: ${they} ${count} there.`;
  const left = `${counted(onlyCopies, 'more session')} ${onlyCopies === 1 ? 'has' : 'have'} no other call.`;
  return [onlyCopies === 0 ? calls : `${calls} ${left}`];
}
