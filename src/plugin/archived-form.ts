import { archiveName, BlockArchive } from '../disk/block-archive.ts';
import { withWaysBack } from '../strategies/high-density/repeated-lines/line-notes.ts';
import { withWayBack } from '../strategies/high-density/shapers/markers.ts';
import type { NewResult } from './new-form.ts';

interface Archiving extends Pick<NewResult, 'call' | 'response'> {
  /** Of the archive. */
  readonly folder: string;
  /** True if the model has the tool that gives archived texts. */
  readonly hasRecall: boolean;
}

/** A form whose whole text is in the archive when this returns. Its markers say how to get it, if the model can: a hook cannot put it back. @throws the system's error. */
export async function archivedForm(form: string, { call, response, folder, hasRecall }: Archiving): Promise<string> {
  // Here nothing is deleted: that would take longer than a hook may. `density mcp` does it.
  const archive = new BlockArchive(folder, { mostBytes: Number.POSITIVE_INFINITY });
  await archive.keep([call, response]);
  if (!hasRecall) return form;
  const wayBack = `recall ${archiveName(response)}`;
  return withWayBack(withWaysBack(form, wayBack), wayBack);
}
