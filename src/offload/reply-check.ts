import { fromErrorData } from '../threads/error-data.ts';
import type { CountTask, OptimizeTask, Outcome, Reply, Request } from './protocol.ts';

const isWhole = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isCount = (value: unknown): boolean => Number.isFinite(value) || (typeof value === 'object' && value !== null);

/** Whether `value` answers `request`: its own history, epoch, revision and sequence, and an outcome of its task. */
export function isReplyTo(request: Request, value: unknown): value is Reply {
  if (typeof value !== 'object' || value === null) return false;
  const { version, historyId, epoch, revision, sequence, outcome, countedBytes, figures } = value as Partial<Reply>;
  return (
    version === request.version &&
    historyId === request.historyId &&
    epoch === request.epoch &&
    revision === request.revision &&
    sequence === request.sequence &&
    isWhole(countedBytes) &&
    typeof figures === 'object' &&
    figures !== null &&
    typeof outcome === 'object' &&
    outcome !== null &&
    fitsTask(outcome, request)
  );
}

function fitsTask(outcome: Outcome, { task }: Request): boolean {
  switch (outcome.kind) {
    case 'need-snapshot':
      return true;
    case 'failed':
      return typeof outcome.error?.message === 'string';
    case 'done':
      return task.kind === 'synchronise' || task.kind === 'release';
    case 'cancelled':
      return task.kind === 'count';
    case 'counts':
      return task.kind === 'count' && areCounts(outcome.counts, task);
    case 'optimized':
      return task.kind === 'optimize' && areEdits(outcome, task);
    case 'compressed':
      return task.kind === 'compress' && Array.isArray(outcome.parts) && Array.isArray(outcome.logged);
    case 'continued':
      return task.kind === 'continue' && Array.isArray(outcome.parts);
    default:
      return false;
  }
}

function areEdits(
  { parts, removals, logged }: Partial<Extract<Outcome, { kind: 'optimized' }>>,
  { length }: OptimizeTask,
): boolean {
  const hasLists = Array.isArray(parts) && Array.isArray(logged) && Array.isArray(removals);
  return hasLists && removals.every((index) => isWhole(index) && index < length);
}

function areCounts(counts: unknown, { from, to }: CountTask): boolean {
  const most = to - from;
  return Array.isArray(counts) && counts.length <= most && (counts.length > 0 || most === 0) && counts.every(isCount);
}

/** `outcome` as one of this kind. @throws what the task threw on the thread. */
export function expectOutcome<Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): Extract<Outcome, { kind: Kind }> {
  if (outcome.kind === 'failed') throw fromErrorData(outcome.error);
  if (outcome.kind !== kind)
    throw new TypeError(`Expected the outcome \`${kind}\` of a thread, got \`${outcome.kind}\`.`);
  return outcome as Extract<Outcome, { kind: Kind }>;
}
