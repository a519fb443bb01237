import { fileCuts } from '../src/lab/cuts/file-cuts.ts';
import type { FileQuestion } from '../src/lab/files/file-answers.ts';
import { answering } from '../src/threads/answer.ts';

export default answering(({ path }: FileQuestion) => fileCuts(path));
