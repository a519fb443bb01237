/** How a model writes a marker that it copies. */
export const COPIES: Readonly<Record<string, (marker: string) => string>> = {
  whole: (marker) => marker,
  'inside a longer line': (marker) => `const rows = [1]; // ${marker} and more`,
  wrapped: (marker) => marker.replaceAll(' ', '\n  // '),
  'in a diff': (marker) => `--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n first\n-old\n+${marker}\n`,
  'in JSON escapes': (marker) =>
    JSON.stringify({ lines: marker }).replaceAll('⟦', '\\u27e6').replaceAll('⟧', '\\u27e7'),
  'in a here-document': (marker) => `first\n${marker}\nlast`,
  'with another hash': (marker) => marker.replace(/#[0-9a-z]+/, '#aaaaaaa'),
  'with other quotes': (marker) => marker.replace(/, from ".*" #/, ', from “other words” #'),
};

/** The copy that is written by the shell. */
export const IN_SHELL = 'in a here-document';
