const LATEST_DATE_MS = 8.64e15;

/** Milliseconds since 1970 as ISO 8601; 1970 for a time outside its range. */
export function isoTime(timeMs: number): string {
  return new Date(Math.abs(timeMs) <= LATEST_DATE_MS ? timeMs : 0).toISOString();
}

/** The time of an ISO 8601 text or a number, in milliseconds since 1970; `undefined` for any other value. */
export function timeOf(value: unknown): number | undefined {
  const timeMs = typeof value === 'string' ? Date.parse(value) : value;
  return typeof timeMs === 'number' && Number.isFinite(timeMs) ? timeMs : undefined;
}
