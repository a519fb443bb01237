import { claudeCode } from './claude-code.ts';
import { openhands } from './openhands.ts';
import type { ToolVocabulary } from './vocabulary.ts';

/** The agents that Terminal-Bench runs: its own Terminus, which types into one terminal, OpenHands and Claude Code. */
export const terminus: ToolVocabulary = {
  name: 'terminus',
  tools: {
    ...claudeCode.tools,
    ...openhands.tools,
    bash_command: { role: 'shell', parser: 'shell', textKeys: ['keystrokes'], keepsDirectory: true },
  },
};
