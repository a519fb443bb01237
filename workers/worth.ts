import { sessionWorth } from '../src/lab/played/session-worth.ts';
import { answering } from '../src/threads/answer.ts';

export default answering(sessionWorth);
