import type { IContent } from '../../../content/content.ts';
import { labelOfCall } from '../../../content/files/entry-label.ts';
import type { DensityEdit, DensityResult } from '../../contract.ts';
import type { BlockPlace } from '../../reasons/call-place.ts';
import { countEdits } from '../../reasons/edit-counts.ts';
import { type FileCall, placeOfCall } from '../rules/file-call.ts';
import type { Asked } from './asked.ts';
import { areNumberedAlike, noteOf } from './line-notes.ts';
import { type NewResult, newPart } from './new-results.ts';
import { withRemovedTargets } from './removed-targets.ts';
import type { RepeatedLines } from './repeated-lines.ts';
import { type Repeat, repeatsIn } from './repeats.ts';
import { type BlockAt, type Shown, textsOf } from './shown-texts.ts';
import { textLines } from './text-lines.ts';

/** A new result with notes in place of the lines that stand above. */
interface Cut {
  readonly result: NewResult;
  readonly text: string;
  readonly repeats: readonly Repeat<Shown>[];
}

/** Texts in which lines are looked for, the latest ones. */
const MOST_SOURCES = 16;

/**
 * The edits of all rules, and notes in place of lines of new results that stand word for word in what an earlier call on
 * the same file showed or wrote, if that text stays: `repeatedLines`. Only results that were not sent yet are changed, so
 * that no cached prefix is lost. The other rules see these notes, so that an earlier text does not go because of a later
 * copy that is not sent. Source: bench/fidelity/README.md; Claude Code, whose Read says instead that a file is unchanged.
 */
export function pruneWithoutRepeats(history: readonly IContent[], asked: Asked): DensityResult {
  const { answerFrom, newFrom, results } = newPart(history);
  const prune = (entries: readonly IContent[]): DensityResult =>
    withRemovedTargets(asked.prune(entries), { history: entries, newFrom, asked });
  if (asked.inForce.rules.repeatedLines === 0) return prune(history);
  const blockAt: BlockAt = (entry, block) => history[entry]?.blocks[block];
  /** Texts that the other rules remove. */
  const gone = new Set<string>();
  for (;;) {
    const isSource = (one: Shown): boolean => one.call.entry < answerFrom && (gone.size === 0 || !gone.has(keyOf(one)));
    const cuts = results.flatMap(
      (result) =>
        cutOf(
          result,
          sourcesOf(result, { callsOn: (files) => asked.callsOn(files, history, newFrom), isSource, blockAt }, asked),
          asked,
        ) ?? [],
    );
    if (cuts.length === 0) return prune(history);
    const shorter = withCuts(history, cuts);
    const found = prune(shorter);
    const lost = cuts.flatMap(({ repeats }) => repeats).filter((repeat) => !isStillShown(repeat, found));
    if (lost.length === 0) return withEdits(found, { shorter, cuts });
    for (const { source } of lost) gone.add(keyOf(source));
  }
}

const keyOf = ({ entry, block }: BlockPlace): string => `${entry}:${block}`;

/** What earlier calls on the files of a result show, the latest first. */
function sourcesOf(
  { call }: NewResult,
  {
    callsOn,
    isSource,
    blockAt,
  }: {
    /** Those before the results that are new, the latest first. */
    readonly callsOn: (files: readonly string[]) => Iterable<FileCall>;
    readonly isSource: (one: Shown) => boolean;
    readonly blockAt: BlockAt;
  },
  { inForce, vocabulary, fileAccess }: Asked,
): Shown[] {
  const { rules, workspaceRoot, protection } = inForce;
  const { reads } = fileAccess(call, vocabulary, workspaceRoot, { includesShellWrites: rules.shellWrites });
  const sources: Shown[] = [];
  if (reads.length === 0 || protection.coversCall({ call, reads })) return sources;
  for (const other of callsOn(reads)) {
    for (const one of textsOf(other, blockAt)) if (isSource(one)) sources.push(one);
    if (sources.length >= MOST_SOURCES) break;
  }
  return sources;
}

function cutOf(result: NewResult, sources: readonly Shown[], { inForce, vocabulary }: Asked): Cut | undefined {
  if (sources.length === 0) return undefined;
  const { result: text } = result.response;
  const lines = textLines(result.response, [text])[0]!;
  let cut = '';
  let from = 0;
  const repeats = repeatsIn(lines, sources, inForce.rules.repeatedLines).filter((repeat) => {
    if (!areNumberedAlike(lines, repeat)) return false;
    const [start, end] = [lines.starts[repeat.first]!, lines.starts[repeat.last + 1]! - 1];
    const note = noteOf(lines, repeat, labelOfCall(repeat.source.call.call, vocabulary));
    if (end - start < 2 * note.length) return false;
    cut += text.slice(from, start) + note;
    from = end;
    return true;
  });
  return repeats.length === 0 ? undefined : { result, text: cut + text.slice(from), repeats };
}

function withCuts(history: readonly IContent[], cuts: readonly Cut[]): IContent[] {
  const shorter = [...history];
  for (const { result, text } of cuts) {
    const { entry, block, response } = result;
    const blocks = [...shorter[entry]!.blocks];
    blocks[block] = { ...response, result: text };
    shorter[entry] = { ...shorter[entry]!, blocks };
  }
  return shorter;
}

/** True if the lines that a note points at are left by these edits. */
function isStillShown({ source, first, last, from }: Repeat<Shown>, { edits = [] }: DensityResult): boolean {
  const [firstLine, lastLine] = [from + 1, from + 1 + last - first];
  return edits.every(({ entry, block, reason }) => {
    if (entry !== source.entry || block !== source.block || reason.rule === 'removedTarget') return true;
    return (
      reason.rule === 'changedLines' && reason.lines.every((range) => range.last < firstLine || range.first > lastLine)
    );
  });
}

/** The result of the other rules together with the notes, which come first. */
function withEdits(
  found: DensityResult,
  { shorter, cuts }: { readonly shorter: readonly IContent[]; readonly cuts: readonly Cut[] },
): DensityResult {
  const replacements = new Map<number, IContent>();
  const removed = new Set(found.removals);
  for (const { entry } of cuts.map(({ result }) => result)) {
    if (!removed.has(entry)) replacements.set(entry, shorter[entry]!);
  }
  for (const [entry, content] of found.replacements) replacements.set(entry, content);
  const edits = [...cuts.map(editOf), ...(found.edits ?? [])].sort(
    (one, other) => one.entry - other.entry || one.block - other.block,
  );
  return { removals: found.removals, replacements, metadata: countEdits(edits), edits };
}

function editOf({ result, repeats }: Cut): DensityEdit {
  const reason: RepeatedLines = {
    rule: 'repeatedLines',
    call: result.place,
    lines: repeats.map(({ first, last }) => ({ first: first + 1, last: last + 1 })),
    sources: repeats.map(({ source }) => placeOfCall(source.call)),
  };
  return { entry: result.entry, block: result.block, kind: 'replace', reason };
}
