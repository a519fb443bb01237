import { compareFile } from '../src/lab/compared-file.ts';
import { answeringFiles } from '../src/lab/files/answering-files.ts';

export default answeringFiles(compareFile);
