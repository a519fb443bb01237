/** What stands in place of lines of a result: on a line of its own, in brackets that no text has. Source: docs/strategies.md, "New text". */
const OPEN = '⟦density: ';
const CLOSE = '⟧';

export const markerOf = (what: string): string => `${OPEN}${what}${CLOSE}`;

/** The number that an agent writes before a marker which is in the text of a file. */
export const NUMBER_BEFORE_MARKER = /^(?: *\d+(?:→|\t))?/;

const LEFT_OUT = ' left out';

/** The marker of text that is lost with the form. */
export const leftOutMarker = (what: string): string => markerOf(`${what}${LEFT_OUT}`);

const END_OF_LOSS = `${LEFT_OUT}${CLOSE}`;

/** True if text was left out of a form. */
export const hasLeftOut = (form: string): boolean => form.includes(END_OF_LOSS);

const MARKERS = /⟦density: [^⟦⟧\n]*⟧/g;

/** True if text was left out of a form, also where its marker says how to get the whole text. */
export const hasLoss = (form: string): boolean =>
  form.includes(LEFT_OUT) && (form.match(MARKERS) ?? []).some((marker) => / left out(?:; |⟧$)/.test(marker));

/** A form whose first marker of lost text says how to get the whole text. */
export const withWayBack = (form: string, wayBack: string): string =>
  form.replace(END_OF_LOSS, () => `${LEFT_OUT}; ${wayBack}${CLOSE}`);

/** A marker that says how to get the whole text. */
export const markerWithWayBack = (marker: string, wayBack: string): string =>
  `${marker.slice(0, -CLOSE.length)}; ${wayBack}${CLOSE}`;

/** True if a text already has a form. */
export const hasMarker = (text: string): boolean => text.includes(OPEN);
