/**
 * The requests of every recorded session, played through the provider that enforces the rules, without and with the pruner:
 * none is refused because of it, no thinking is lost, no prefix changes outside an epoch, and the bill is not higher.
 *
 * `npm run proof -- live [part of a path …] [part of a model …]`: sessions and models whose name contains one of these;
 * default all, for about half an hour.
 */
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { type Played, type PlayedModel, playCalls } from './live/play.ts';
import { recordedCalls } from './live/recorded-calls.ts';
import { recordedSession, recordedSessions } from './recorded-sessions.ts';

const anthropic = (model: string, ttl: '5m' | '1h', account: 'old' | 'new'): PlayedModel => ({
  api: 'anthropic-messages',
  model,
  ttl,
  account,
});

export const PLAYED_MODELS: readonly PlayedModel[] = [
  anthropic('claude-sonnet-4-5', '5m', 'old'),
  anthropic('claude-sonnet-4-5', '1h', 'old'),
  anthropic('claude-opus-5', '5m', 'new'),
  anthropic('claude-opus-5-5', '5m', 'new'),
  anthropic('claude-opus-5-5', '5m', 'old'),
  { api: 'openai-responses', model: 'gpt-5.5', ttl: '5m', account: 'new' },
  { api: 'openai-responses', model: 'gpt-5.6-sol', ttl: '5m', account: 'new' },
  { api: 'openai-chat', model: 'gpt-5.6-sol', ttl: '5m', account: 'new' },
  { api: 'gemini-api', model: 'gemini-3.1-pro-preview', ttl: '5m', account: 'new' },
];

const nameOf = ({ model, api, ttl, account }: PlayedModel): string =>
  `${model} ${api === 'openai-chat' ? 'chat ' : ''}${api === 'anthropic-messages' ? `${ttl}, ${account} account` : ''}`.trim();

const OLD = Date.UTC(2026, 0, 1);

interface Sum {
  played: PlayedModel;
  agent: string;
  sessions: { file: string; before: number; after: number }[];
  calls: number;
  refused: number;
  onlyPruned: number;
  dropped: number;
  changed: number;
  failed: number;
  saved: Record<string, number>;
}

export async function prove(parts: readonly string[]): Promise<boolean> {
  const sums = new Map<string, Sum>();
  const problems: string[] = [];
  const isModel = (part: string): boolean => PLAYED_MODELS.some((played) => nameOf(played).includes(part));
  const models = parts.filter(isModel);
  const folders = parts.filter((part) => !isModel(part));
  for (const file of recordedSessions()) {
    if (folders.length > 0 && !folders.some((part) => file.includes(part))) continue;
    const agent = /[^/]+(?=\/)/.exec(file.replace(/^.*\/(?:more-)?data\//, ''))?.[0] ?? '';
    const session = recordedSession(file);
    const calls = recordedCalls(session);
    if (calls.length < 2) continue;
    const provider = new StrictProvider({ createdAt: (account) => (account.endsWith('old') ? OLD : Date.now()) });
    for (const played of PLAYED_MODELS) {
      if (models.length > 0 && !models.some((part) => nameOf(played).includes(part))) continue;
      const { vocabulary, workspaceRoot = '/' } = session;
      const outcome = await playCalls(calls, { provider, played, vocabulary, workspaceRoot, agent });
      const key = `${agent} ${nameOf(played)}`;
      const sum = sums.get(key) ?? {
        played,
        agent,
        sessions: [],
        calls: 0,
        refused: 0,
        onlyPruned: 0,
        dropped: 0,
        changed: 0,
        failed: 0,
        saved: {},
      };
      sums.set(key, addUp(sum, outcome, file));
      for (const refusal of outcome.refusals.slice(0, 1)) problems.push(`${file} ${nameOf(played)}: ${refusal}`);
      if (outcome.changedPrefixes > 0)
        problems.push(`${file} ${nameOf(played)}: ${outcome.changedPrefixes} changed prefixes`);
      if (outcome.failures > 0) problems.push(`${file} ${nameOf(played)}: ${outcome.failures} requests not looked at`);
    }
  }
  for (const problem of problems) console.log(problem);
  return report([...sums.values()]);
}

function addUp(sum: Sum, outcome: Played, file: string): Sum {
  sum.sessions.push({ file, before: outcome.dollarsBefore, after: outcome.dollars });
  sum.calls += outcome.calls;
  sum.refused += outcome.refusals.length;
  sum.onlyPruned += outcome.onlyPruned;
  sum.dropped += outcome.droppedThinking;
  sum.changed += outcome.changedPrefixes;
  sum.failed += outcome.failures;
  for (const [cause, tokens] of Object.entries(outcome.savedTokens))
    sum.saved[cause] = (sum.saved[cause] ?? 0) + tokens;
  return sum;
}

const total = (sums: readonly Sum[], of: (sum: Sum) => number): number => sums.reduce((all, sum) => all + of(sum), 0);
const billed = (sum: Sum, key: 'before' | 'after'): number =>
  sum.sessions.reduce((all, session) => all + session[key], 0);

function report(sums: readonly Sum[]): boolean {
  let isHigher = 0;
  for (const sum of sums) {
    const [before, after] = [billed(sum, 'before'), billed(sum, 'after')];
    if (after > before * 1.000001) isHigher++;
    const moreExpensive = sum.sessions.filter((one) => one.after > one.before * 1.01).length;
    const causes = Object.entries(sum.saved).map(([cause, tokens]) => `${cause} ${Math.round(tokens / 1000)}k`);
    const share = before === 0 ? 0 : (100 * (after - before)) / before;
    console.log(
      `${sum.agent.padEnd(18)} ${nameOf(sum.played).padEnd(36)} ${String(sum.sessions.length).padStart(4)} sessions ${String(sum.calls).padStart(6)} calls $${before.toFixed(2)} → $${after.toFixed(2)} (${share.toFixed(2)}%) >1%: ${moreExpensive}; refused ${sum.refused}, thinking ${sum.dropped}, prefixes ${sum.changed}; not sent: ${causes.join(', ') || 'nothing'}`,
    );
  }
  const sessions = total(sums, (sum) => sum.sessions.length);
  const moreExpensive = total(sums, (sum) => sum.sessions.filter((one) => one.after > one.before * 1.01).length);
  const [refused, dropped, changed, failed] = [
    (sum: Sum) => sum.refused,
    (sum: Sum) => sum.dropped,
    (sum: Sum) => sum.changed,
    (sum: Sum) => sum.failed,
  ].map((of) => total(sums, of));
  const [before, after] = [total(sums, (sum) => billed(sum, 'before')), total(sums, (sum) => billed(sum, 'after'))];
  console.log(
    `${sessions} plays, ${total(sums, (sum) => sum.calls)} calls: ${refused} refused because of the pruner, ${dropped} thinking blocks lost, ${changed} prefixes changed outside an epoch, ${failed} not looked at, ${total(sums, (sum) => sum.onlyPruned)} accepted only with the pruner and not billed; $${before.toFixed(2)} → $${after.toFixed(2)}; sets with a higher bill: ${isHigher} of ${sums.length}; plays over 1% higher: ${moreExpensive}`,
  );
  return refused === 0 && dropped === 0 && changed === 0 && isHigher === 0 && moreExpensive * 50 <= sessions;
}
