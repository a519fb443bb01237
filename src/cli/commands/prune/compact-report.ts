import type { CompactOptions, CompactStats } from '../../../compaction/contract.ts';
import type { Message, MessageLike } from '../../../compaction/message.ts';
import { planCompaction } from '../../../compaction/plan.ts';
import { counted, grouped, percent } from '../../../report/figures.ts';
import { hiddenLine, redactorOf } from '../../output/redaction.ts';
import { printable } from '../../terminal/printable.ts';
import { type Screen, terminal } from '../../terminal/terminal.ts';
import type { CompactCommandOptions } from './compact-options.ts';

const TITLE = /^\[Restored after compact\] (.*):$/;

/** The paths of the restored files, in order. */
export const restoredPaths = (messages: readonly MessageLike[]): string[] =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? (TITLE.exec(content.slice(0, content.indexOf('\n')))?.[1] ?? []) : [],
  );

function restoredLines(files: readonly string[], tokens: number, { dim }: Screen['colors']): string[] {
  if (files.length === 0) return [dim('no file restored')];
  return [
    `${counted(files.length, 'file')} restored, ${counted(tokens, 'token')}`,
    ...files.map((file) => `  ${printable(file)}`),
  ];
}

/** The result of a compaction, for a person. */
export function compactReport(
  stats: CompactStats,
  { files, kept, output, screen }: { files: readonly string[]; kept: string | null; output: string; screen: Screen },
): string {
  const { bold, green, dim } = screen.colors;
  const { originalTokenCount: before, compactedTokenCount: after } = stats;
  const saved = before - after;
  const lines = [
    `${bold(`${grouped(before)} → ${counted(after, 'token')}`)}, ${green(`${percent(saved, before)} smaller`)}`,
    `${counted(stats.compactedMessageCount, 'message')} summarised, ${counted(stats.retainedMessageCount, 'message')} kept`,
    ...restoredLines(files, stats.restoredTokenCount, screen.colors),
    ...(kept === null ? [] : [`${dim('the original messages are kept in')} ${printable(kept)}`]),
    ...(output === '-' ? [] : [`${dim('written to')} ${printable(output)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Prints what a compaction would summarise and restore. */
export async function printPlan(
  messages: Message[],
  settings: CompactOptions,
  { json, ...options }: CompactCommandOptions,
): Promise<void> {
  const { out, notes } = terminal();
  const plan = await planCompaction(messages, settings);
  const { tokens, headMessages, restMessages, promptTokens, restored } = plan;
  const redactor = redactorOf(options);
  const prompt = redactor?.text(plan.prompt) ?? plan.prompt;
  const files = restoredPaths(restored.messages);
  if (json) {
    const facts = {
      tokens,
      headMessages,
      restMessages,
      promptTokens,
      restored: files,
      restoredTokens: restored.totalTokens,
    };
    await out.print(`${JSON.stringify({ ...facts, prompt, secretsHidden: redactor?.hidden ?? null })}\n`);
    return;
  }
  const { bold, dim } = out.colors;
  const lines = [
    `${bold(`${counted(tokens, 'token')}`)}: ${counted(restMessages, 'message')} to summarise, ${counted(headMessages, 'message')} kept`,
    ...restoredLines(files, restored.totalTokens, out.colors),
    dim(`the prompt for the model, ${counted(promptTokens, 'token')}:`),
    '',
    prompt,
  ];
  await out.print(`${lines.join('\n')}\n`);
  await notes.print(hiddenLine(redactor, notes.colors.dim));
}
