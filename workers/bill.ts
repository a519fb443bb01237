import { billedFile } from '../src/lab/files/billed-file.ts';
import type { FileQuestion } from '../src/lab/files/file-answers.ts';
import { answering } from '../src/threads/answer.ts';

export default answering(({ path }: FileQuestion) => billedFile(path));
