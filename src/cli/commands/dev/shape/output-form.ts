import { createToolResponse, createUserMessage, type IContent } from '../../../../content/content.ts';
import { densityConfig } from '../../../../gate/density/density-step.ts';
import type { AgentRuntimeContext } from '../../../../strategies/contract.ts';
import { HighDensityStrategy } from '../../../../strategies/high-density/high-density.ts';
import type { EditReason } from '../../../../strategies/reasons/edit-reason.ts';
import type { PrintingCall } from './printing-call.ts';

/** How a text that a tool printed is sent for the first time. */
export interface OutputForm {
  readonly text: string;
  /** Why it is another text; empty if it is not. */
  readonly reasons: readonly EditReason[];
}

/** The form of the result of a call that is the first of its conversation, by the settings in force. */
export function outputForm(
  text: string,
  { call, vocabulary, ...context }: PrintingCall & AgentRuntimeContext,
): OutputForm {
  const history: readonly IContent[] = [
    createUserMessage('Run it.'),
    { speaker: 'ai', blocks: [call] },
    createToolResponse(call.id, call.name, text),
  ];
  const { replacements, edits = [] } = new HighDensityStrategy({ vocabulary }).optimize(
    history,
    densityConfig(context),
  );
  const [block] = replacements.get(history.length - 1)?.blocks ?? [];
  const isShaped = block?.type === 'tool_response' && typeof block.result === 'string';
  return isShaped ? { text: block.result, reasons: edits.map(({ reason }) => reason) } : { text, reasons: [] };
}
