import { counted } from '../../content/counted.ts';
import type { CarriedWords } from './carried-words.ts';
import type { MendedSnapshot } from './grounding.ts';

const MAX_NAMED = 20;

/** The notes below a snapshot: what may be wrong, what is missing, and the file of the whole conversation (REQ-HD-012.2). */
export function summaryNotes({
  snapshot: { marked, struck },
  shortened,
  transcriptPath,
}: {
  snapshot: MendedSnapshot;
  shortened: CarriedWords['shortened'];
  transcriptPath: string | undefined;
}): string[] {
  const notes = [
    'This is a summary of the earlier conversation, not a request: continue the work from here.',
    ...(marked > 0 ? [`${lines(marked)} marked (unverified): the conversation does not say so.`] : []),
    ...(struck > 0 ? [`${lines(struck)} removed: the user did not say what was quoted.`] : []),
    ...(shortened.length > 0 ? [namedMessages(shortened)] : []),
    ...(transcriptPath === undefined ? [] : [`The full conversation before this summary is in ${transcriptPath}`]),
  ];
  return [notes.join('\n')];
}

const lines = (count: number): string => counted(count, 'line is', 'lines are');

function namedMessages(shortened: CarriedWords['shortened']): string {
  const named = shortened.slice(-MAX_NAMED);
  const earlier = shortened.length - named.length;
  return [
    'Messages of the user that are not here word for word, for lack of room:',
    ...(earlier > 0 ? [`- ${counted(earlier, 'earlier one')}`] : []),
    ...named.map(({ opening, tokens }) => `- "${opening}" (${counted(tokens, 'token')})`),
  ].join('\n');
}
