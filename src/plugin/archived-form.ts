import { archiveName, BlockArchive } from '../disk/block-archive.ts';
import { withWaysBack } from '../strategies/high-density/repeated-lines/line-notes.ts';
import { withWayBack } from '../strategies/high-density/shapers/markers.ts';
import type { NewResult } from './new-form.ts';

/** A form whose markers name the whole text, which is in the archive when this returns: a hook cannot put it back. @throws the system's error. */
export async function archivedForm(
  form: string,
  { call, response }: Pick<NewResult, 'call' | 'response'>,
  folder: string,
): Promise<string> {
  // Here nothing is deleted: that would take longer than a hook may. `density mcp` does it.
  const archive = new BlockArchive(folder, { mostBytes: Number.POSITIVE_INFINITY });
  await archive.keep([call, response]);
  const wayBack = `recall ${archiveName(response)}`;
  return withWayBack(withWaysBack(form, wayBack), wayBack);
}
