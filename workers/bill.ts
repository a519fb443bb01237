import { answeringFiles } from '../src/lab/files/answering-files.ts';
import { billedFile } from '../src/lab/files/billed-file.ts';

export default answeringFiles(billedFile);
