import type { IContent } from '../content.ts';
import type { ToolVocabulary } from '../vocabularies/vocabulary.ts';
import { toolDefinition } from './tool-definition.ts';
import { plainToolName } from './tool-name.ts';

/** A tool that may read or write files; which of them is not known. */
export interface UnknownTool {
  readonly name: string;
  readonly calls: number;
}

/** Plain names of tools that plan, ask, search the web or start agents: they read and write no file themselves. */
const WITHOUT_FILES = new Set(
  (
    'todowrite todoread todolist updatetodolist updateplan plan task agent skill think finish submit complete ' +
    'attemptcompletion askfollowupquestion askuserquestion question requestuserinput newtask switchmode ' +
    'exitplanmode enterplanmode webfetch websearch googlewebsearch fetchwebpage savememory reportintent toolsearch ' +
    'taskcreate taskupdate tasklist taskget taskoutput taskstop killshell killbash bashoutput sleep wait ' +
    'spawnagent sendinput closeagent waitagent readbash writebash stopbash readpowershell writepowershell ' +
    'stoppowershell writestdin listmcpresources readmcpresource slashcommand schedulewakeup monitor sendmessage'
  ).split(' '),
);

/** The unknown tools that are called, most called first. Linear in calls. */
export function unknownTools(history: readonly IContent[], vocabulary: ToolVocabulary): UnknownTool[] {
  const calls = new Map<string, number>();
  for (const { blocks } of history) {
    for (const block of blocks) {
      if (block.type !== 'tool_call' || toolDefinition(vocabulary, block) !== undefined) continue;
      if (!WITHOUT_FILES.has(plainToolName(block.name))) calls.set(block.name, (calls.get(block.name) ?? 0) + 1);
    }
  }
  return [...calls].map(([name, count]) => ({ name, calls: count })).sort((one, other) => other.calls - one.calls);
}
