import type { Usage } from '../../content/content.ts';
import { asCount, type Fields, isRecord } from '../../content/foreign-value.ts';
import { type JsonChange, type JsonPath, valueAt } from '../json/json-change.ts';

/** How and where the files of a format report the usage of model calls. Paths are those in a report. */
export interface UsageReports {
  read(report: unknown): Usage | undefined;
  /** Its prompt, or what is in no part of it. */
  readonly prompt: JsonPath;
  /** What was read from the prompt cache or written to it. */
  readonly parts: readonly JsonPath[];
  /** Prompt and answer together. */
  readonly total?: JsonPath;
  /** The field for the reported usage, beside an estimate; absent if the format has no such field. */
  readonly reported?: string;
  /** The paths of the reports in the value of a line, or of the whole document. */
  placesIn(value: unknown): readonly JsonPath[];
  /** A line that the agent does not read, by which programs that add up usage count what this line reported. Absent: none is known. */
  recordedLine?(line: Fields): Fields;
  /** True if a file is one JSON document; else each line is a value. */
  readonly isDocument?: true;
}

/** Where a report has its counts: each is the sum of what is at its paths. */
interface CountPaths {
  /** All of the prompt. A report has at least the first of them. */
  readonly prompt: readonly [JsonPath, ...JsonPath[]];
  readonly completion: readonly JsonPath[];
  readonly cached: readonly JsonPath[];
  readonly written?: readonly JsonPath[];
  readonly writtenHour?: readonly JsonPath[];
  /** True if the field of what was written is there only where the provider counts it: a zero is then a count. */
  readonly isWriteCounted?: true;
  /** Default: prompt and completion. */
  readonly total?: readonly JsonPath[];
}

/** The `read` of reports with their counts at these paths. */
export const usageAt =
  ({ prompt, completion, cached, written = [], writtenHour = [], isWriteCounted, total = [] }: CountPaths) =>
  (report: unknown): Usage | undefined => {
    if (typeof valueAt(report, prompt[0]) !== 'number') return undefined;
    const sum = (paths: readonly JsonPath[]): number =>
      paths.reduce((all, path) => all + asCount(valueAt(report, path)), 0);
    const promptTokens = sum(prompt);
    const completionTokens = sum(completion);
    const writtenTokens = sum(written);
    const writtenHourTokens = sum(writtenHour);
    const isCounted = isWriteCounted && written.some((path) => typeof valueAt(report, path) === 'number');
    return {
      promptTokens,
      completionTokens,
      totalTokens: sum(total) || promptTokens + completionTokens,
      cachedTokens: sum(cached),
      ...((writtenTokens > 0 || isCounted) && { writtenTokens }),
      ...(writtenHourTokens > 0 && { writtenHourTokens }),
    };
  };

/** The same for agents that write zeros where nothing is known. */
export function usageBeyondZero(paths: CountPaths): UsageReports['read'] {
  const read = usageAt(paths);
  return (report) => {
    const usage = read(report);
    return usage && usage.totalTokens > 0 ? usage : undefined;
  };
}

/** In a report that is an estimate: what the provider reported. No agent knows the field. */
export const REPORTED = 'high_density_reported';
/** In a report as the provider made it: the tokens of the prompt that are left. No agent knows the field. */
const LEFT = 'high_density_left';

/** The usage of a call, as a file reports it. */
export function recordedUsage(report: unknown, { read }: Pick<UsageReports, 'read'>): Usage | undefined {
  const usage = read(report);
  if (!usage || !isRecord(report)) return usage;
  const left = report[LEFT];
  if (typeof left === 'number') {
    const { completionTokens } = usage;
    const totalTokens = left + completionTokens;
    return { promptTokens: left, completionTokens, totalTokens, cachedTokens: 0, reported: usage };
  }
  const reported = report[REPORTED] === undefined ? undefined : read(report[REPORTED]);
  return reported ? { ...usage, reported } : usage;
}

const set = (path: JsonPath, value: unknown): JsonChange => ({ kind: 'set', path, value });

/** True for a report that has an estimate in the place of what the provider reported. */
export const isEstimate = (report: unknown, { reported = REPORTED }: UsageReports): boolean =>
  isRecord(report) && report[reported] !== undefined;

/** The changes after which a report notes that `promptTokens` are left of its prompt. What the provider reported is as it was. */
export const leftChanges = (promptTokens: number): readonly JsonChange[] => [set([LEFT], promptTokens)];

/** The changes after which a report estimates its prompt at `promptTokens`, and still has what the provider reported. */
export function estimateChanges(report: unknown, shape: UsageReports, promptTokens: number): readonly JsonChange[] {
  const { prompt, parts, total, read, reported = REPORTED } = shape;
  const present = (path: JsonPath): boolean => typeof valueAt(report, path) === 'number';
  const { [LEFT]: left, ...own }: Fields = isRecord(report) ? report : {};
  return [
    set(prompt, promptTokens),
    ...parts.filter(present).map((path) => set(path, 0)),
    ...(total && present(total) ? [set(total, promptTokens + (read(report)?.completionTokens ?? 0))] : []),
    ...(left === undefined ? [] : [{ kind: 'remove', path: [LEFT] } as const]),
    set([reported], own[reported] ?? own),
  ];
}
