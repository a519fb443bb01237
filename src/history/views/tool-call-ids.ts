/** Makes the canonical id of the next call of a turn; what a provider calls it may be given. */
export type IdGenerator = (providerName?: string, rawId?: string, toolName?: string) => string;

/** Where a call was made. `callIndex` counts the calls of a turn from 0. */
export interface CallOrigin {
  readonly turnKey: string;
  readonly callIndex: number;
  readonly providerName?: string | undefined;
  readonly rawId?: string | undefined;
  readonly toolName?: string | undefined;
}

/** Loaded with the first id: importing it takes a tenth of the time that `.` takes to load. */
const cryptography = () => process.getBuiltinModule('node:crypto');

/** A key that no other turn has: `turn_<uuid>`. */
export const createTurnKey = (): string => `turn_${cryptography().randomUUID()}`;

const CANONICAL = 'hist_tool_';
/** What OpenAI and Anthropic put before their ids. */
const VENDOR_PREFIX = /^(?:call_|toolu_)/;

/**
 * `hist_tool_<hash>`, the same for equal origins. With an id of the provider only that id, without its vendor's prefix,
 * provider and tool decide; turn and index decide without one. A canonical id is returned as it is. A provider that
 * repeats its ids gets equal ones: a result belongs to the nearest call before it (docs/readings.md, rows 7 and 42).
 */
export function historyToolId({ turnKey, callIndex, providerName, rawId, toolName }: CallOrigin): string {
  if (rawId?.startsWith(CANONICAL)) return rawId;
  const provider = providerName ?? null;
  const tool = toolName ?? null;
  const parts = JSON.stringify(
    rawId ? [provider, rawId.replace(VENDOR_PREFIX, ''), tool] : [turnKey, callIndex, provider, null, tool],
  );
  return `${CANONICAL}${cryptography().createHash('sha256').update(parts).digest('hex').slice(0, 24)}`;
}

/** Ids of the calls of one turn, in the order asked for. */
export function idGenerator(turnKey: string): IdGenerator {
  let callIndex = 0;
  return (providerName, rawId, toolName) =>
    historyToolId({ turnKey, callIndex: callIndex++, providerName, rawId, toolName });
}
