import type { ContentBlock, ToolCallBlock } from '../content.ts';
import { fieldOf, isRecord, keysOf } from '../foreign-value.ts';
import { isAmbiguous, type PairedCall, type PairedResponse } from './pairing.ts';

/** Who made a call: a field of the call in APIs, one among the options of a provider in the AI SDK. */
function callerIn(fields: object): unknown {
  const own = fieldOf(fields, 'caller');
  if (own !== undefined) return own;
  const options = keysOf(fields).map((key) => fieldOf(fields, key));
  return options.flatMap((one) => (isRecord(one) ? (fieldOf(one, 'caller') ?? []) : []))[0];
}

const isProgram = (caller: unknown): boolean => {
  const type = isRecord(caller) ? fieldOf(caller, 'type') : undefined;
  return typeof type === 'string' && type !== 'direct';
};

/**
 * What a block keeps of the fields of its call or result: the caller, if that is a program. Source: `caller` of
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling and of the Responses API.
 */
export function callerFacts(fields: unknown): Pick<ToolCallBlock, 'providerMetadata'> {
  const caller = isRecord(fields) ? callerIn(fields) : undefined;
  return isProgram(caller) ? { providerMetadata: { caller } } : {};
}

/** True if a program made the call and gets its result: data for code, which no model reads. */
export const isForProgram = ({ providerMetadata }: ContentBlock): boolean =>
  providerMetadata !== undefined && isProgram(callerIn(providerMetadata));

/** True if no rule may read or change a call and its results: a program gets them, or nobody knows which belong together. */
export const isLeftAlone = (paired: PairedCall): boolean => isForProgram(paired.call) || isAmbiguous(paired);

/** The same for a result. */
export const isResultLeftAlone = (paired: PairedResponse): boolean =>
  isResultForProgram(paired) || (paired.call !== undefined && isAmbiguous(paired.call));

/** True if the result, or its call, says that a program gets it. */
export const isResultForProgram = ({ response, call }: PairedResponse): boolean =>
  isForProgram(response) || (call !== undefined && isForProgram(call.call));
