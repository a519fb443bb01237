import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../../../src/content/content.ts';
import { cachedFileAccess } from '../../../src/content/files/cached-file-access.ts';
import { RECOMMENDED_CONFIG } from '../../../src/live/turn/recommended-config.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { SHAPER_NAMES, type ShaperName } from '../../../src/strategies/high-density/shapers/shaper.ts';
import { blockCounter } from '../../../src/tokens/entries/block-counter.ts';
import { recordedSession } from '../recorded-sessions.ts';

/** What made the form of a result. */
export type Former = ShaperName | 'repeatedLines';

/** A result that has another form in a request. */
export interface FormedResult {
  /** Its number in the transcript. */
  readonly number: number;
  readonly original: string;
  readonly form: string;
  readonly formers: readonly Former[];
  readonly call: ToolCallBlock;
  /** Tokens from the start of the request to it, and to the nearest text that its markers of lines name. */
  readonly at: number;
  readonly targetAt: number | undefined;
}

/** A request as its agent would send it, and with the forms of new text, as transcripts for a reader. */
export interface ShapedRequest {
  readonly original: string;
  readonly shaped: string;
  readonly results: readonly FormedResult[];
}

/** All shapers. Rules other than these wait for an epoch: the two requests differ in forms alone. */
const SHAPERS_ALONE = {
  ...RECOMMENDED_CONFIG,
  readWritePruning: false,
  rules: {
    ...RECOMMENDED_CONFIG.rules!,
    ...Object.fromEntries(SHAPER_NAMES.map((name) => [name, true])),
    ...{ resultCalls: 0, carriedTokens: 0, supersededReads: false },
  },
};

/** The last request of a recorded session with at most so many tokens; undefined if its history is rebuilt before a first answer. */
export function shapedRequest(file: string, mostTokens: number): ShapedRequest | undefined {
  const { vocabulary, ...session } = recordedSession(file);
  const strategy = new HighDensityStrategy({ vocabulary, fileAccess: cachedFileAccess() });
  const config = { ...SHAPERS_ALONE, workspaceRoot: session.workspaceRoot ?? '/' };
  const countBlock = blockCounter('claude-opus-5');
  const sent: IContent[] = [];
  const originals: IContent[] = [];
  const formers = new Map<ContentBlock, { formers: Former[]; target: number | undefined }>();
  let tokens = 0;
  for (const event of session.events) {
    if (event.kind === 'replace') break;
    if (event.content.speaker === 'ai') {
      const { edits = [], replacements } = strategy.optimize(sent, config);
      for (const { entry, block, reason } of edits) {
        const known = formers.get(originals[entry]!.blocks[block]!) ?? { formers: [], target: undefined };
        if (reason.rule === 'shaped') known.formers.push(...reason.shapers);
        if (reason.rule === 'repeatedLines') {
          known.formers.push('repeatedLines');
          known.target = Math.max(...reason.sources.map((source) => source.entry));
        }
        formers.set(originals[entry]!.blocks[block]!, known);
      }
      for (const [entry, content] of replacements) sent[entry] = content;
    }
    tokens += event.content.blocks.reduce((sum, block) => sum + countBlock(block), 0);
    if (tokens > mostTokens) break;
    sent.push(event.content);
    originals.push(event.content);
  }
  const [original, shaped] = [transcriptOf(originals), transcriptOf(sent)];
  const starts = startsOf(originals, countBlock);
  const calls = new Map(
    originals.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'tool_call' ? [[block.id, block]] : [])),
    ),
  );
  let number = 0;
  const results = originals.flatMap(({ blocks }, entry) =>
    blocks.flatMap((block, place): FormedResult[] => {
      number++;
      const known = formers.get(block);
      const call = block.type === 'tool_response' ? calls.get(block.callId) : undefined;
      if (known === undefined || call === undefined) return [];
      const [before, after] = [block, sent[entry]!.blocks[place]!] as readonly ToolResponseBlock[];
      return [
        {
          number,
          original: String(before!.result),
          form: String(after!.result),
          formers: known.formers,
          call,
          at: starts[entry]!,
          targetAt: known.target === undefined ? undefined : starts[known.target],
        },
      ];
    }),
  );
  return results.length === 0 ? undefined : { original, shaped, results };
}

function startsOf(entries: readonly IContent[], countBlock: (block: ContentBlock) => number): number[] {
  let at = 0;
  return entries.map(({ blocks }) => {
    const start = at;
    at += blocks.reduce((sum, block) => sum + countBlock(block), 0);
    return start;
  });
}

/** Each block with its number. */
function transcriptOf(entries: readonly IContent[]): string {
  let number = 0;
  return entries
    .flatMap(({ speaker, blocks }) => blocks.map((block) => `===== ${++number} ${speaker} ${textOf(block)}\n`))
    .join('\n');
}

function textOf(block: ContentBlock): string {
  if (block.type === 'text') return `text\n${block.text}`;
  if (block.type === 'tool_call') return `calls ${block.name} (${block.id})\n${JSON.stringify(block.parameters)}`;
  if (block.type === 'tool_response') return `result of ${block.callId}\n${String(block.result)}`;
  return block.type;
}
