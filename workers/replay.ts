import { type PlayQuestion, playedFile } from '../src/lab/files/played-file.ts';
import { answering } from '../src/threads/answer.ts';

export default answering((question: PlayQuestion) => playedFile(question));
