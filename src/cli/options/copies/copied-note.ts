import { counted } from '../../../report/figures.ts';

/** A sentence about calls that several sessions contain; nothing if there are none. */
export const copiedNote = (calls: number): readonly string[] =>
  calls === 0
    ? []
    : [
        `${counted(calls, 'call')} ${calls === 1 ? 'is a copy' : 'are copies'} of calls in other sessions, which these continue: ${calls === 1 ? 'it counts' : 'they count'} there.`,
      ];
