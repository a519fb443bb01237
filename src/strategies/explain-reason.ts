import type { CallPlace, EditReason, FileCause, LineRange } from './edit-reason.ts';

/** Names of calls and files for a person. */
export interface ReasonLabels {
  /** For example `replace in call 5`. */
  readonly call: (place: CallPlace) => string;
  /** Absent: the absolute path. */
  readonly file?: (path: string) => string;
}

/** The reason as one sentence for a person, without a full stop. */
export function explainReason(reason: EditReason, { call, file = (path) => path }: ReasonLabels): string {
  switch (reason.rule) {
    case 'staleRead':
      return andList(reason.causes.map((cause) => `${file(cause.file)} was written later by ${call(cause.call)}`));
    case 'supersededRead':
      return andList(reason.causes.map((cause) => `${file(cause.file)} is shown again later by ${call(cause.call)}`));
    case 'changedLines': {
      const verb = reason.lines.length === 1 && isOneLine(reason.lines[0]!) ? 'was' : 'were';
      return `${linesOf(reason.lines)} ${verb} changed or shown again later by ${callsOf(reason.causes, call)}`;
    }
    case 'repeatedInclusion':
      return `${file(reason.file)} was attached again later`;
    case 'recency':
      return reason.retention === 1
        ? `only the newest result of ${reason.tool} is kept`
        : `only the newest ${reason.retention} results of ${reason.tool} are kept`;
    case 'carriedResult': {
      const since =
        reason.files.length === 0 ? '' : ` since the last call that touched ${andList(reason.files.map(file))}`;
      return `it was sent with at least ${reason.leastSentCalls} model calls${since}`;
    }
    case 'summarised':
      return `shortened by ${reason.strategy} to make room`;
    case 'dropped':
      return `dropped by ${reason.strategy} to make room`;
  }
}

const isOneLine = ({ first, last }: LineRange): boolean => first === last;

function linesOf(ranges: readonly LineRange[]): string {
  const words = ranges.map((range) => (isOneLine(range) ? `${range.first}` : `${range.first}-${range.last}`));
  return `${ranges.length === 1 && isOneLine(ranges[0]!) ? 'line' : 'lines'} ${andList(words)}`;
}

const callsOf = (causes: readonly FileCause[], label: ReasonLabels['call']): string =>
  andList([...new Set(causes.map((cause) => label(cause.call)))]);

/** `a`, `a and b`, `a, b and c`. */
function andList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
