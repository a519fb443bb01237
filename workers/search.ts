import { searchFiles } from '../src/chat/tools/search/search-files.ts';
import { answering } from '../src/threads/answer.ts';

export default answering(searchFiles);
