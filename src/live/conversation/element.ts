import { textLength } from '../../content/block-text.ts';
import { isResultForProgram } from '../../content/calls/for-program.ts';
import { GrowingPairing, isAmbiguous, type PairedCall, type PairedResponse } from '../../content/calls/pairing.ts';
import type {
  ContentBlock,
  IContent,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResponseBlock,
} from '../../content/content.ts';
import type { CallOf } from '../../content/files/entry-label.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { madeOnce } from '../../content/group-by.ts';
import type { JsonPath } from '../../formats/json/json-change.ts';
import type { Message } from '../../formats/messages/message-list.ts';
import type { PromptCounter } from '../../tokens/entries/prompt-counter.ts';
import { type LiveDialect, textAt } from '../request/dialects.ts';
import { liveText, type TextCounts } from '../request/live-text.ts';
import { liveThinking } from '../request/live-thinking.ts';
import { hashOf } from './hash-of.ts';
import { type SummaryText, summariesIn } from './summary-text.ts';
import { wholeKind } from './whole-kind.ts';

/**
 * What Claude Code answers to a repeated read of an unchanged file, now and before.
 * Source: https://github.com/anthropics/claude-code/issues/64882 and https://github.com/anthropics/claude-code/issues/46749
 */
const STUBS: readonly string[] = [
  'Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.',
  'File unchanged since last read. The content from the earlier Read tool_result in this conversation is still current — refer to that instead of re-reading.',
];

const isStub = ({ toolName }: ToolResponseBlock, text: string): boolean =>
  toolName === 'Read' && text.length < 400 && STUBS.some((stub) => text.trimStart().startsWith(stub));

/** The file and the range of a read of Claude Code. */
function readKey(call: ToolCallBlock | undefined): string | undefined {
  if (call?.name !== 'Read' || !isRecord(call.parameters)) return undefined;
  const { file_path: file, offset, limit } = call.parameters;
  return typeof file === 'string' ? JSON.stringify([file, offset ?? null, limit ?? null]) : undefined;
}

/** A result whose text can be replaced, a text of the agent in a user turn, or the thinking of an answer, which can be left out. */
export interface LiveResult {
  /** The same for the same text of the same call, in every request. That of each further text with the same words, or result with the same id of a call, is another one. */
  readonly id: string;
  readonly block: ToolResponseBlock | TextBlock | ThinkingBlock;
  /** The call that it answers, or the name of the words of a text: the same for the same words. */
  readonly callId: string;
  /** The name of what is no result. */
  readonly name?: string;
  readonly text: string;
  /** The length of its text, or of hidden thinking. */
  readonly length: number;
  /** As in `Replacement`. */
  readonly path: JsonPath;
  /** The place of each block of thinking. */
  readonly paths?: readonly JsonPath[];
  /** The entry of the element, and the block in it. */
  readonly entry: number;
  readonly blockAt: number;
  /** For a read of Claude Code, the file and the range. */
  readonly readKey: string | undefined;
  /** True if the agent says that an earlier read of the same is still current. */
  readonly isStub: boolean;
}

/** The text of a read, which may be that of a result of the list. */
export type ReadText = Pick<LiveResult, 'text'>;

/** What a tool gave the model and no rule can shorten, such as a picture, or the result of a tool that the provider ran itself. */
interface WholeBlock {
  readonly kind: string;
  readonly tokens: number;
}

/** An element of the list as it was read. */
export interface Element {
  readonly hash: string;
  readonly isAnswer: boolean;
  readonly entries: readonly IContent[];
  /** Characters of the texts of each entry. */
  readonly lengths: readonly number[];
  readonly results: readonly LiveResult[];
  readonly wholes: readonly WholeBlock[];
  readonly summaries: readonly SummaryText[];
}

const CACHE_MARK = 'cache_control';
const MARKED_TEXT: ReadonlySet<string> = new Set(['type', 'text', CACHE_MARK]);

/** Items of an answer of the Responses API, apart from messages. */
const ANSWER_ITEMS: ReadonlySet<unknown> = new Set(['reasoning', 'function_call', 'custom_tool_call']);
/** What Codex notes in an item for itself. */
const OWN_NOTE = 'internal_chat_message_metadata_passthrough';

/**
 * An item of an answer in one form: Codex sends it back with its fields in another order, without empty ones or with null in
 * their place, and with a note, but over a WebSocket the provider has it as it was. Source: Codex 0.169.0.
 */
function asAnswered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asAnswered);
  if (!isRecord(value)) return value;
  const isSaid = (name: string): boolean => {
    const field = value[name];
    return name !== OWN_NOTE && field !== null && !(Array.isArray(field) && field.length === 0);
  };
  const names = Object.keys(value).filter(isSaid).sort();
  return Object.fromEntries(names.map((name) => [name, asAnswered(value[name])]));
}

const isAnswerItem = ({ type, role }: Message): boolean =>
  ANSWER_ITEMS.has(type) || (type === 'message' && role === 'assistant');

/**
 * Without cache marks, whose place moves with every turn: a message that is only a text is a list of one block while it has
 * the mark. Source: Claude Code 2.1.330.
 */
export function elementHash(element: Message): string {
  if (isAnswerItem(element)) return hashOf(JSON.stringify(asAnswered(element)));
  const { content } = element;
  const block: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  const isText = isRecord(block) && block['type'] === 'text' && Object.keys(block).every((key) => MARKED_TEXT.has(key));
  const same = isText ? { ...element, content: block['text'] } : element;
  const text = JSON.stringify(same);
  // Leaving out fields takes several times as long, and few elements have a mark.
  if (!text.includes(CACHE_MARK)) return hashOf(text);
  return hashOf(JSON.stringify(same, (key, value: unknown) => (key === CACHE_MARK ? undefined : value)));
}

const NO_RESULTS: readonly LiveResult[] = [];
const NO_READ = { readKey: undefined, isStub: false } as const;

/** Reads the elements of one conversation, in order. */
export class ElementReader {
  readonly #pairing = new GrowingPairing();
  readonly #paired = new Map<ContentBlock, PairedResponse>();
  readonly #read: ReturnType<LiveDialect['reader']>;
  readonly #dialect: LiveDialect;
  /** Equal paths are one object. */
  readonly #paths: Map<string, JsonPath>;

  /** Goes on after the first elements of another reader, without changing it. */
  constructor(dialect: LiveDialect, other?: { readonly reader: ElementReader; readonly elements: readonly Element[] }) {
    this.#dialect = dialect;
    this.#read = other ? other.reader.#read : dialect.reader();
    this.#paths = other ? other.reader.#paths : new Map();
    for (const entry of other?.elements.flatMap(({ entries }) => entries) ?? []) {
      this.#pairing.startEntry(entry);
      for (const [at, block] of entry.blocks.entries()) this.#pair(block, at);
    }
  }

  /** The call that a result answers; `undefined` if that is not known. */
  readonly callOf: CallOf = (block) => {
    const call = this.pairedCall(block);
    return call === undefined || isAmbiguous(call) ? undefined : call.call;
  };

  /** The call to which a result belongs. */
  pairedCall(block: ContentBlock): PairedCall | undefined {
    return this.#paired.get(block)?.call;
  }

  /** `known`: how often the list has each text in user turns and each id of a call so far. */
  read(value: Message, known: TextCounts, { ofEntry }: PromptCounter): Element {
    const parts = this.#read(value);
    const results: LiveResult[] = [];
    const wholes: WholeBlock[] = [];
    const addWhole = (block: ContentBlock, kind = wholeKind(block, value)): void => {
      const tokens = ofEntry({ speaker: 'tool', blocks: [block] });
      if (tokens > 0) wholes.push({ kind, tokens });
    };
    const countOf = (id: string): number => (known.get(id) ?? 0) + results.filter(({ callId }) => callId === id).length;
    const entries = parts.map(({ speaker, blocks: given, places, metadata }, entry): IContent => {
      const blocks = given.slice();
      const isOfTool = given.some(({ type }) => type === 'tool_response');
      this.#pairing.startEntry({ speaker });
      for (const [blockAt, block] of given.entries()) {
        if (block.type === 'tool_call') this.#pair(block, blockAt);
        if (block.type === 'text') {
          const content = { speaker, blocks, ...(metadata && { metadata }) };
          const text = liveText(value, { content, blockAt, path: places[blockAt]!, countOf });
          if (text) results.push({ ...text, ...NO_READ, callId: text.words, length: text.text.length, entry, blockAt });
        }
        if ((block.type === 'media' && isOfTool) || (block.type === 'code' && speaker !== 'human')) addWhole(block);
        if (block.type !== 'tool_response') continue;
        const path = this.#dialect.textPath(value, places[blockAt]!);
        const text = path && textAt(value, path);
        // For Gemini, the AI SDK writes a text into an object. The rules read texts.
        const read = text === undefined || typeof block.result === 'string' ? block : { ...block, result: text };
        blocks[blockAt] = read;
        const paired = this.#pair(read, blockAt);
        if (paired && isResultForProgram(paired)) addWhole(block, 'result for a program');
        else if (path === undefined || text === undefined) addWhole(block);
        else results.push(this.#result(read, text, { path, entry, blockAt, count: countOf(read.callId) }));
      }
      const thinking = this.#dialect.canOmitThinking === true ? liveThinking(blocks, places) : undefined;
      if (thinking) results.push({ ...thinking, ...NO_READ, entry });
      return { speaker, blocks, ...(metadata && { metadata }) };
    });
    return {
      hash: elementHash(value),
      isAnswer: entries.some(({ speaker }) => speaker === 'ai'),
      entries,
      lengths: entries.map(textLength),
      // A copy has no spare room to grow. Otherwise each list of a long conversation would keep some.
      results: results.length === 0 ? NO_RESULTS : results.slice(),
      wholes,
      summaries: summariesIn(value),
    };
  }

  /** Adds a block to the calls and results so far. */
  #pair(block: ContentBlock, at: number): PairedResponse | undefined {
    const paired = this.#pairing.add(block, at);
    if (paired) this.#paired.set(block, paired);
    return paired;
  }

  /** `count`: how many results before it have the same id of a call. */
  #result(
    block: ToolResponseBlock,
    text: string,
    { path, entry, blockAt, count }: Pick<LiveResult, 'path' | 'entry' | 'blockAt'> & { readonly count: number },
  ): LiveResult {
    return {
      id: `${block.callId}${count === 0 ? '' : ` ${count}`} ${hashOf(text)}`,
      block,
      callId: block.callId,
      text,
      length: text.length,
      path: this.#pathOf(path),
      entry,
      blockAt,
      readKey: readKey(this.callOf(block)),
      isStub: isStub(block, text),
    };
  }

  #pathOf(path: JsonPath): JsonPath {
    return madeOnce(this.#paths, path.join('\n'), () => path.slice());
  }
}
