import { answeringFiles } from '../src/lab/files/answering-files.ts';
import { playedFile } from '../src/lab/files/played-file.ts';

export default answeringFiles(playedFile);
