import { fieldOf, isRecord } from '../foreign-value.ts';

/**
 * Parameters that ask what a call would do. Source: `dryRun` of the reference file system server of MCP, `dry_run: "diff"` of
 * https://github.com/bhauman/clojure-mcp/pull/122, `validate_only` of https://google.aip.dev/163.
 */
const PREVIEW_KEYS: readonly string[] = [
  'dry_run',
  'dryRun',
  'dryrun',
  'dry-run',
  'preview',
  'preview_only',
  'previewOnly',
  'validate_only',
  'validateOnly',
];

/** Texts of a parameter that is off. */
const OFF: ReadonlySet<unknown> = new Set(['', 'false', 'no', 'none', 'off', '0']);

/** True if a call only shows what it would do: one of these parameters is true, or a text such as `diff`. */
export function isPreview(parameters: unknown): boolean {
  if (!isRecord(parameters)) return false;
  return PREVIEW_KEYS.some((key) => {
    const value = fieldOf(parameters, key);
    return value === true || (typeof value === 'string' && !OFF.has(value.toLowerCase()));
  });
}
