import { shorterSessions } from '../../../sessions/prompts/shorter-sessions.ts';
import { commandName } from '../../output/next-step.ts';
import { isResumable } from '../prune/start/resumable.ts';

/** What a run left behind. */
interface Leaving {
  /** The command that wraps the agent again. */
  readonly wrapLine: string;
  readonly folder: string;
  readonly startedAt: number;
}

/** Says that the conversations of a run were sent in shorter forms, and how to go on from them without loss. */
export function leavingLine({ wrapLine, folder, startedAt }: Leaving): string {
  const sessions = shorterSessions(folder, startedAt);
  const resumes = sessions
    .filter(isResumable)
    .map(({ path: file }) => `\`density optimize ${commandName(file)} --start\``);
  const [these, them] = sessions.length > 1 ? ['these conversations were', 'them'] : ['this conversation was', 'it'];
  const ways = [`through \`${wrapLine}\``, ...(resumes.length === 0 ? [] : [`or with ${resumes.join(', ')}`])];
  return `${these} sent in shorter forms; resume ${them} ${ways.join(', ')}. The agent alone would send the whole texts, and write them to the cache`;
}
