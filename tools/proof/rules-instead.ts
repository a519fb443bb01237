/**
 * The compactions that Claude Code made in recorded sessions, and what the rules of the plugin's mod would have made of the same
 * transcripts: how much would be left, after how many more calls the window would be as full again, and what later calls needed of the text
 * that the summary, or the rules, removed. Prints a table; it holds if rules were regretted no more than the summaries.
 *
 * `npm run proof -- rules-instead`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { grouped } from '../../src/content/counted.ts';
import { fileBytes } from '../../src/disk/file-bytes.ts';
import { readSession } from '../../src/sessions/read-session.ts';
import { recordedSessions, sessionName } from './recorded-sessions.ts';
import { type CutByRules, cutsByRules } from './rules-instead/cuts-by-rules.ts';

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** What came of it, in words. */
function outcome({ isByRules, callsUntilFull, callsAfter }: CutByRules): string {
  const later = callsUntilFull === undefined ? 'not within' : `${callsUntilFull} of`;
  return `${isByRules ? 'by rules' : 'by a summary'}; full again after rules: ${later} ${callsAfter} calls`;
}

const rowOf = (cut: CutByRules): readonly string[] => [
  cut.session,
  cut.trigger,
  grouped(cut.beforeTokens),
  grouped(cut.summaryTokens),
  `${grouped(cut.ruleTokens)}, ${percent(cut.ruleTokens / cut.windowTokens)} of the window`,
  outcome(cut),
  `${grouped(cut.keptTokens)}`,
  `${cut.summaryRegrets}`,
  `${cut.ruleRegrets}`,
  cut.hasThinking ? 'yes' : 'no',
];

const HEAD = [
  'session',
  'trigger',
  'before',
  'by the summary',
  'by rules',
  'with the mod',
  'tokens that rules keep and the summary did not',
  'needed later of what the summary removed',
  'of what rules removed',
  'thinking',
];

export async function prove(): Promise<boolean> {
  const archive = mkdtempSync(path.join(os.tmpdir(), 'rules-instead-'));
  const cuts: CutByRules[] = [];
  let sessions = 0;
  for (const file of recordedSessions(['data', 'more-data', 'modern-data'])) {
    let read: ReturnType<typeof readSession>;
    try {
      read = readSession(fileBytes(file));
    } catch {
      continue;
    }
    if (read.format.name !== 'claude-code') continue;
    sessions++;
    for (const cut of await cutsByRules(read.session, { name: sessionName(file), archive }))
      if (!cuts.some(({ digest }) => digest === cut.digest)) cuts.push(cut);
  }
  rmSync(archive, { recursive: true });
  for (const row of [HEAD, HEAD.map(() => '---'), ...cuts.map(rowOf)]) console.log(`| ${row.join(' | ')} |`);
  const whole = cuts.filter(({ isByRules, callsUntilFull }) => isByRules && callsUntilFull === undefined).length;
  const later = cuts.filter(({ isByRules }) => isByRules).length - whole;
  console.log(
    `${sessions} sessions of Claude Code, ${cuts.length} compactions of their own with the text before them: rules alone make ${whole} unnecessary and ${later} later`,
  );
  const sum = (of: (cut: CutByRules) => number): number => cuts.reduce((total, cut) => total + of(cut), 0);
  const [byRules, bySummaries] = [sum(({ ruleRegrets }) => ruleRegrets), sum(({ summaryRegrets }) => summaryRegrets)];
  console.log(`needed later: ${bySummaries} times of what summaries removed, ${byRules} times of what rules removed`);
  return byRules <= bySummaries;
}
