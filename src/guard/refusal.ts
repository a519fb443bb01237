import type { CopiedMarker } from './contract.ts';

const REFUSED = 'density: this call was not run.';

/** True for a result that says that a call was refused because of a marker. */
export const isRefusal = (text: string): boolean => text.includes(REFUSED);

const NOTICE = 'density: a line that this call wrote is a marker';

/** How to get the text: the command or the tool that the marker names, or the file. */
function wayTo({ marker }: CopiedMarker): string {
  const named = /(?:density show|recall) [0-9a-f]+/.exec(marker)?.[0];
  return named === undefined ? 'read it again' : `\`${named}\`, or read it again`;
}

/** Why a call is refused, for its model. It quotes no marker, so that nothing more can be copied from it. */
export const refusalOf = (copy: CopiedMarker): string =>
  `${REFUSED} A line that it writes is a marker, which stands for text that was left out of this conversation (${copy.standsFor}) and is part of no file. Get the text (${wayTo(copy)}) and write its lines. If the marker itself is meant, make the same call once more.`;

/** What is added to the result of a call that ran. One line. */
export const noticeOf = (copy: CopiedMarker): string =>
  `${NOTICE}, which stands for text that was left out of this conversation (${copy.standsFor}) and is part of no file. Get the text (${wayTo(copy)}) and write its lines in the place of the marker.`.replace(
    /\s+/g,
    ' ',
  );
