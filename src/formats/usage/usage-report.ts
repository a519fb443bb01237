import type { Usage } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { JsonChange } from '../json/json-splice.ts';
import { type JsonPath, valueAt } from '../json/value-at.ts';
import type { UsageReports } from './usage-reports.ts';

/** In a report that is an estimate: what the provider reported. No agent knows the field. */
export const REPORTED = 'high_density_reported';

/** The usage of a call, as a file reports it. */
export function recordedUsage(report: unknown, { read }: Pick<UsageReports, 'read'>): Usage | undefined {
  const usage = read(report);
  if (!usage || !isRecord(report) || report[REPORTED] === undefined) return usage;
  const reported = read(report[REPORTED]);
  return reported ? { ...usage, reported } : usage;
}

/** The changes after which a report estimates its prompt at `promptTokens`, and still has what the provider reported. */
export function estimateChanges(report: unknown, shape: UsageReports, promptTokens: number): readonly JsonChange[] {
  const { prompt, parts, total, read, reported = REPORTED } = shape;
  const present = (path: JsonPath): boolean => typeof valueAt(report, path) === 'number';
  const set = (path: JsonPath, value: unknown): JsonChange => ({ kind: 'set', path, value });
  const kept = isRecord(report) ? (report[reported] ?? report) : report;
  return [
    set(prompt, promptTokens),
    ...parts.filter(present).map((path) => set(path, 0)),
    ...(total && present(total) ? [set(total, promptTokens + (read(report)?.completionTokens ?? 0))] : []),
    set([reported], kept),
  ];
}
