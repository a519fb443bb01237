import path from 'node:path';
import { filesBelow } from '../../../chat/tools/search/files-below.ts';
import { fileTexts } from '../../../guard/file-texts.ts';
import { type MarkerLine, markerLines } from '../../../guard/marker-lines.ts';

/** A line of a file with a marker; `file` is relative to the folder. */
export interface MarkedFile extends MarkerLine {
  readonly file: string;
}

/** The markers in the files of a folder, by file and line. */
export async function markerFiles(folder: string): Promise<readonly MarkedFile[]> {
  const found: MarkedFile[] = [];
  for await (const file of filesBelow(folder)) {
    const [text] = fileTexts([file]);
    for (const line of text === undefined ? [] : markerLines(text))
      found.push({ file: path.relative(folder, file), ...line });
  }
  return found;
}
