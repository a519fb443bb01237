import { pairCalls } from '../content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../content/content.ts';
import { fileAccess } from '../content/files/file-access.ts';
import { footprint } from '../content/footprint.ts';
import { llxprt } from '../content/vocabularies/llxprt.ts';
import { TimeSlice } from '../time-slice.ts';

/** A part of the context. */
export interface ContextShare {
  readonly name: string;
  readonly tokens: number;
}

/** The tokens of a conversation in three groupings, each largest first. */
export interface ContextShares {
  readonly bySpeaker: readonly ContextShare[];
  /** Results by tool. */
  readonly byTool: readonly ContextShare[];
  /** Results of calls that name exactly one file, by its path in the workspace. */
  readonly byFile: readonly ContextShare[];
}

type Sums = Map<string, number>;

const add = (sums: Sums, name: string, tokens: number): Sums => sums.set(name, (sums.get(name) ?? 0) + tokens);

const sharesOf = (sums: Sums): ContextShare[] =>
  [...sums]
    .map(([name, tokens]) => ({ name, tokens: Math.round(tokens) }))
    .filter(({ tokens }) => tokens > 0)
    .sort((one, other) => other.tokens - one.tokens);

const kindOf = (speaker: IContent['speaker'], { type }: ContentBlock): string => {
  if (type === 'tool_response') return 'tool results';
  if (type === 'tool_call') return 'tool calls';
  if (type === 'thinking') return 'thinking';
  return speaker === 'human' ? 'you' : speaker === 'ai' ? 'the model' : 'tool results';
};

/** The size of a block, by which the tokens of its entry are split: entries are counted as a whole. */
const sizeOf = (speaker: IContent['speaker'], block: ContentBlock): number =>
  footprint({ speaker, blocks: [block] }).bytes;

/** Groups known token counts, in time slices. `tokens` has one count per entry. */
export async function contextShares(
  entries: readonly IContent[],
  known: { readonly tokens: readonly number[]; readonly baseTokens: number; readonly workspaceRoot: string },
): Promise<ContextShares> {
  const [speakers, tools, files]: [Sums, Sums, Sums] = [new Map(), new Map(), new Map()];
  add(speakers, 'instructions and tools', known.baseTokens);
  const callOf = new Map<ContentBlock, string | undefined>();
  const slice = new TimeSlice();
  for (const { response, call } of pairCalls(entries).responses) {
    const { reads = [], writes = [] } = call ? fileAccess(call.call, llxprt, known.workspaceRoot) : {};
    const touched = [...reads, ...writes];
    callOf.set(response, touched.length === 1 ? touched[0] : undefined);
    if (slice.isOver()) await slice.next();
  }
  for (const [index, { speaker, blocks }] of entries.entries()) {
    const sizes = blocks.map((block) => sizeOf(speaker, block));
    const whole = sizes.reduce((sum, size) => sum + size, 0) || 1;
    for (const [place, block] of blocks.entries()) {
      const tokens = ((known.tokens[index] ?? 0) * sizes[place]!) / whole;
      add(speakers, kindOf(speaker, block), tokens);
      if (block.type !== 'tool_response') continue;
      add(tools, block.toolName, tokens);
      const file = callOf.get(block);
      if (file !== undefined) add(files, file.replace(`${known.workspaceRoot}/`, ''), tokens);
    }
    if (slice.isOver()) await slice.next();
  }
  return { bySpeaker: sharesOf(speakers), byTool: sharesOf(tools), byFile: sharesOf(files) };
}
