/**
 * The wait that a vendor requests, in milliseconds: from the headers of its answer (lower-case names), or else from the
 * body. Source: RFC 9110, section 10.2.3 (seconds or a date); `retry-after-ms` of OpenAI and Azure; `retryDelay` of
 * google.rpc.RetryInfo.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  body: string,
  now: () => number = Date.now,
): number | undefined {
  const milliseconds = numberIn(headers['retry-after-ms']);
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const text = headers['retry-after'];
  const seconds = numberIn(text) ?? numberIn(/"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = text !== undefined && /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
