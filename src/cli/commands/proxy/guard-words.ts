/** What `density wrap` does if the model writes a marker of ours into a file: it refuses the call, or tells the model afterwards, and why. */
export const guardWords = (unguarded: string | undefined): string =>
  unguarded === undefined
    ? 'refuses calls that would write a marker, the line in place of removed text, into a file'
    : `cannot refuse calls that write a marker, the line in place of removed text, into a file; the model is told afterwards: ${unguarded}`;
