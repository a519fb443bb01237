import type * as Api from '@opentelemetry/api';

/** Where an SDK of OpenTelemetry registers itself for all copies of its API. Source: @opentelemetry/api 1.x, `global-utils`. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** True if this process registered an SDK of OpenTelemetry. */
export const hasHostTelemetry = (): boolean => REGISTERED in globalThis;

/** The API of OpenTelemetry if an SDK is registered; else undefined, and nothing is loaded. */
export async function hostTelemetry(): Promise<typeof Api | undefined> {
  if (!hasHostTelemetry()) return undefined;
  try {
    return await import('@opentelemetry/api');
  } catch {
    // The SDK is in a folder that we cannot load from.
    return undefined;
  }
}

/**
 * Does the work, in a span of the host's SDK with the attributes of its result; without an SDK this is only a call. Source:
 * docs/team.md, "OpenTelemetry". @throws what `work` throws, unchanged.
 */
export function traced<Result>(
  name: string,
  work: () => Promise<Result>,
  attributesOf: (result: Result) => Api.Attributes,
): Promise<Result> {
  return hasHostTelemetry() ? inSpan(name, work, attributesOf) : work();
}

async function inSpan<Result>(
  name: string,
  work: () => Promise<Result>,
  attributesOf: (result: Result) => Api.Attributes,
): Promise<Result> {
  const api = await hostTelemetry();
  if (api === undefined) return work();
  return api.trace.getTracer('high-density').startActiveSpan(name, async (span) => {
    try {
      const result = await work();
      span.setAttributes(attributesOf(result));
      return result;
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
