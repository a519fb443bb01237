import { fromErrorData } from '../threads/answer.ts';
import type { EditsPart, OptimizeTask, Outcome, Reply, Request, Revised } from './protocol.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isWhole = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;

/** Whether these are counts of at most `most` entries. */
const areCounts = (counts: unknown, most: number): boolean =>
  Array.isArray(counts) && counts.length <= most && counts.every((count) => isWhole(count) || isObject(count));

/** Whether `value` answers `request`: its own history, generation, revision and sequence, and an outcome of its task. */
export function isReplyTo(request: Request, value: unknown): value is Reply {
  if (!isObject(value)) return false;
  const { version, historyId, generation, revision, sequence, outcome, countedBytes, figures } =
    value as Partial<Reply>;
  return (
    version === request.version &&
    historyId === request.historyId &&
    generation === request.generation &&
    revision === request.revision &&
    sequence === request.sequence &&
    isWhole(countedBytes) &&
    isObject(figures) &&
    isObject(outcome) &&
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
      return (
        task.kind === 'count' &&
        areCounts(outcome.counts, task.to - task.from) &&
        (outcome.counts.length > 0 || task.to === task.from)
      );
    case 'optimized':
      return task.kind === 'optimize' && areEdits(outcome, task);
    case 'compressed':
      return (
        task.kind === 'compress' &&
        areParts(outcome, task) &&
        Array.isArray(outcome.logged) &&
        isObject(outcome.metadata)
      );
    case 'continued':
      return task.kind === 'continue' && areParts(outcome, task);
    default:
      return false;
  }
}

function areEdits(outcome: Partial<Extract<Outcome, { kind: 'optimized' }>>, task: OptimizeTask): boolean {
  const { removals, logged, metadata, counts } = outcome;
  const hasLists = Array.isArray(logged) && Array.isArray(removals) && new Set(removals).size === removals.length;
  const hasCounts = areCounts(counts, task.length - task.countFrom);
  const isInside = (index: unknown): boolean => isWhole(index) && (index as number) < task.length;
  return hasLists && hasCounts && removals.every(isInside) && isObject(metadata) && areParts(outcome, task);
}

function areParts({ parts }: { readonly parts?: unknown }, { length }: { readonly length: number }): boolean {
  return Array.isArray(parts) && parts.every((part) => isObject(part) && isPart(part, length));
}

/** Whether a part is about entries of a history of that length. */
function isPart(part: Partial<EditsPart & Revised & { keepFrom: number; keepTo: number }>, length: number): boolean {
  if ('reasons' in part) return part.edits instanceof Int32Array && Array.isArray(part.reasons);
  const { keepFrom = -1, keepTo = -1, from = -2, tokens } = part;
  if ('keepFrom' in part) return isWhole(keepFrom) && isWhole(keepTo) && keepFrom <= keepTo && keepTo <= length;
  const isWholeEntry = 'content' in part && Array.isArray(part.content?.blocks);
  const areBlocks = 'blocks' in part && Array.isArray(part.blocks) && from >= 0;
  return Number.isInteger(from) && from >= -1 && from < length && isWhole(tokens) && (isWholeEntry || areBlocks);
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
