/** What agents put into user turns, as they send it. */

const lines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name}, finding ${at + 1}: it is said in a whole line`).join('\n');

/** What a task reports to Claude Code, without the words of the agent around it. */
export const taskReport = (name: string, { count = 40, callId = 'task' } = {}): string =>
  `<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>${callId}</tool-use-id>\n<status>completed</status>\n<summary>Agent "${name}" finished</summary>\n<result>${lines(name, count)}</result>\n<usage>9</usage>\n</task-notification>`;

const NOTICE =
  '[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is an automated background-task event, NOT a message from the user.\n\n';

export const reminder = (text: string): string => `<system-reminder>\n${text}\n</system-reminder>`;

/** The forms in which Claude Code sends a report in the message of a user. */
export const taskReports = (name: string): readonly string[] => [
  taskReport(name),
  reminder(`A background agent completed a task:\n${taskReport(name)}`),
  reminder(NOTICE + taskReport(name)),
];

/** Of Codex. */
export const subagentReport = (name: string, count = 40): string =>
  `<subagent_notification>\n${JSON.stringify({ agent_path: name, status: { completed: `${lines(name, count)} "quoted" \\n` } })}\n</subagent_notification>`;

export const skillBody = (folder: string, count = 40): string =>
  `Base directory for this skill: ${folder}\n\n# A skill\n${lines('rule', count)}\n`;

export const codexSkill = (folder: string): string =>
  `<skill>\n<name>one</name>\n<path>${folder}/SKILL.md</path>\n${lines('rule', 40)}\n</skill>`;

/** Numbered lines of a file, as reads and attachments show them. */
export const fileLines = (name: string, count = 60): string =>
  Array.from({ length: count }, (_, at) => `${at + 1}\tline ${at + 1} of the file ${name}`).join('\n');

const CHANGED = {
  now: "changed on disk since you last read it. That's usually deliberate, so take it as the current state.",
  before: 'was modified, either by the user or by a linter. This change was intentional.',
};

/** The sentence that says who changed a file, and its lines. */
export const changedFile = (file: string, text: string, said: keyof typeof CHANGED = 'now'): string =>
  `Note: ${file} ${CHANGED[said]} Here are the relevant changes (shown with line numbers):\n${text}`;
