import type { ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';

/**
 * What Claude Code answers to a repeated read of an unchanged file, now and before.
 * Source: https://github.com/anthropics/claude-code/issues/64882 and https://github.com/anthropics/claude-code/issues/46749
 */
const STUBS: readonly string[] = [
  'Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.',
  'File unchanged since last read. The content from the earlier Read tool_result in this conversation is still current — refer to that instead of re-reading.',
];

export const isStub = ({ toolName }: ToolResponseBlock, text: string): boolean =>
  toolName === 'Read' && text.length < 400 && STUBS.some((stub) => text.trimStart().startsWith(stub));

/** The file and the range of a read of Claude Code. */
export function readKey(call: ToolCallBlock | undefined): string | undefined {
  if (call?.name !== 'Read' || !isRecord(call.parameters)) return undefined;
  const { file_path: file, offset, limit } = call.parameters;
  return typeof file === 'string' ? JSON.stringify([file, offset ?? null, limit ?? null]) : undefined;
}
