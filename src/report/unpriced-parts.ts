import type { UnpricedPart } from '../economics/served-price.ts';
import { counted } from './figures.ts';

const PLAIN_NAME = /^[\w.-]{1,40}$/;

/** Only names that a provider can have given. */
const plain = (name: string): string => (PLAIN_NAME.test(name) ? name : 'something with an odd name');

/** One part in words: `12 uses of web_search`. */
function words({ part, name, count }: UnpricedPart): string {
  switch (part) {
    case 'serverTools':
      return counted(count, `use of ${plain(name)}`, `uses of ${plain(name)}`);
    case 'innerCalls':
      return counted(count, `inner call (${plain(name)})`, `inner calls (${plain(name)})`);
    case 'service':
      return `${counted(count, 'call')} with the service ${plain(name)}, counted at standard prices`;
    case 'region':
      return `${counted(count, 'call')} in the region ${plain(name)}, counted at standard prices`;
  }
}

/** A sentence about what was billed without a known price; none without such parts. */
export const unpricedNote = (parts: readonly UnpricedPart[]): readonly string[] =>
  parts.length === 0 ? [] : [`No price is known of ${parts.map(words).join('; ')}.`];
