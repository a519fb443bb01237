import { readOr } from '../foreign-value.ts';

/** The report of a sub-agent or of a task in the background, as its agent gives it to the model. */
export interface ReportText {
  readonly kind: 'report';
  /** Where the words of the sub-agent start and end. */
  readonly start: number;
  readonly end: number;
  /** How a line of them ends: in JSON as two characters. */
  readonly lineEnd: '\n' | '\\n';
  /** The call that started it, where that is said. */
  readonly callId?: string;
}

/**
 * The start of a report in Claude Code. A report is alone, or after a sentence of the agent, or in a reminder. Source: Claude Code 2.1.15 to 2.1.330, recordings and requests.
 */
const TASK_START = '<task-notification>\n';
const TASK_END = '</task-notification>';
const TASK_WHOLE =
  /^(?:<system-reminder>\n)?(?:A background agent completed a task:\n|\[SYSTEM NOTIFICATION - NOT USER INPUT\]\n(?:[^<\n][^\n]*\n){1,1000}\n)?<task-notification>\n[\s\S]*<\/task-notification>(?:\n<\/system-reminder>)?\n?$/;
const RESULT_START = '\n<result>';
const RESULT_END = '</result>';
const CALL_ID = /^<tool-use-id>([^<\n]+)<\/tool-use-id>$/m;

/** A report in Codex. Source: codex-rs/core, `SUBAGENT_NOTIFICATION_OPEN_TAG`; recordings of 0.11x. */
const SUBAGENT = /^<subagent_notification>\n(\{[^\n]*\})\n<\/subagent_notification>\n?$/;
const COMPLETED = '"completed":"';

/** The report that is the whole text; where the text is the agent's, also one among other words. */
export function reportText(text: string, isAgents: boolean): ReportText | undefined {
  if (text.includes(TASK_START)) return taskReport(text, isAgents);
  return text.startsWith('<subagent_notification>') ? subagentReport(text) : undefined;
}

function taskReport(text: string, isAgents: boolean): ReportText | undefined {
  const start = text.indexOf(TASK_START);
  const end = text.indexOf(TASK_END);
  // If the text has two reports, or one that quotes another, the end of a report is not known.
  const isOne = end > start && end === text.lastIndexOf(TASK_END) && start === text.lastIndexOf(TASK_START);
  if (!isOne || !(isAgents || TASK_WHOLE.test(text))) return undefined;
  const task = text.slice(start, end);
  const result = task.indexOf(RESULT_START);
  const from = result + RESULT_START.length;
  const to = task.lastIndexOf(RESULT_END);
  if (result === -1 || to < from) return undefined;
  const callId = CALL_ID.exec(task.slice(0, result))?.[1];
  return {
    kind: 'report',
    start: start + from,
    end: start + to,
    lineEnd: '\n',
    ...(callId !== undefined && { callId }),
  };
}

function subagentReport(text: string): ReportText | undefined {
  const json = SUBAGENT.exec(text)?.[1];
  const start = json === undefined ? -1 : text.indexOf(COMPLETED) + COMPLETED.length;
  if (json === undefined || start < COMPLETED.length || readOr(() => JSON.parse(json), undefined) === undefined)
    return undefined;
  return { kind: 'report', start, end: stringEnd(text, start), lineEnd: '\\n' };
}

/** The end of the text of a JSON string. */
function stringEnd(text: string, start: number): number {
  let end = start;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}
