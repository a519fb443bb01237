// A plugin that `density wrap opencode` adds: a tool that would write a marker is not run.
import { refusal } from './ask.js';

export const DensityGuard = async ({ directory }) => ({
  'tool.execute.before': async ({ tool, sessionID }, { args }) => {
    const reason = await refusal({ tool, input: args, session: sessionID, folder: directory });
    if (reason !== undefined) throw new Error(reason);
  },
});
