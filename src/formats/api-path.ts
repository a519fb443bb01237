/** The APIs whose requests are known. */
export type ApiName = 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'gemini-api';

/** What the path of a request says. */
export interface PathFacts {
  readonly api: ApiName;
  /** True for a request that only counts. */
  readonly isCount: boolean;
  /** Where the path names it (Gemini). */
  readonly model?: string;
  /** True for a request for a summary of its conversation. */
  readonly isSummary?: boolean;
  /** True if the request of the API is a part of the body (Code Assist, which a login of Gemini CLI uses). */
  readonly isInner?: boolean;
}

/** Matched against the end of the path, so that any path may stand before it. */
const PATHS: readonly (Omit<PathFacts, 'isCount' | 'model'> & { readonly path: RegExp; readonly isCount?: boolean })[] =
  [
    { path: /\/messages$/, api: 'anthropic-messages' },
    { path: /\/messages\/count_tokens$/, api: 'anthropic-messages', isCount: true },
    { path: /\/responses$/, api: 'openai-responses' },
    // Source: Codex, codex-rs/codex-api/src/endpoint/compact.rs (before 0.169.0).
    { path: /\/responses\/compact$/, api: 'openai-responses', isSummary: true },
    { path: /\/chat\/completions$/, api: 'openai-chat' },
    { path: /\/models\/([^/:]+):(?:stream)?[gG]enerateContent$/, api: 'gemini-api' },
    { path: /\/models\/([^/:]+):countTokens$/, api: 'gemini-api', isCount: true },
    { path: /\/v1internal:(?:stream)?[gG]enerateContent$/, api: 'gemini-api', isInner: true },
    { path: /\/v1internal:countTokens$/, api: 'gemini-api', isInner: true, isCount: true },
  ];

/** The API that is asked by a POST to this path; undefined if we do not know it. */
export function apiOfPath(pathname: string): PathFacts | undefined {
  for (const { path, isCount = false, ...facts } of PATHS) {
    const match = path.exec(pathname);
    if (match) return { ...facts, isCount, ...(match[1] !== undefined && { model: decoded(match[1]) }) };
  }
  return undefined;
}

/** What is not encoded as it should be is the name as it came. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
