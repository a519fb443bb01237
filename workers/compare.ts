import { type ComparisonQuestion, compareFile } from '../src/lab/compared-file.ts';

import { answering } from '../src/threads/answer.ts';

export default answering(({ path, policies }: ComparisonQuestion) => compareFile(path, policies));
