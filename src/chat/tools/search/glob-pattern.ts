const SPECIAL = /[.+^$()|\\]/;

/** The end of the `{a,b}` or `[…]` that starts at `start`; -1 if it is not closed. */
const closing = (glob: string, start: number, close: string): number => glob.indexOf(close, start + 1);

/**
 * A glob as a regular expression over whole paths with `/`: `*` and `?` inside a segment, `**` across segments, `{a,b}`,
 * `[a-z]`. A glob without `/` matches in every folder.
 */
export function globPattern(glob: string): RegExp {
  const bare = glob.replace(/^\.\//, '');
  const anchored = bare.includes('/') ? bare : `**/${bare}`;
  return new RegExp(`^${source(anchored)}$`, 's');
}

function source(glob: string): string {
  let pattern = '';
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] as string;
    if (glob.startsWith('**/', at)) {
      pattern += '(?:[^/]+/)*';
      at += 2;
    } else if (glob.startsWith('**', at)) {
      pattern += '.*';
      at++;
    } else if (character === '*') pattern += '[^/]*';
    else if (character === '?') pattern += '[^/]';
    else if (character === '{' && closing(glob, at, '}') !== -1) {
      const end = closing(glob, at, '}');
      pattern += `(?:${glob
        .slice(at + 1, end)
        .split(',')
        .map(source)
        .join('|')})`;
      at = end;
    } else if (character === '[' && closing(glob, at, ']') > at + 1) {
      const end = closing(glob, at, ']');
      const inner = glob
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')
        .replaceAll('[', '\\[');
      pattern += `[${inner}]`;
      at = end;
    } else pattern += SPECIAL.test(character) || '[]{}'.includes(character) ? `\\${character}` : character;
  }
  return pattern;
}
