import { pi as vocabulary } from '../../content/vocabularies/pi.ts';
import type { SessionFormat } from '../contract.ts';
import { headLines } from '../json/json-file.ts';
import { createSession } from './create.ts';
import { USAGE_REPORTS } from './entry.ts';
import { isHeader, readTree, sessionFacts } from './tree.ts';
import { writeTree } from './write.ts';

const NAME = 'pi';

/**
 * Sessions of pi, `~/.pi/agent/sessions/--<cwd>--/*.jsonl`: a tree of entries (version 3) or a list (version 1). Live is the
 * path to the last line: the summary of its last compaction, the entries that it kept, and later entries. `details`, labels
 * and `custom` entries are not sent. One entry is one line.
 * Source: sessions of versions 1 and 3; badlogic/pi-mono, packages/coding-agent/src/core/session-manager.ts
 */
export const pi: SessionFormat = {
  name: NAME,
  title: 'pi session',
  vocabulary,
  detect: (head) => isHeader(headLines(head)[0]),
  read(lines) {
    const tree = readTree(lines);
    return { format: NAME, ...sessionFacts(tree), events: tree.events, skipped: tree.skipped };
  },
  write: writeTree,
  usageReports: USAGE_REPORTS,
  create: createSession,
};
