import { isDeepStrictEqual } from 'node:util';
import type { IContent, Usage } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import type { Session, SessionFormat } from '../../formats/contract.ts';
import { type JsonPath, valueAt } from '../../formats/json/json-change.ts';
import { spliceJson, within } from '../../formats/json/json-splice.ts';
import { jsonLine } from '../../formats/json/json-text.ts';
import { joinLines, linesOf, parseLine } from '../../formats/lines/lines.ts';
import {
  estimateChanges,
  isEstimate,
  leftChanges,
  recordedUsage,
  type UsageReports,
} from '../../formats/usage/usage-report.ts';
import { blockCounter, entryCounter } from '../../tokens/entries/block-counter.ts';
import type { ReadSession } from '../read-session.ts';

/** A file that was written with other entries than `session` has. */
interface WrittenFile {
  readonly session: Session;
  readonly format: SessionFormat;
  readonly pieces: readonly Uint8Array[];
}

/** The name of a report; begins with the tokens of the prompt. That nothing was written may stand outside the report. */
const reportName = ({ promptTokens, cachedTokens, writtenTokens = 0 }: Usage): string =>
  [promptTokens, cachedTokens, writtenTokens].join(' ');

const hasReport = ({ speaker, metadata }: IContent): boolean =>
  speaker === 'ai' && (metadata?.usage?.promptTokens ?? 0) > 0;

/** Our count of the entries before each answer with a report, by the report: not every format has ids that stay. */
function countedBefore({ events }: Session, tokensOf: (entry: IContent) => number): Map<string, number> {
  const found = new Map<string, number>();
  let tokens = 0;
  for (const event of events) {
    if (event.kind === 'replace') {
      tokens = event.contents.reduce((sum, entry) => sum + tokensOf(entry), 0);
      continue;
    }
    const { content } = event;
    if (hasReport(content)) found.set(reportName(content.metadata!.usage!), tokens);
    tokens += tokensOf(content);
  }
  return found;
}

/** Counts an entry that is as it was in another reading only once. */
function sharedCounter(model: string): (entry: IContent) => number {
  const count = entryCounter(model, blockCounter(model));
  const known = new Map<string, { readonly entry: IContent; readonly tokens: number }>();
  return (entry) => {
    const id = entry.metadata?.id ?? '';
    const same = known.get(id);
    if (same && (same.entry === entry || isDeepStrictEqual(same.entry.blocks, entry.blocks))) return same.tokens;
    const tokens = count(entry);
    known.set(id, { entry, tokens });
    return tokens;
  };
}

/** What is left of the prompts whose entries a written file does not have any more, by `reportName`, and its last report. */
function promptsLeft({ session, format, pieces }: WrittenFile): {
  readonly left: ReadonlyMap<string, number>;
  readonly last: string | undefined;
} {
  const tokensOf = sharedCounter(session.model ?? 'unknown');
  const written = format.read(linesOf(() => pieces));
  const before = countedBefore(session, tokensOf);
  const after = countedBefore(written, tokensOf);
  const left = new Map<string, number>();
  for (const [name, has] of after) {
    const had = before.get(name) ?? has;
    if (had !== has) left.set(name, Math.max(1, Number.parseInt(name, 10) - had + has));
  }
  return { left, last: lastReport(written) };
}

/** The name of the last report; agents decide by it when to compact. */
const lastReport = ({ events }: Session): string | undefined => {
  const last = events.findLast((event) => event.kind === 'add' && hasReport(event.content));
  return last?.kind === 'add' ? reportName(last.content.metadata!.usage!) : undefined;
};

/** A report whose prompt has `promptTokens` left. */
interface SmallerReport {
  readonly path: JsonPath;
  readonly report: unknown;
  readonly name: string;
  readonly promptTokens: number;
}

function smallerReports(value: unknown, reports: UsageReports, left: ReadonlyMap<string, number>): SmallerReport[] {
  return reports.placesIn(value).flatMap((path) => {
    const report = valueAt(value, path);
    const usage = recordedUsage(report, reports);
    const name = usage && reportName(usage);
    const promptTokens = name === undefined ? undefined : left.get(name);
    return name === undefined || promptTokens === undefined ? [] : { path, report, name, promptTokens };
  });
}

/**
 * The same file with what is left of the prompts of its calls: what a provider reported before entries were removed does not
 * describe them. The last report becomes an estimate, because agents decide by it when to compact. The others only note
 * theirs, so that programs that add up usage count what was paid. Prompts before the first change are kept.
 */
export function withPromptsLeft(file: WrittenFile): readonly Uint8Array[] {
  const { session, format, pieces } = file;
  const { usageReports: reports } = format;
  const isReported = session.events.some((event) => event.kind === 'add' && hasReport(event.content));
  if (reports === undefined || !isReported) return pieces;
  let { left, last } = promptsLeft(file);
  if (left.size === 0) return pieces;
  const changed = (bytes: Uint8Array): Uint8Array => {
    const parsed = parseLine(bytes);
    if (parsed.kind !== 'json') return bytes;
    const { value } = parsed;
    let recorded: Uint8Array | undefined;
    const changes = smallerReports(value, reports, left)
      .reverse()
      .flatMap(({ path, report, name, promptTokens }) => {
        // Of two reports of a call, programs count the larger one.
        const isMeter = name === last && promptTokens < Number.parseInt(name, 10);
        if (name === last) last = undefined;
        const isReplaced = isEstimate(report, reports);
        if (!isMeter && !isReplaced && reports.reported === undefined) return within(path, leftChanges(promptTokens));
        if (!isReplaced && isRecord(value) && reports.recordedLine)
          recorded = jsonLine(reports.recordedLine(value), 'the usage of a call');
        return within(path, estimateChanges(report, reports, promptTokens));
      });
    const own = spliceJson(bytes, changes);
    return recorded === undefined ? own : joinLines([recorded, own]);
  };
  // From the end, where the last report is.
  const texts = reports.isDocument ? [joinLines(pieces)] : [...linesOf(() => pieces)];
  return texts.reverse().map(changed).reverse();
}

/**
 * The session as it is recorded, for another file, which nothing says of that its texts were shortened on their way: where they
 * were, its usage is an estimate of the whole prompts, with what the provider reported beside it.
 */
export function withWholePrompts({ session, recorded }: Pick<ReadSession, 'session' | 'recorded'>): Session {
  if (session === recorded) return recorded;
  const tokensOf = sharedCounter(recorded.model ?? 'unknown');
  const sent = countedBefore(session, tokensOf);
  const whole = countedBefore(recorded, tokensOf);
  const entryOf = (entry: IContent): IContent => {
    const usage = entry.metadata?.usage;
    if (!usage || !hasReport(entry)) return entry;
    const name = reportName(usage);
    const promptTokens = usage.promptTokens + (whole.get(name) ?? 0) - (sent.get(name) ?? 0);
    if (promptTokens === usage.promptTokens) return entry;
    const totalTokens = promptTokens + usage.completionTokens;
    const estimate = { promptTokens, completionTokens: usage.completionTokens, totalTokens, cachedTokens: 0 };
    return { ...entry, metadata: { ...entry.metadata, usage: { ...estimate, reported: usage.reported ?? usage } } };
  };
  const events = recorded.events.map(
    (event): SessionEvent =>
      event.kind === 'add'
        ? { ...event, content: entryOf(event.content) }
        : { ...event, contents: event.contents.map(entryOf) },
  );
  return { ...recorded, events };
}
