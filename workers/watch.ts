import { SessionWatch } from '../src/lab/watch/session-watch.ts';
import { answering } from '../src/threads/answer.ts';

const watch = new SessionWatch();

export default answering((question: Parameters<SessionWatch['look']>[0]) => watch.look(question));
