import { LiveContext } from './live-context.ts';
import type { Recording } from './recording.ts';
import type { TreeLine } from './tree-line.ts';
import type { Draft } from './write/draft.ts';

/** What happened to the context of a recording, in drafts of entries. */
type DraftEvent =
  | { readonly kind: 'add'; readonly draft: Draft }
  | { readonly kind: 'replace'; readonly drafts: readonly Draft[] };

/** A recording as a sequence of contexts, and the last of them. */
export interface Conversation {
  readonly events: readonly DraftEvent[];
  readonly live: readonly Draft[];
}

/** Messages from the root to `tip`, which is the last. */
function pathTo(tip: TreeLine | undefined): TreeLine[] {
  const path: TreeLine[] = [];
  for (let line = tip; line; line = line.anchor) path.push(line);
  return path.reverse();
}

/** Lines that compactions on the path carried over, by the line behind which they stand. */
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

/** Everything that is sent when the conversation stands at `tip`, of the lines up to number `limit`. O(lines). */
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

/** Follows a recording line by line and notes how what the model saw grew, or was replaced. */
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
      // The model was asked, and what it saw is what leads here. Words that nobody answered, and copies of an answer
      // that a resumed session makes, are looked at when an answer hangs on them.
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
    const before = this.context.drafts;
    this.context = contextAt(tip, this.#recording, limit);
    this.context.flush();
    this.context.adopt(before);
    const { drafts } = this.context;
    let shared = 0;
    while (shared < before.length && drafts[shared] === before[shared]) shared++;
    if (shared === before.length) return;
    // Words behind the last answer are new; everything up to it the model has seen before, or the agent carried over.
    const seen = drafts.findLastIndex(({ speaker, lines }) => speaker !== 'human' || lines[0]?.isSummary === true) + 1;
    this.#reported = Math.max(shared, seen);
    this.events.push({ kind: 'replace', drafts: drafts.slice(0, this.#reported) });
  }
}

/** What the model saw, call by call: the context of each answer in the order of the file, and the one at the end. */
export function followConversation(recording: Recording): Conversation {
  const follower = new Follower(recording);
  for (const line of recording.tree) follower.follow(line);
  follower.moveTo(recording.leaf, recording.lineCount);
  return { events: follower.events, live: follower.context.drafts };
}

/** Lines that are live at the end and not on the path to it: compactions carried them over. */
export function preservedLines({ leaf, byId }: Recording): ReadonlySet<TreeLine> {
  const kept = preservedOn(new Set(pathTo(leaf)), byId);
  return new Set([...kept.values()].flatMap((lines) => [...lines]));
}
