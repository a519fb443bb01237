import { asText, type Fields, isRecord } from '../content/foreign-value.ts';
import type { HookEvent } from './hook-event.ts';
import { fileOfNumbered, fittedToNumbers, numbered } from './numbered-text.ts';

/** The text of a tool's result as the model sees it, and how a hook puts another in its place. */
export interface ShownResult {
  readonly text: string;
  /** As much of a form as the tool can show; absent: all of it. */
  fitted?(form: string): string;
  /** What the hook prints, for a text that fits. */
  replacedBy(text: string): object;
}

/** In Claude Code the new output must have the shape of the tool's own. */
const updated = (output: unknown): object => ({
  hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: output },
});

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === false || value === '';

/** `Read` of a text file, whose lines Claude Code numbers after the hook. */
function shownFile(response: Fields): ShownResult | undefined {
  const { type, file } = response;
  if (type !== 'text' || !isRecord(file)) return undefined;
  const { content, startLine } = file;
  if (typeof content !== 'string' || typeof startLine !== 'number') return undefined;
  const text = numbered(content, startLine);
  return {
    text,
    fitted: (form) => fittedToNumbers(form, text, startLine),
    replacedBy: (form) => updated({ ...response, file: { ...file, ...fileOfNumbered(form, startLine) } }),
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
  return {
    text: filenames.join('\n'),
    replacedBy: (text) => updated({ ...response, filenames: text.split('\n') }),
  };
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

/** Codex shows the reason of a block in the place of a result: for less, what a person sees is not worth it. About 1,000 tokens. */
const MIN_BLOCKED_CHARACTERS = 4_000;

const shownByCodex = (text: string): ShownResult => ({
  text,
  fitted: (form) => (text.length - form.length < MIN_BLOCKED_CHARACTERS ? text : form),
  replacedBy: (reason) => ({ decision: 'block', reason }),
});

/** The result in a `PostToolUse` event; undefined if its shape is not known, or it is no plain text. */
export function shownResult({ fields, isOfCodex }: HookEvent): ShownResult | undefined {
  const { tool_name: tool, tool_response: response } = fields;
  if (typeof tool !== 'string') return undefined;
  if (typeof response === 'string' && isOfCodex) return shownByCodex(response);
  if (Array.isArray(response)) return shownBlocks(response);
  return isRecord(response) ? SHAPES[tool]?.(response) : undefined;
}
