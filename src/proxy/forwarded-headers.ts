/** Headers that belong to one connection and not to the message. Source: RFC 9110, section 7.6.1. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What a header lists with commas, without the empty. */
export const listed = (value: string): string[] =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

/**
 * Names and values, one after the other, as they came, without those of the connection and those named in `without`
 * (lower case). Duplicates, order and case are kept.
 */
export function forwardedHeaders(raw: readonly string[], without: readonly string[] = []): string[] {
  const named = raw.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() === 'connection' ? listed(raw[at + 1]!.toLowerCase()) : [],
  );
  const removed = new Set([...HOP_BY_HOP, ...named, ...without]);
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!removed.has(raw[at]!.toLowerCase())) kept.push(raw[at]!, raw[at + 1]!);
  }
  return kept;
}
