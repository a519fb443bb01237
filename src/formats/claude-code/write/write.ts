import type { IContent } from '../../../content/content.ts';
import { counted } from '../../../content/counted.ts';
import { type Fields, isRecord } from '../../../content/foreign-value.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { contentChanges } from '../../anthropic/anthropic-content.ts';
import type { Line } from '../../contract.ts';
import { type JsonChange, type JsonPath, valueAt } from '../../json/json-change.ts';
import { spliceJson } from '../../json/json-splice.ts';
import { jsonLine } from '../../json/json-text.ts';
import { assertRestartable, joinLines, linesOf } from '../../lines/lines.ts';
import { recordLines } from '../../lines/record-lines.ts';
import { editChanges, type PlacedEdit } from '../../messages/message-part.ts';
import { checkWritten } from '../check-written.ts';
import { REMOVED_LINE } from '../tree-line.ts';
import { paidMessage } from '../usage.ts';

import { asCleared, clearingFields } from './clearing.ts';
import type { LinePlan } from './line-plans.ts';
import { LineMaker } from './new-lines.ts';
import { planWrite, type WritePlan } from './plan.ts';

const NEWLINE = 10;
/** The fields with the content of a line. A removed line keeps the rest (ids, parent, time, version) for its children. */
const CONTENT_FIELDS = ['message', 'toolUseResult', 'attachment', 'isCompactSummary', 'isVisibleInTranscriptOnly'];
/** The fields that every line of a session repeats. */
const ENVELOPE = ['isSidechain', 'userType', 'cwd', 'sessionId', 'version', 'gitBranch', 'agentId', 'slug'];

/**
 * Turns a removed line into an informational line of the tree, which Claude Code never sends and at most shows on the
 * screen: no other line changes, and every parent still exists. An answer keeps its usage, because it was paid.
 */
function tombstone(raw: Fields): JsonChange[] {
  const set = (key: string, value: unknown): JsonChange => ({ kind: 'set', path: [key], value });
  return [
    ...CONTENT_FIELDS.filter((key) => key in raw).map((key): JsonChange => ({ kind: 'remove', path: [key] })),
    ...(isRecord(valueAt(raw, ['message', 'usage'])) ? [set('message', paidMessage(raw))] : []),
    set('type', 'system'),
    set('subtype', 'informational'),
    set('content', REMOVED_LINE),
    set('level', 'info'),
    set('isMeta', false),
  ];
}

function noteChanges(edits: readonly PlacedEdit[], at: JsonPath): { changes: JsonChange[]; left: number } {
  const changes = edits.flatMap((one) => {
    const path = [...at, ...one.path];
    return editChanges({ ...one, path }, { text: path });
  });
  return { changes, left: edits.filter(({ edit }) => edit.kind !== 'drop').length };
}

/** The changes of one line, without its parent. */
function lineChanges({ line, edits, restored }: LinePlan, raw: Fields): JsonChange[] {
  if (restored.length > 0) {
    const path = ['microcompactMetadata', 'compactedToolIds'];
    const listed = valueAt(raw, path);
    return [{ kind: 'set', path, value: Array.isArray(listed) ? listed.filter((id) => !restored.includes(id)) : [] }];
  }
  if (edits.size === 0) return [];
  const placed = line.parts.map((part): PlacedEdit => ({ ...part, edit: edits.get(part) ?? { kind: 'keep' } }));
  const { changes, left } =
    line.kind === 'note'
      ? noteChanges(placed, line.contentPath)
      : contentChanges(valueAt(raw, line.contentPath), line.contentPath, placed);
  return left === 0 ? tombstone(raw) : changes;
}

/** What new lines repeat of a line before them. */
const envelopeOf = (raw: Fields): Fields =>
  Object.fromEntries(ENVELOPE.filter((key) => key in raw).map((key) => [key, raw[key]]));

/** The lines of a session file after the changes of a plan for the same lines. */
function* render(lines: Iterable<Line>, plan: WritePlan): Generator<Uint8Array> {
  const { leaf, id, byId, model, lineCount } = plan.recording;
  let latest: Fields = {};
  /** New lines after `parentUuid`, and the id of the last one. */
  const madeLines = (seed: string, parentUuid: string | null, make: (maker: LineMaker) => Fields[]) => {
    const maker = new LineMaker(envelopeOf(latest), { seed, model, parentUuid, taken: byId.keys() });
    const made = make(maker).map((line) => jsonLine(line, 'a new line'));
    return { bytes: joinLines(made), tip: maker.parentUuid ?? '' };
  };
  const fresh = (contents: readonly IContent[], parentUuid: string | null, timestamp: number) =>
    madeLines(`${parentUuid} ${contents.length}`, parentUuid, (maker) =>
      contents.flatMap((content) => maker.lines(content, timestamp)),
    );
  let number = 0;
  let isOpen = false;
  for (const { bytes, parsed } of recordLines(lines)) {
    number++;
    const own = plan.lines.get(number);
    isOpen = bytes.at(-1) !== NEWLINE;
    const raw = parsed.kind === 'json' && isRecord(parsed.value) ? parsed.value : undefined;
    if (raw && typeof raw['uuid'] === 'string') latest = raw;
    if (!own || !raw) {
      yield bytes;
      continue;
    }
    const changes = lineChanges(own, raw);
    let parent = own.parentUuid;
    if (own.before.length + own.clears.length > 0 && own.line.lines[0] === number) {
      const time = own.line.timestamp ?? 0;
      const given = typeof raw['parentUuid'] === 'string' ? raw['parentUuid'] : null;
      if (own.before.length > 0) {
        const made = fresh(own.before, parent ?? given, time);
        yield made.bytes;
        parent = made.tip;
      }
      if (own.clears.length > 0) {
        const after = parent ?? given;
        const note = (maker: LineMaker): Fields[] => [maker.note(clearingFields(own.clears), time)];
        const made = madeLines(`clearing ${after}`, after, note);
        yield made.bytes;
        parent = made.tip;
      }
    }
    if (parent !== undefined) changes.push({ kind: 'set', path: ['parentUuid'], value: parent });
    yield spliceJson(bytes, changes);
  }
  if (number !== lineCount) {
    throw new CompressionStrategyError(
      `Expected the same ${counted(lineCount, 'line')} as before, got ${number}: another program is writing to the session. Try again.`,
      'SESSION_NOT_WRITABLE',
    );
  }
  if (isOpen && (plan.leafToName || plan.atEnd.length > 0)) yield new Uint8Array([NEWLINE]);
  if (plan.leafToName) {
    const named = { type: 'last-prompt', lastPrompt: '', leafUuid: plan.leafToName.uuid, sessionId: id };
    yield jsonLine(named, 'the leaf');
  }
  if (plan.atEnd.length > 0) yield fresh(plan.atEnd, leaf?.uuid ?? null, leaf?.timestamp ?? 0).bytes;
}

/** A plan whose result was read and checked; if one with a clearing line fails, one that clears in place. */
function checkedPlan(lines: Iterable<Line>, history: readonly IContent[]): WritePlan {
  const check = (plan: WritePlan): WritePlan => {
    if (plan.lines.size > 0 || plan.atEnd.length > 0)
      checkWritten(
        linesOf(() => render(lines, plan)),
        asCleared(history, plan.clearing),
      );
    return plan;
  };
  const plan = planWrite(lines, history);
  try {
    return check(plan);
  } catch (error) {
    if (plan.clearing === undefined || !(error instanceof CompressionStrategyError)) throw error;
    return check(planWrite(lines, history, { mayClear: false }));
  }
}

/**
 * The lines of a session file with its live history changed to `history`. The content of a line is changed in place, an
 * empty line becomes a tombstone, new entries become lines on the path, and pruned results are cleared by a line of the
 * agent's kind if its version has such lines, so that their text stays in the file; other lines are the same byte for
 * byte. `toolUseResult`, the copy of a result for the screen, is kept: no model sees it, but a user who scrolls back does.
 * The result is read and checked before the first byte. Four passes over the lines; two if nothing changed.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if the file cannot contain a part of `history`, or has changed
 * meanwhile.
 */
export function* writeRecording(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  yield* render(lines, checkedPlan(lines, history));
}
