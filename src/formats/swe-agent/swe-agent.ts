import type { ContentBlock, IContent, ToolCallBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { sweAgent as vocabulary } from '../../content/vocabularies/swe-agent.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import { responseBlock } from '../blocks/tool-result.ts';
import type { Line, Session, SessionFormat } from '../contract.ts';
import { headDocument, noMessages, readDocument } from '../json/json-file.ts';
import type { Message } from '../messages/message-list.ts';
import { contentText, readMessage } from '../openai-chat/message.ts';

/** Calls that show another part of the open file, and those that change it, if their result says so. */
const SHOWING = new Set(['goto', 'scroll_up', 'scroll_down']);
const CHANGING = new Set(['edit', 'insert']);
/** What the editor says after a change; it says otherwise of one with an error of syntax, which it does not apply. */
const CHANGED = /^(?:File updated|Text replaced|Text inserted)\b/m;
const NOT_CHANGED = /NOT been applied|NOT applied/i;

const statedIn = (result: string): string | undefined => [...result.matchAll(/^\(Open file: (.*)\)/gm)].at(-1)?.[1];

/** The open file that the prompt at the end of a result states: an absolute path, or else none; without a prompt, the one `before`. */
function openFileIn(result: string, before: string | undefined): string | undefined {
  const file = statedIn(result);
  if (file === undefined) return before;
  return file.startsWith('/') ? file : undefined;
}

/** The blocks of an answer: calls that act on the open file name it as `path`, unless `result` does not say that they did. */
function namingOpenFile(
  blocks: readonly ContentBlock[],
  { file, result }: { file: string | undefined; result: string },
): ContentBlock[] {
  const isChanged = CHANGED.test(result) && !NOT_CHANGED.test(result);
  return blocks.map((block) => {
    if (file === undefined || block.type !== 'tool_call' || !isRecord(block.parameters)) return block;
    const isActing = SHOWING.has(block.name) || (CHANGING.has(block.name) && isChanged);
    return isActing ? { ...block, parameters: { ...block.parameters, path: file } } : block;
  });
}

const NAME = 'swe-agent';
const TITLE = 'a SWE-agent trajectory';

/** Commands of the editor and the search, which are not shell commands. Source: SWE-agent 0.6 to 1.1, config/commands and tools. */
const OWN_COMMANDS = new Set(
  'open goto scroll_up scroll_down create edit insert set_cursors search_dir search_file find_file submit'.split(' '),
);

const unquoted = (word: string): string => word.replace(/^(?:'(.*)'|"(.*)")$/, '$1$2');

/** The call of an action in text: an editor command by its name, or else a shell command. */
function actionCall(action: string, id: string): ToolCallBlock {
  const [name = '', target, line] = action.trim().split(/\s+/);
  if (name === 'open' && target !== undefined) {
    const at = line === undefined ? {} : { line_number: Number(line) };
    return { type: 'tool_call', id, name, parameters: { path: unquoted(target), ...at } };
  }
  if (name === 'create' && target !== undefined)
    return { type: 'tool_call', id, name, parameters: { filename: unquoted(target) } };
  return {
    type: 'tool_call',
    id,
    name: OWN_COMMANDS.has(name) ? name : 'bash',
    parameters: { command: action.trimEnd() },
  };
}

/** The messages of the main agent: other agents of the run share the history. */
function messagesOf(document: Message): Message[] {
  const history = Array.isArray(document['history']) ? document['history'].filter(isRecord) : [];
  const main = history[0]?.['agent'];
  if (history.length > 0) return history.filter(({ agent }) => agent === undefined || agent === main);
  // Without a history, only the steps are known.
  const steps = Array.isArray(document['trajectory']) ? document['trajectory'].filter(isRecord) : [];
  return steps.flatMap((step) => [
    { role: 'assistant', content: step['response'], thought: step['thought'], action: step['action'] },
    { role: 'user', content: step['observation'] },
  ]);
}

/** Reads a run with actions in the text: the message after an action is its result. */
class TextRun {
  #pending: ToolCallBlock | undefined;

  blocks(message: Message, index: number): { speaker: IContent['speaker']; blocks: ContentBlock[] } {
    const text = contentText(message['content']);
    const call = this.#pending;
    this.#pending = undefined;
    if (message['role'] === 'assistant') return { speaker: 'ai', blocks: this.#answer(message, text, index) };
    if (!call) return { speaker: 'human', blocks: text === '' ? [] : [{ type: 'text', text }] };
    return { speaker: 'tool', blocks: [responseBlock(call.id, call.name, { result: text })] };
  }

  #answer({ action, thought }: Message, text: string, index: number): ContentBlock[] {
    if (typeof action !== 'string' || action.trim() === '') return text === '' ? [] : [{ type: 'text', text }];
    this.#pending = actionCall(action, `action-${index}`);
    const words = typeof thought === 'string' ? thought : text;
    return words.trim() === '' ? [this.#pending] : [{ type: 'text', text: words }, this.#pending];
  }
}

/** The message with the id of its call, which runs with function calling have in a list. */
function withCallId(message: Message): Message {
  const ids = message['tool_call_ids'];
  return Array.isArray(ids) ? { ...message, tool_call_id: ids[0] } : message;
}

function historyOf(messages: readonly Message[]): IContent[] {
  const calls = new CallsOfResults();
  const run = new TextRun();
  let file: string | undefined;
  return messages.flatMap((message, index) => {
    if (message['role'] === 'system') return [];
    if (message['role'] !== 'assistant') file = openFileIn(contentText(message['content']), file);
    const isTextForm = message['role'] !== 'tool' && !Array.isArray(message['tool_calls']);
    const read = isTextForm ? run.blocks(message, index) : readMessage(withCallId(message), calls);
    if (!read || read.blocks.length === 0) return [];
    const result = contentText(messages[index + 1]?.['content']);
    const blocks = read.speaker === 'ai' ? namingOpenFile(read.blocks, { file, result }) : read.blocks;
    return [{ speaker: read.speaker, blocks, metadata: { id: `message-${index}` } }];
  });
}

/** The working folder of the run: in the first recorded state, or else in the prompt at the end of the first message. */
function workspaceOf(document: Message, messages: readonly Message[]): string | undefined {
  const step = Array.isArray(document['trajectory']) ? document['trajectory'][0] : undefined;
  const state = isRecord(step) ? step['state'] : undefined;
  const folder =
    isRecord(state) && typeof state['working_dir'] === 'string'
      ? state['working_dir']
      : (/"working_dir": *"([^"]+)"/.exec(String(state))?.[1] ??
        /^\(Current directory: (.+?)\)/m.exec(
          messages
            .slice(0, 4)
            .map(({ content }) => contentText(content))
            .join('\n'),
        )?.[1]);
  return folder?.startsWith('/') ? folder : undefined;
}

function read(lines: Iterable<Line>): Session {
  const { bytes, value } = readDocument(lines, TITLE);
  const document = isRecord(value) ? value : {};
  const messages = messagesOf(document);
  if (messages.length === 0) throw noMessages(TITLE, bytes, ' without `history` or `trajectory`');
  const workspaceRoot = workspaceOf(document, messages);
  return {
    format: NAME,
    ...systemFacts(messages.map(({ role, content }) => role === 'system' && contentText(content))),
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    events: historyOf(messages).map((content) => ({ kind: 'add', content })),
    skipped: [],
  };
}

const isStep = (value: unknown): boolean => isRecord(value) && 'action' in value && 'observation' in value;
const isEntry = (value: unknown): boolean => isRecord(value) && 'role' in value && 'agent' in value;

/**
 * Trajectories of SWE-agent (`.traj`), read-only: its `history`, with observations as the model saw them. In runs without
 * function calling, the command in an answer becomes a call, and the next message its result. Calls that act on the open
 * file name it, as the results before them state it.
 */
export const sweAgent: SessionFormat = {
  name: NAME,
  title: 'SWE-agent trajectory',
  vocabulary,
  detect(head) {
    const document = headDocument(head);
    if (!isRecord(document)) return false;
    const { history, trajectory } = document;
    return (Array.isArray(history) && isEntry(history[0])) || (Array.isArray(trajectory) && isStep(trajectory[0]));
  },
  read,
};
