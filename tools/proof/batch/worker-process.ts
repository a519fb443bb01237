/** A worker in a process of its own, which counts on the server what it computes. Its argument is the URL of a Redis. */
import { FileWorker } from '../../../src/fleet/batch/file-worker.ts';
import { openRedis } from '../../../src/fleet/redis.ts';
import type { FileAnswers, FileQuestion } from '../../../src/lab/files/file-answers.ts';
import { FileThreads } from '../../../src/lab/files/file-threads.ts';
import { COMPUTED } from './computed.ts';

const [url = ''] = process.argv.slice(2);
const redis = await openRedis(url);
const threads = new FileThreads<FileQuestion, unknown>(1, new URL('salted-session.js', import.meta.url));
const answers: FileAnswers<FileQuestion, unknown> = {
  ask: (questions, onDone) =>
    threads.ask(questions, async (outcome) => {
      await redis.incr(COMPUTED);
      await onDone(outcome);
    }),
  close: () => threads.close(),
};
await FileWorker.start({
  url,
  kinds: ['compare'],
  answers: () => answers,
  onShard: () => {},
  onError: (error) => console.log(error.message),
});
console.log('ready');
