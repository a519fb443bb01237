// An extension that `density wrap pi` adds: a tool that would write a marker is not run.
import { refusal } from './ask.js';

export default function densityGuard(pi) {
  pi.on('tool_call', async ({ toolName, input }, context) => {
    const session = context?.sessionManager?.getSessionId?.() ?? `pi-${process.pid}`;
    const reason = await refusal({ tool: toolName, input, session, folder: context?.cwd ?? process.cwd() });
    return reason === undefined ? undefined : { block: true, reason };
  });
}
