/** The headings of a page, without what is in its code. */
export const headingsOf = (page: string): string[] =>
  [...page.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

/** The anchor that a heading gets on the usual hosts. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
