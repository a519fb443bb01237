import { asText, isRecord } from '../content/foreign-value.ts';
import type { HookEvent } from './hook-event.ts';

/** The text of a tool's result, and how a hook puts another in its place. */
export interface ShownResult {
  readonly text: string;
  /** What the hook prints. */
  replacedBy(text: string): object;
}

/** In Claude Code the new output must have the shape of the tool's own. */
const updated = (output: unknown): object => ({
  hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: output },
});

type Fields = Readonly<Record<string, unknown>>;

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === false || value === '';

/** `Read` of a text file. */
function shownFile(response: Fields): ShownResult | undefined {
  const { type, file } = response;
  if (type !== 'text' || !isRecord(file) || typeof file['content'] !== 'string') return undefined;
  const { content, startLine } = file;
  return {
    // Claude Code numbers the lines.
    text: startLine === 1 ? content : `from line ${String(startLine)}:\n${content}`,
    replacedBy: (line) => updated({ ...response, file: { ...file, content: line, numLines: 1 } }),
  };
}

/** `Bash` and `PowerShell`: no picture, nothing in the background, nothing that was written to a file because it is long. */
function shownOutput(response: Fields): ShownResult | undefined {
  const { stdout, stderr, interrupted, isImage, backgroundTaskId, persistedOutputPath } = response;
  if (typeof stdout !== 'string' || ![interrupted, isImage, backgroundTaskId, persistedOutputPath].every(isNothing))
    return undefined;
  const errors = asText(stderr);
  return {
    text: errors === '' ? stdout : `${stdout}\n${errors}`,
    replacedBy: (line) => updated({ ...response, stdout: line, stderr: '' }),
  };
}

/** `Grep` that shows lines, or names of files. */
function shownMatches(response: Fields): ShownResult | undefined {
  const { mode, content } = response;
  if (mode !== 'content') return mode === 'files_with_matches' ? shownNames(response) : undefined;
  if (typeof content !== 'string') return undefined;
  return {
    text: content,
    replacedBy: (text) => updated({ ...response, content: text, numLines: text.split('\n').length }),
  };
}

/** `Glob`: each name is a line. */
function shownNames(response: Fields): ShownResult | undefined {
  const { filenames } = response;
  if (!Array.isArray(filenames) || !filenames.every((name) => typeof name === 'string')) return undefined;
  return { text: filenames.join('\n'), replacedBy: (text) => updated({ ...response, filenames: text.split('\n') }) };
}

/** A tool of an MCP server: one text. */
function shownBlocks(response: readonly unknown[]): ShownResult | undefined {
  const [block, ...others] = response;
  if (others.length > 0 || !isRecord(block) || block['type'] !== 'text' || typeof block['text'] !== 'string')
    return undefined;
  return { text: block['text'], replacedBy: (line) => updated([{ ...block, text: line }]) };
}

const SHAPES: Readonly<Record<string, (response: Fields) => ShownResult | undefined>> = {
  Read: shownFile,
  Bash: shownOutput,
  PowerShell: shownOutput,
  Grep: shownMatches,
  Glob: shownNames,
};

/** The result in a `PostToolUse` event; undefined if its shape is not known, or it is no plain text. Codex gives a text, and shows the reason of a block in its place. */
export function shownResult({ fields, isOfCodex }: HookEvent): ShownResult | undefined {
  const { tool_name: tool, tool_response: response } = fields;
  if (typeof tool !== 'string') return undefined;
  if (typeof response === 'string' && isOfCodex)
    return { text: response, replacedBy: (reason) => ({ decision: 'block', reason }) };
  if (Array.isArray(response)) return shownBlocks(response);
  return isRecord(response) ? SHAPES[tool]?.(response) : undefined;
}
