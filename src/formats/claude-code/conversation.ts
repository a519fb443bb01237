import type { ContextCut } from '../../content/session-event.ts';
import { LiveContext } from './live-context.ts';
import type { Recording } from './recording.ts';
import type { TreeLine } from './tree-line.ts';
import type { Draft } from './write/draft.ts';

/** An event of a recording, in drafts of entries. */
type DraftEvent =
  | { readonly kind: 'add'; readonly draft: Draft }
  | { readonly kind: 'replace'; readonly drafts: readonly Draft[]; readonly by?: ContextCut };

/** The events of a recording and the live context at its end. */
export interface RecordedConversation {
  readonly events: readonly DraftEvent[];
  readonly live: readonly Draft[];
}

/** The messages from the root to `tip`. */
function pathTo(tip: TreeLine | undefined): TreeLine[] {
  const path: TreeLine[] = [];
  for (let line = tip; line; line = line.anchor) path.push(line);
  return path.reverse();
}

/** The lines that compactions on the path preserved, by the line after which they are sent. */
function preservedOn(path: ReadonlySet<TreeLine>, byId: Recording['byId']): Map<TreeLine, Set<TreeLine>> {
  const behind = new Map<TreeLine, Set<TreeLine>>();
  for (const boundary of path) {
    if (!boundary.preserved) continue;
    const { anchorId, uuids, headId, tailId } = boundary.preserved;
    const kept = uuids.flatMap((uuid) => byId.get(uuid) ?? []);
    if (kept.length === 0 && headId !== undefined) {
      let line = byId.get(tailId ?? '');
      for (; line && line.uuid !== headId; line = line.parent) kept.push(line);
      if (line) kept.push(line);
    }
    const anchor = byId.get(anchorId ?? '');
    const place = anchor && path.has(anchor) ? anchor : boundary;
    behind.set(place, new Set(kept.filter((line) => line.kind !== 'link' && !path.has(line))));
  }
  return behind;
}

/** The context of a model call after `tip`, from the lines up to number `limit`. O(lines). */
function contextAt(tip: TreeLine | undefined, { tree, byId }: Recording, limit: number): LiveContext {
  const path = new Set(pathTo(tip));
  const behind = preservedOn(path, byId);
  const context = new LiveContext();
  context.reserve(path);
  for (const kept of behind.values()) context.reserve(kept);
  for (const { cleared } of path) if (cleared) context.clear(cleared);
  const pushMembers = (members: ReadonlySet<TreeLine>, end: number): void => {
    for (const line of tree) {
      if ((line.lines[0] ?? 0) > end) break;
      if (line.kind === 'link' || context.has(line)) continue;
      if (!members.has(line) && !context.isFan(line)) continue;
      context.push(line);
      const kept = behind.get(line);
      if (kept && members === path) pushMembers(kept, line.lines[0] ?? 0);
    }
  };
  pushMembers(path, limit);
  return context;
}

const isPlain = ({ kind }: TreeLine): boolean => kind === 'user' || kind === 'note';

/** Reads a recording line by line and records the events of its context. */
class Follower {
  readonly events: DraftEvent[] = [];
  context = new LiveContext();
  readonly #recording: Recording;
  readonly #answered = new Set<string>();
  #reported = 0;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  follow(line: TreeLine): void {
    if (line.kind === 'link') return;
    if (this.context.isFan(line)) this.context.push(line);
    else if (line.kind === 'ai' && !this.#answered.has(line.groupId ?? '')) {
      // An answer: the model saw the path to this line. Messages without an answer, and the copies of answers in a
      // resumed session, count when an answer follows them.
      this.#answered.add(line.groupId ?? '');
      this.moveTo(line.anchor, (line.lines[0] ?? 0) - 1);
      this.context.push(line);
    }
    this.#report();
  }

  moveTo(tip: TreeLine | undefined, limit: number): void {
    const ahead: TreeLine[] = [];
    let base = tip;
    for (; base && !this.context.has(base); base = base.anchor) ahead.push(base);
    const isForward = base ? this.context.isTip(base) : this.context.drafts.length === 0;
    if (isForward && ahead.every((line) => isPlain(line) && !this.context.isAnswered(line))) {
      for (const line of ahead.reverse()) this.context.push(line);
      this.context.flush();
    } else this.#rebuild(tip, limit);
    this.#report();
  }

  #report(): void {
    const { drafts } = this.context;
    for (; this.#reported < drafts.length; this.#reported++)
      this.events.push({ kind: 'add', draft: drafts[this.#reported] as Draft });
  }

  #rebuild(tip: TreeLine | undefined, limit: number): void {
    const earlier = this.context;
    const before = earlier.drafts;
    // Its last one, if the agent cut its context several times.
    const by = pathTo(tip).findLast((line) => line.cut && !earlier.has(line))?.cut;
    this.context = contextAt(tip, this.#recording, limit);
    this.context.flush();
    this.context.adopt(before);
    const { drafts } = this.context;
    let shared = 0;
    while (shared < before.length && drafts[shared] === before[shared]) shared++;
    // A recording can start with a cut: then nothing precedes it.
    if (shared === before.length && !(by && shared === 0)) return;
    // Messages after the last answer are new; the model saw everything before, or the agent preserved it.
    const seen = drafts.findLastIndex(({ speaker, lines }) => speaker !== 'human' || lines[0]?.isSummary === true) + 1;
    this.#reported = Math.max(shared, seen);
    this.events.push({ kind: 'replace', drafts: drafts.slice(0, this.#reported), ...(by && { by }) });
  }
}

/** The context of each model call, in the order of the file, and the one at the end. */
export function followConversation(recording: Recording): RecordedConversation {
  const follower = new Follower(recording);
  for (const line of recording.tree) follower.follow(line);
  follower.moveTo(recording.leaf, recording.lineCount);
  return { events: follower.events, live: follower.context.drafts };
}

/** Lines that are live at the end but not on its path, because compactions preserved them. */
export function preservedLines({ leaf, byId }: Recording): ReadonlySet<TreeLine> {
  const kept = preservedOn(new Set(pathTo(leaf)), byId);
  return new Set([...kept.values()].flatMap((lines) => [...lines]));
}
