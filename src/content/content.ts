/** The author of an entry. A `tool` entry contains results and the media that belong to them. */
export type Speaker = 'human' | 'ai' | 'tool';

interface BlockCommon {
  readonly providerMetadata?: Readonly<Record<string, unknown>>;
}

export interface TextBlock extends BlockCommon {
  readonly type: 'text';
  readonly text: string;
}

export interface ToolCallBlock extends BlockCommon {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** What the model wrote: any value (REQ-HD-013.5). */
  readonly parameters: unknown;
  readonly description?: string;
}

export interface ToolResponseBlock extends BlockCommon {
  readonly type: 'tool_response';
  readonly callId: string;
  readonly toolName: string;
  readonly result: unknown;
  /** Present if the call failed or was cancelled, with or without a `result`. */
  readonly error?: string;
  readonly isComplete?: boolean;
}

export interface MediaBlock extends BlockCommon {
  readonly type: 'media';
  readonly mimeType: string;
  readonly data: string;
  readonly encoding: 'url' | 'base64';
  readonly caption?: string;
  readonly filename?: string;
}

export interface ThinkingBlock extends BlockCommon {
  readonly type: 'thinking';
  readonly thought: string;
  readonly isHidden?: boolean;
  readonly sourceField?: string;
  readonly signature?: string;
  readonly encryptedContent?: string;
}

export interface CodeBlock extends BlockCommon {
  readonly type: 'code';
  readonly code: string;
  readonly language?: string;
}

export type ContentBlock = TextBlock | ToolCallBlock | ToolResponseBlock | MediaBlock | ThinkingBlock | CodeBlock;

/** A model call inside another one, whose tokens are in no count of that one. */
export interface InnerCall {
  /** What it was for, as its provider names it: `compaction`, `advisor_message`, or `message` for an attempt that was declined. */
  readonly kind: string;
  /** Absent: the model of the call around it. */
  readonly model?: string;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly writtenHourTokens: number;
  readonly uncachedTokens: number;
  readonly outputTokens: number;
}

/** What a call costs beside its tokens at standard prices, as its provider reports it. What is standard is absent. */
export interface BilledBeside {
  /** How it was served, such as `fast`, `priority` or `batch`. */
  readonly service?: string;
  /** Where it was served, such as `us`. */
  readonly region?: string;
  readonly innerCalls?: readonly InnerCall[];
  /** How often the provider ran each of its own tools, such as `web_search`. */
  readonly toolUses?: Readonly<Record<string, number>>;
}

/** Token counts that a provider reported for one model call. */
export interface Usage extends BilledBeside {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly cachedTokens?: number;
  /**
   * Input that was written to the prompt cache, and the part of it that was written for an hour; absent where not reported. A
   * recording that always has the field says nothing with a zero.
   */
  readonly writtenTokens?: number;
  readonly writtenHourTokens?: number;
  /** What the provider reported, if entries before the call were removed since: the prompt above is then an estimate of what is left of it. */
  readonly reported?: Usage;
}

/** What the provider reported for a call, and is paid; its prompt may have been made smaller since. */
export const paidUsage = ({ usage }: Pick<ContentMetadata, 'usage'>): Usage | undefined => usage?.reported ?? usage;

/** Facts about an entry that no model is sent. Unknown fields are kept. */
export interface ContentMetadata {
  readonly id?: string;
  readonly timestamp?: number;
  readonly model?: string;
  readonly provider?: string;
  readonly usage?: Usage;
  /** The provider's name of an answer: equal in each copy of a session. */
  readonly answerId?: string;
  readonly isSummary?: boolean;
  /** True if an agent wrote it, not a person or a model. */
  readonly synthetic?: boolean;
  /** True for a message of `role: "system"` between others: all of it is the agent's, several texts as one. */
  readonly isSystemMessage?: boolean;
  /** The file whose lines the agent attached, because something else changed it. */
  readonly attachedFile?: string;
  readonly reason?: string;
  readonly turnId?: string;
  readonly [field: string]: unknown;
}

/**
 * One entry of a history, in a form that belongs to no provider. Immutable once it is in a history.
 * Source: docs/library.md, "Data".
 */
export interface IContent {
  readonly speaker: Speaker;
  readonly blocks: readonly ContentBlock[];
  readonly metadata?: ContentMetadata;
}

/** A human entry with one text block. */
export function createUserMessage(text: string, metadata?: { timestamp?: number; provider?: string }): IContent {
  return { speaker: 'human', blocks: [{ type: 'text', text }], ...(metadata && { metadata }) };
}

/** A tool entry with one result; `error` is set in addition to `result`. */
export function createToolResponse(callId: string, toolName: string, result: unknown, error?: string): IContent {
  return {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId, toolName, result, ...(error !== undefined && { error }) }],
  };
}

function blockHasContent(block: ContentBlock): boolean {
  switch (block.type) {
    case 'text':
      return block.text.trim() !== '';
    case 'tool_call':
      return Boolean(block.name) && block.parameters !== undefined;
    case 'tool_response':
      return Boolean(block.callId) && block.result !== undefined;
    case 'media':
      return Boolean(block.data) && Boolean(block.mimeType);
    case 'code':
      return block.code.trim() !== '';
    case 'thinking':
      return block.sourceField === 'thinking'
        ? block.thought.trim() !== '' && Boolean(block.signature)
        : block.thought.trim() !== '' || Boolean(block.encryptedContent);
  }
}

export const ContentValidation = {
  /** True if at least one block of an entry is not empty. Source: docs/library.md, "has content". */
  hasContent: (content: IContent): boolean => content.blocks.some(blockHasContent),
};
