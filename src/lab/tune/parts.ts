import { append } from '../../content/append.ts';
import { groupBy } from '../../content/group-by.ts';
import type { ComparedFile } from '../compared-file.ts';

/** Sessions in two parts: a profile is chosen on one and checked on the other. */
export interface Parts {
  /** What is never divided between the parts. */
  readonly by: 'project' | 'session';
  readonly chosenOn: readonly ComparedFile[];
  readonly heldOut: readonly ComparedFile[];
}

/** With fewer projects one of them would be most of a part. */
const MIN_PROJECTS = 4;

interface Part {
  readonly files: ComparedFile[];
  edits: number;
  calls: number;
}

/**
 * Deals whole projects to two parts of about as many evidenced edits and calls; single sessions if there are too few
 * projects. It looks at no regret, and the same sessions are always dealt in the same way.
 */
export function dealParts(files: readonly ComparedFile[]): Parts {
  const projects = new Set(files.map(({ project }) => project ?? ''));
  const by = projects.size < MIN_PROJECTS ? 'session' : 'project';
  const groups = [...groupBy(files, (file) => (by === 'session' ? file.path : (file.project ?? ''))).values()];
  const dealt = groups
    .map((own) => ({ own, edits: sum(own, 'evidencedEdits'), calls: sum(own, 'calls'), name: own[0]!.path }))
    .sort((one, other) => other.edits - one.edits || other.calls - one.calls || (one.name < other.name ? -1 : 1));
  const parts: [Part, Part] = [
    { files: [], edits: 0, calls: 0 },
    { files: [], edits: 0, calls: 0 },
  ];
  for (const { own, edits, calls } of dealt) {
    const [first, second] = parts;
    // Groups without edits balance the calls.
    const isFirst = edits > 0 ? first.edits <= second.edits : first.calls <= second.calls;
    const part = isFirst ? first : second;
    append(part.files, own);
    part.edits += edits;
    part.calls += calls;
  }
  return { by, chosenOn: parts[0].files, heldOut: parts[1].files };
}

const sum = (files: readonly ComparedFile[], key: 'evidencedEdits' | 'calls'): number =>
  files.reduce((total, { outcomes }) => total + (outcomes[0]?.[key] ?? 0), 0);
