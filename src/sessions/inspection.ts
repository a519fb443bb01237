import { agentTextAt } from '../content/agent-text/agent-text.ts';
import { orphanResponses, type Pairing, pairCalls, unansweredCalls } from '../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock } from '../content/content.ts';
import { labelOfEntry } from '../content/files/entry-label.ts';
import { fileAccess } from '../content/files/file-access.ts';
import { type UnknownTool, unknownTools } from '../content/tools/unknown-tools.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { blockCounter, type CountBlock, entryCounter } from '../tokens/entries/block-counter.ts';
import { type OptimizeConfig, type Prunable, prunable } from './prunable.ts';

/** A part of the context. The list that contains it says what `count` counts. */
export interface Share {
  readonly name: string;
  readonly tokens: number;
  readonly count: number;
}

/** A file, with the tokens of the calls and results that read or write it. */
interface FileShare {
  readonly path: string;
  readonly tokens: number;
  readonly reads: number;
  readonly writes: number;
}

interface LargeEntry {
  /** Counts from 1. */
  readonly position: number;
  readonly speaker: IContent['speaker'];
  readonly tokens: number;
  readonly label: string;
}

/** What fills the context of a history. */
export interface Inspection extends Prunable {
  readonly entries: number;
  /** The tokens of its recorded text, by our count. */
  readonly tokens: number;
  /** One value per stretch of equally many entries, in order; one per entry in a short history. */
  readonly tokensAlong: readonly number[];
  /** Largest first; `count` is blocks. */
  readonly byKind: readonly Share[];
  /** Calls and results together, largest first; `count` is calls. */
  readonly byTool: readonly Share[];
  /** Largest first. The tokens of a call with several files are divided among them. */
  readonly byFile: readonly FileShare[];
  readonly largest: readonly LargeEntry[];
  /** Tools that may have read or written files, most called first. */
  readonly unknownTools: readonly UnknownTool[];
  readonly unansweredCalls: readonly { readonly id: string; readonly tool: string; readonly position: number }[];
  readonly orphanResponses: readonly { readonly id: string; readonly tool: string; readonly position: number }[];
  /** Ids shared by several calls. */
  readonly reusedCallIds: number;
}

export interface InspectionOptions {
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  readonly model: string;
  /** How `optimize` would prune it. */
  readonly optimize: OptimizeConfig;
}

/** What its agent put into user turns. */
const AGENT_TEXTS = { report: 'agent: reports', skill: 'agent: skills', file: 'agent: attached files' } as const;

interface Counting extends InspectionOptions {
  readonly countBlock: CountBlock;
  readonly countEntry: (entry: IContent) => number;
}

const LARGEST_ENTRIES = 10;
/** Bars that fit into a line of a terminal. */
const STRETCHES = 72;

const KINDS: Readonly<Record<ContentBlock['type'], string>> = {
  text: 'text',
  tool_call: 'tool calls',
  tool_response: 'tool results',
  media: 'images and files',
  thinking: 'thinking',
  code: 'code',
};

/** What the provider counted of answers beyond their recorded text. */
const NOT_RECORDED = 'model: thinking, not in the file';

const SPEAKERS: Readonly<Record<IContent['speaker'], string>> = { human: 'user', ai: 'model', tool: 'tools' };

class Sums {
  readonly #sums = new Map<string, { tokens: number; count: number }>();

  add(name: string, tokens: number, count: number): void {
    const sum = this.#sums.get(name) ?? { tokens: 0, count: 0 };
    sum.tokens += tokens;
    sum.count += count;
    this.#sums.set(name, sum);
  }

  shares(): Share[] {
    return [...this.#sums].map(([name, sum]) => ({ name, ...sum })).sort((one, other) => other.tokens - one.tokens);
  }
}

/** Adds up where the tokens of a history are. Linear in blocks. */
export function inspectHistory(
  history: readonly IContent[],
  options: InspectionOptions,
  countBlock: CountBlock = blockCounter(options.model),
): Inspection {
  const countEntry = entryCounter(options.model, countBlock);
  const counting = { ...options, countBlock, countEntry };
  const pairing = pairCalls(history);
  const kinds = new Sums();
  const tools = new Sums();
  const sizes = history.map((entry, index) => {
    const inBlocks = entry.blocks.reduce((sum, block, at) => {
      const tokens = countBlock(block);
      const text = agentTextAt(history, index, at);
      kinds.add(text ? AGENT_TEXTS[text.kind] : `${SPEAKERS[entry.speaker]}: ${KINDS[block.type]}`, tokens, 1);
      if (block.type === 'tool_call') tools.add(block.name, tokens, 1);
      if (block.type === 'tool_response') tools.add(block.toolName, tokens, 0);
      return sum + tokens;
    }, 0);
    const size = countEntry(entry);
    if (size > inBlocks) kinds.add(NOT_RECORDED, size - inBlocks, 1);
    return size;
  });
  return {
    entries: history.length,
    tokens: sizes.reduce((sum, tokens) => sum + tokens, 0),
    tokensAlong: inStretches(sizes),
    byKind: kinds.shares(),
    byTool: tools.shares(),
    byFile: filesOf(pairing, counting),
    largest: largestEntries(history, sizes, options.vocabulary, pairing),
    ...prunable(history, counting),
    unknownTools: unknownTools(history, options.vocabulary),
    unansweredCalls: unansweredCalls(pairing).map(({ call, entry }) => ({
      id: call.id,
      tool: call.name,
      position: entry + 1,
    })),
    orphanResponses: orphanResponses(pairing).map(({ response, entry }) => ({
      id: response.callId,
      tool: response.toolName,
      position: entry + 1,
    })),
    reusedCallIds: reusedIds(pairing),
  };
}

function inStretches(sizes: readonly number[]): number[] {
  const count = Math.min(STRETCHES, sizes.length);
  const sums = new Array<number>(count).fill(0);
  for (const [index, tokens] of sizes.entries()) sums[Math.floor((index * count) / sizes.length)]! += tokens;
  return sums;
}

function filesOf(pairing: Pairing, { vocabulary, workspaceRoot, countBlock }: Counting): FileShare[] {
  const files = new Map<string, { tokens: number; reads: number; writes: number }>();
  for (const { call, responses } of pairing.calls) {
    const { reads, writes } = fileAccess(call, vocabulary, workspaceRoot);
    const paths = new Set([...reads, ...writes]);
    const tokens = responses.reduce((sum, { response }) => sum + countBlock(response), countBlock(call));
    for (const path of paths) {
      const sum = files.get(path) ?? { tokens: 0, reads: 0, writes: 0 };
      sum.tokens += tokens / paths.size;
      sum.reads += reads.includes(path) ? 1 : 0;
      sum.writes += writes.includes(path) ? 1 : 0;
      files.set(path, sum);
    }
  }
  return [...files]
    .map(([path, sum]) => ({ path, ...sum, tokens: Math.round(sum.tokens) }))
    .sort((one, other) => other.tokens - one.tokens);
}

function largestEntries(
  history: readonly IContent[],
  sizes: readonly number[],
  vocabulary: ToolVocabulary,
  pairing: Pairing,
): LargeEntry[] {
  const callOf = new Map<ContentBlock, ToolCallBlock>();
  for (const { response, call } of pairing.responses) if (call) callOf.set(response, call.call);
  return sizes
    .map((tokens, index) => ({ tokens, index }))
    .sort((one, other) => other.tokens - one.tokens || one.index - other.index)
    .slice(0, LARGEST_ENTRIES)
    .map(({ tokens, index }) => {
      const entry = history[index]!;
      return {
        position: index + 1,
        speaker: entry.speaker,
        tokens,
        label: labelOfEntry(entry, vocabulary, (block) => callOf.get(block)),
      };
    });
}

function reusedIds(pairing: Pairing): number {
  const calls = new Map<string, number>();
  for (const { call } of pairing.calls) calls.set(call.id, (calls.get(call.id) ?? 0) + 1);
  return [...calls.values()].filter((count) => count > 1).length;
}
