import { compareFile } from '../src/lab/compared-file.ts';
import type { ComparisonRequest } from '../src/lab/comparison-threads.ts';
import { answering } from '../src/threads/answer.ts';

export default answering(({ path, policies }: ComparisonRequest) => compareFile(path, policies));
