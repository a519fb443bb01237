import { isMainThread } from 'node:worker_threads';
import { answerMemory } from './thread-memory.ts';

if (!isMainThread) answerMemory();

/** The engine's own thread, which also says what memory it takes. */
export { default } from '../workers/engine.ts';
