/** Notices that differ only in numbers and quoted messages. */
interface NoticeKind {
  readonly first: string;
  readonly count: number;
}

/** The kinds of notices, the most frequent first. */
export function noticeKinds(notices: readonly string[]): NoticeKind[] {
  const kinds = new Map<string, { readonly first: string; count: number }>();
  for (const notice of notices) {
    const kind = notice
      .replaceAll(/“[^”]*(?:”|$)/g, '“…”')
      .replaceAll(/“…”, (?=“…”)/g, '')
      .replaceAll(/\d+/g, '#')
      .replaceAll(/\bentry\b/g, 'entries');
    const known = kinds.get(kind) ?? { first: notice, count: 0 };
    known.count++;
    kinds.set(kind, known);
  }
  return [...kinds.values()].sort((one, other) => other.count - one.count);
}
