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

/** `hist_tool_<hash>`, the same for equal origins. */
export function historyToolId({ turnKey, callIndex, providerName, rawId, toolName }: CallOrigin): string {
  const parts = JSON.stringify([turnKey, callIndex, providerName ?? null, rawId ?? null, toolName ?? null]);
  return `hist_tool_${cryptography().createHash('sha256').update(parts).digest('hex').slice(0, 24)}`;
}

/** Ids of the calls of one turn, in the order asked for. */
export function idGenerator(turnKey: string): IdGenerator {
  let callIndex = 0;
  return (providerName, rawId, toolName) =>
    historyToolId({ turnKey, callIndex: callIndex++, providerName, rawId, toolName });
}
