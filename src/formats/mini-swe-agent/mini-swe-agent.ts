import type { ContentBlock, IContent, Speaker, ToolCallBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { miniSweAgent as vocabulary } from '../../content/vocabularies/mini-swe-agent.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import { responseBlock } from '../blocks/tool-result.ts';
import type { Line, Session, SessionFormat } from '../contract.ts';
import { headDocument, noMessages, readDocument } from '../json/json-file.ts';
import type { Message } from '../messages/message-list.ts';
import { isMiniSweAgentList } from '../openai-chat/chat-shape.ts';
import { callsOf, chatUsage, contentText, readMessage } from '../openai-chat/message.ts';

const NAME = 'mini-swe-agent';
const TITLE = 'a mini-swe-agent trajectory';
const TOOL = 'bash';

/** The fences around the only command of an answer. Source: `action_regex` of v1 and of later default configurations. */
const FENCES = {
  current: /```mswea_bash_command[^\S\n]*\n(.*?)(\n```|$)/gs,
  older: /```bash[^\S\n]*\n(.*?)(\n```|$)/gs,
};
const RETURN_CODE = /^\s*<returncode>(-?\d+)<\/returncode>/;

const field = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce((inner: unknown, key) => (isRecord(inner) ? inner[key] : undefined), value);

function returnCodeOf(message: Message, text: string): number {
  const recorded = field(message, 'extra', 'returncode');
  return typeof recorded === 'number' ? recorded : Number(RETURN_CODE.exec(text)?.[1] ?? 0);
}

/** Reads the messages of one run in order. */
class Run {
  readonly #fence: RegExp;
  readonly #calls = new CallsOfResults();
  #pending: ToolCallBlock | undefined;

  constructor(messages: readonly Message[]) {
    const isCurrent = messages.some(({ content }) => contentText(content).includes('mswea_bash_command'));
    this.#fence = isCurrent ? FENCES.current : FENCES.older;
  }

  entry(message: Message, index: number): IContent[] {
    const read = this.#read(message, index);
    if (!read || read.blocks.length === 0) return [];
    const usage = chatUsage(field(message, 'extra', 'response', 'usage'));
    const seconds = field(message, 'extra', 'timestamp');
    const timestamp = typeof seconds === 'number' ? Math.round(seconds * 1000) : undefined;
    const metadata = recordedMetadata({ id: `message-${index}`, timestamp, usage });
    return [{ speaker: read.speaker, blocks: read.blocks, metadata }];
  }

  #read(message: Message, index: number): { speaker: Speaker; blocks: readonly ContentBlock[] } | undefined {
    const { role, content } = message;
    const text = contentText(content);
    const call = this.#pending;
    this.#pending = undefined;
    if (role === 'assistant' && callsOf(message).length === 0)
      return { speaker: 'ai', blocks: this.#answer(text, index) };
    if (role === 'tool' || role === 'assistant' || !call) {
      const read = readMessage(message, this.#calls);
      if (!read || role !== 'tool') return read;
      const error = this.#failure(message, text);
      const blocks = read.blocks.map((block) =>
        block.type === 'tool_response'
          ? responseBlock(block.callId, block.toolName, { result: block.result, error })
          : block,
      );
      return { speaker: 'tool', blocks };
    }
    const block = responseBlock(call.id, TOOL, { result: text, error: this.#failure(message, text) });
    return { speaker: 'tool', blocks: [block] };
  }

  #failure(message: Message, text: string): string | undefined {
    const code = returnCodeOf(message, text);
    return code === 0 ? undefined : `exit code ${code}`;
  }

  /** The agent runs an answer only if it contains exactly one command, and otherwise replies with a reminder. */
  #answer(text: string, index: number): ContentBlock[] {
    const found = [...text.matchAll(this.#fence)].filter(([, , end]) => end !== '');
    const [only] = found;
    if (found.length !== 1 || !only) return text === '' ? [] : [{ type: 'text', text }];
    const parameters = { command: only[1] };
    this.#pending = { type: 'tool_call', id: `action-${index}`, name: TOOL, parameters };
    const words = [text.slice(0, only.index), text.slice(only.index + only[0].length)];
    const texts = words
      .filter((part) => part.trim() !== '')
      .map((part): ContentBlock => ({ type: 'text', text: part }));
    return [...texts, this.#pending];
  }
}

/** The roles that a model is sent; `exit` messages only record the end of a run. */
const SENT: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

function read(lines: Iterable<Line>): Session {
  const { bytes, value } = readDocument(lines, TITLE);
  const list = isRecord(value) ? value['messages'] : value;
  const messages = Array.isArray(list) ? list.filter(isRecord) : [];
  if (!messages.some(({ role }) => SENT.has(role))) throw noMessages(TITLE, bytes);
  const run = new Run(messages);
  const config = field(value, 'info', 'config');
  const model = field(config, 'model', 'model_name');
  const directory = field(config, 'environment', 'cwd');
  const history = messages.flatMap((message, index) =>
    SENT.has(message['role']) && message['role'] !== 'system' ? run.entry(message, index) : [],
  );
  return {
    format: NAME,
    ...(typeof model === 'string' && { model }),
    ...(typeof directory === 'string' && directory.startsWith('/') && { workspaceRoot: directory }),
    ...systemFacts(messages.map(({ role, content }) => role === 'system' && contentText(content))),
    events: history.map((content) => ({ kind: 'add', content })),
    skipped: [],
  };
}

function isTrajectory(document: unknown): boolean {
  if (Array.isArray(document)) return isMiniSweAgentList(document);
  const format = field(document, 'trajectory_format');
  if (typeof format === 'string') return format.startsWith('mini-swe-agent');
  if (typeof field(document, 'info', 'mini_version') === 'string') return true;
  const messages = field(document, 'messages');
  return isRecord(field(document, 'info')) && Array.isArray(messages) && isMiniSweAgentList(messages);
}

/**
 * Trajectories of mini-swe-agent (`.traj.json`), v0 to v2, read-only. Before v2, an answer contains one command in a fence,
 * and the next message is its result: they become a call and a result, paired by position.
 */
export const miniSweAgent: SessionFormat = {
  name: NAME,
  title: 'mini-swe-agent trajectory',
  vocabulary,
  detect: (head) => isTrajectory(headDocument(head)),
  read,
};
