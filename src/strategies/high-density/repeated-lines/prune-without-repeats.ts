import type { IContent } from '../../../content/content.ts';
import { addTo } from '../../../content/group-by.ts';
import type { DensityEdit, DensityResult } from '../../contract.ts';
import { withoutEditsOf } from '../../reasons/edit-groups.ts';
import type { Asked } from './asked.ts';
import { isLonger, type LineIndex, MAX_PLACES, type Repeat } from './line-index.ts';
import { lastMarkedAlike, mayHaveNotes, noteOf, notesIn, THIS_RESULT } from './line-notes.ts';
import { type NewForm, type NewResult, newPart, withEdits, withForms } from './new-results.ts';
import { targetOf, withRemovedTargets } from './removed-targets.ts';
import type { RepeatedLines } from './repeated-lines.ts';
import { type ShownText, shownLines } from './shown-text.ts';
import { withChangedLines } from './tenth-numbers.ts';
import { MIN_RUN_CHARACTERS, sameLines, type TextLines, withoutRepeatNotes } from './text-lines.ts';

/** A new result with notes in place of the lines that stand above. */
interface Cut extends NewForm {
  readonly repeats: readonly Repeat[];
}

/** A run with this many characters is worth a note, even if it has few lines. */
const LONG_CHARACTERS = 3_000;
/** A result that is shorter stays whole if hardly anything but notes would be left: a model that asks for ten lines needs them. */
const MIN_ONLY_NOTES = 3_000;
const MIN_LINES_LEFT = 3;
/** Farther back, no call asked for the same because of notes. */
const MAX_ENTRIES_AGAIN = 8;

/** A new result of which some lines are kept. */
interface KeptText {
  readonly shown: ShownText;
  /** By line: true if it is kept so far. */
  readonly isKept: boolean[];
}

/** The lines of new results that are kept, to be named further down in the same result, or by the results after it. */
class KeptLines {
  readonly #places = new Map<number, { readonly text: KeptText; readonly line: number }[]>();
  #current: KeptText | undefined;

  /** Continues with the next result. */
  start(shown: ShownText): void {
    this.#current = { shown, isKept: [] };
  }

  /** Keeps a line of the current result. */
  keep(line: number): void {
    const text = this.#current!;
    text.isKept[line] = true;
    const { lines } = text.shown;
    if (lines.isLandmark(line)) addTo(this.#places, lines.hashOf(line), { text, line });
  }

  /** The longest run of kept lines that the current result has again from this line on. */
  longestFrom(lines: TextLines, first: number): Repeat | undefined {
    const places = this.#places.get(lines.hashOf(first)) ?? [];
    if (places.length > MAX_PLACES) return undefined;
    let best: Repeat | undefined;
    for (const { text, line: from } of places) {
      const count = sameLines(lines, first, { lines: text.shown.lines, from, isShown: text.isKept });
      const repeat = { first, last: first + count - 1, source: text.shown, from };
      if (count > 0 && (best === undefined || isLonger(repeat, best))) best = repeat;
    }
    return best;
  }
}

/**
 * The edits of all rules, and notes in place of lines of new results that stand word for word in what an earlier call showed or
 * wrote: `repeatedLines`. Only results that were not sent yet are changed, so that no cached prefix is lost. The rules see these
 * notes, so that an earlier text is not removed because of a later copy that is not sent; and what the notes name stays with this step. Source:
 * bench/fidelity/README.md; Claude Code, whose Read says instead that a file is unchanged.
 */
export function pruneWithoutRepeats(history: readonly IContent[], asked: Asked): DensityResult {
  const { answerFrom, newFrom, results } = newPart(history);
  const prune = (entries: readonly IContent[]): DensityResult =>
    withRemovedTargets(asked.prune(entries), { history: entries, newFrom, asked, mayWait: true });
  if (asked.inForce.rules.repeatedLines === 0) return prune(history);
  // Also where nothing is new: who runs the rules in slices has the lines in slices then.
  const lines = asked.linesOf(history, newFrom);
  if (results.length === 0) return prune(history);
  const texts = results.map((result) => ({ result, shown: shownText(result, lines) }));
  const kept = new KeptLines();
  const cuts = texts.flatMap((text) => cutOf(text, { history, lines, kept, answerFrom, asked }) ?? []);
  const named = new Set([
    ...cuts.flatMap(({ repeats }) => repeats.map(({ source }) => source.entry)),
    ...namedBefore(texts, history, lines),
  ]);
  if (named.size === 0) return prune(history);
  const shaped = withForms(history, cuts);
  const found = withoutEditsOf(prune(shaped), named, shaped);
  return cuts.length === 0 ? found : withEdits(found, { shaped, edits: cuts.map(editOf) });
}

interface NewText {
  readonly result: NewResult;
  readonly shown: ShownText;
}

function shownText({ entry, block, response, place, call }: NewResult, lines: LineIndex): ShownText {
  const [own] = shownLines(response);
  return { entry, block, owner: response, lines: own!, isWritten: false, call: place, label: lines.labelOf(call) };
}

/** The entries with lines that notes of new results name already, because these rules ran before. */
function namedBefore(texts: readonly NewText[], history: readonly IContent[], lines: LineIndex): number[] {
  return texts.flatMap(({ result: { response, entry } }) =>
    notesIn(response).flatMap((note) => {
      if (note.label === THIS_RESULT) return entry;
      const isNamed = ({ shown }: NewText): boolean => shown.label === note.label && shown.owner !== response;
      const shown = [...lines.labelled(note.label), ...texts.filter(isNamed).map((text) => text.shown)];
      return targetOf(note, shown, (at, block) => history[at]?.blocks[block])?.entry ?? [];
    }),
  );
}

interface Cutting {
  readonly history: readonly IContent[];
  /** The lines that were sent before. */
  readonly lines: LineIndex;
  /** The kept lines of the new results so far. */
  readonly kept: KeptLines;
  readonly answerFrom: number;
  readonly asked: Asked;
}

/** `undefined`: it stays whole. */
function cutOf({ result, shown }: NewText, cutting: Cutting): Cut | undefined {
  const { lines, kept, asked } = cutting;
  const { call, response } = result;
  const { inForce, vocabulary, fileAccess } = asked;
  const { rules, workspaceRoot, protection } = inForce;
  const { result: text } = response;
  const { lines: own } = shown;
  kept.start(shown);
  const { reads } = fileAccess(call, vocabulary, workspaceRoot, { includesShellWrites: rules.shellWrites });
  // What has notes was cut before.
  const isLeftAlone = text.length < MIN_RUN_CHARACTERS || mayHaveNotes(text) || protection.coversCall({ call, reads });
  const repeats: Repeat[] = [];
  let linesLeft = 0;
  for (let line = 0; line < own.count; ) {
    const repeat = isLeftAlone || !own.isLandmark(line) ? undefined : repeatFrom(line, { own, lines, kept });
    if (repeat !== undefined && isWorth(repeat, { own, minLines: rules.repeatedLines })) {
      repeats.push(repeat);
      line = repeat.last + 1;
      continue;
    }
    kept.keep(line);
    if (own.isLandmark(line)) linesLeft++;
    line++;
  }
  if (repeats.length === 0) return undefined;
  const cut = { result, text: withNotes(own, repeats), repeats };
  const isOnlyNotes = text.length < MIN_ONLY_NOTES && linesLeft < MIN_LINES_LEFT;
  if (!isOnlyNotes && !isAskedAgain(cut, cutting)) return cut;
  for (const { first, last } of repeats) for (let line = first; line <= last; line++) kept.keep(line);
  return undefined;
}

interface Texts extends Pick<Cutting, 'lines' | 'kept'> {
  readonly own: TextLines;
}

/** The longest run of lines from this one on that is sent already; further up in the same result it is nearest. */
function repeatFrom(first: number, { own, lines, kept }: Texts): Repeat | undefined {
  const found = lines.longestFrom(own, first);
  const near = kept.longestFrom(own, first);
  const longest = near !== undefined && (found === undefined || near.last >= found.last) ? near : found;
  return longest && sameSigns(longest, own);
}

/** What of a repeat a note can name: lines with the signs that they have in the source, or those of a diff that all have one sign before lines of a text that has none. */
function sameSigns(repeat: Repeat, own: TextLines): Repeat | undefined {
  const { first, from, source } = repeat;
  const last = lastMarkedAlike(own, repeat);
  if (own.isDiff && !source.lines.isDiff) return { ...repeat, last, sign: own.signOf(first) };
  if (!own.isDiff && !source.lines.isDiff) return { ...repeat, last };
  let same = first;
  while (same <= repeat.last && own.signOf(same) === source.lines.signOf(from + same - first)) same++;
  return same === first ? undefined : { ...repeat, last: same - 1 };
}

function isWorth(repeat: Repeat, { own, minLines }: { readonly own: TextLines; readonly minLines: number }): boolean {
  const { first, last } = repeat;
  const length = own.endOf(last) - own.startOf(first);
  const isLong = last - first + 1 >= minLines || length >= LONG_CHARACTERS;
  return isLong && length >= Math.max(MIN_RUN_CHARACTERS, 2 * noteFor(repeat, own).length);
}

function noteFor(repeat: Repeat, own: TextLines): string {
  const start = own.text.slice(own.plainStartOf(repeat.first), own.endOf(repeat.first));
  return noteOf(own, repeat, {
    ...(repeat.source.lines === own ? { label: THIS_RESULT } : repeat.source),
    start,
    sign: repeat.sign,
  });
}

/** The text with notes in place of these runs. */
const withNotes = (own: TextLines, repeats: readonly Repeat[]): string =>
  withChangedLines(own.text, (text) => {
    const lines = text.split('\n');
    const parts = repeats.map((repeat, at) => {
      const from = at === 0 ? 0 : repeats[at - 1]!.last + 1;
      return [...lines.slice(from, repeat.first), noteFor(repeat, own)].join('\n');
    });
    return [...parts, ...lines.slice(repeats.at(-1)!.last + 1)].join('\n');
  });

/** True if one of the last calls asked for the same, and got notes besides the same lines: the model may have missed what they name. */
function isAskedAgain({ result: { call }, text }: Cut, { lines, history, answerFrom }: Cutting): boolean {
  return lines.labelled(lines.labelOf(call)).some(({ owner, call: { entry, block } }) => {
    if (entry < answerFrom - MAX_ENTRIES_AGAIN || owner.type !== 'tool_response' || !mayHaveNotes(owner.result))
      return false;
    const earlier = history[entry]?.blocks[block];
    const isSame =
      earlier?.type === 'tool_call' && JSON.stringify(earlier.parameters) === JSON.stringify(call.parameters);
    return isSame && withoutRepeatNotes(owner.result) === withoutRepeatNotes(text);
  });
}

function editOf({ result, repeats }: Cut): DensityEdit {
  const reason: RepeatedLines = {
    rule: 'repeatedLines',
    call: result.place,
    lines: repeats.map(({ first, last }) => ({ first: first + 1, last: last + 1 })),
    sources: repeats.map(({ source }) => source.call),
  };
  return { entry: result.entry, block: result.block, kind: 'replace', reason };
}
