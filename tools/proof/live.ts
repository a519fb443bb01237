/**
 * The requests of every recorded session, played through the provider that enforces the rules, without and with the pruner:
 * none is refused because of it, no thinking is lost, no prefix changes outside an epoch, a restart at every tenth request
 * changes no byte, the bill is not higher, and a model without a price has no epoch while its cache may be warm. At every tenth
 * request a refusal for a reason of the agent's changes no byte either. After each epoch a request for a summary of the
 * conversation is accepted, and reads the prefix that is in the cache.
 *
 * `npm run proof -- live [--part 1/4] [--outcomes file] [part of a path …] [part of a model …]`: sessions and models whose
 * name contains one of these; default all, for about an hour. With a file, plays that it contains are not repeated, and
 * processes with different parts share it; each prints the table of all that the file contains.
 */
import { parseArgs } from 'node:util';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { reportOutcomes } from './live/outcome-table.ts';
import { Outcomes } from './live/outcomes.ts';
import { type PlayedModel, playCalls } from './live/play.ts';
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
  // Nobody knows these.
  anthropic('claude-nobody-9', '5m', 'new'),
  { api: 'openai-responses', model: 'nobody-9', ttl: '5m', account: 'new' },
];

const nameOf = ({ model, api, ttl, account }: PlayedModel): string =>
  `${model} ${api === 'openai-chat' ? 'chat ' : ''}${api === 'anthropic-messages' ? `${ttl}, ${account} account` : ''}`.trim();

const OLD = Date.UTC(2026, 0, 1);

export async function prove(parameters: readonly string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    options: { part: { type: 'string', default: '1/1' }, outcomes: { type: 'string' } },
    allowPositionals: true,
  });
  const [part = 1, parts = 1] = values.part.split('/').map(Number);
  const isModel = (name: string): boolean => PLAYED_MODELS.some((played) => nameOf(played).includes(name));
  const models = positionals.filter(isModel);
  const folders = positionals.filter((name) => !isModel(name));
  const outcomes = new Outcomes(values.outcomes);
  for (const [at, file] of recordedSessions().entries()) {
    const isNamed = folders.length === 0 || folders.some((name) => file.includes(name));
    if (at % parts === part - 1 && isNamed) await playSession(file, { models, outcomes });
  }
  return reportOutcomes([...outcomes.all().values()]);
}

async function playSession(
  file: string,
  { models, outcomes }: { models: readonly string[]; outcomes: Outcomes },
): Promise<void> {
  const name = file.replace(/^.*\/(?=(?:more-)?data\/)/, '');
  const agent = name.split('/')[1] ?? '';
  const known = outcomes.all();
  const waiting = PLAYED_MODELS.filter((played) => {
    const isNamed = models.length === 0 || models.some((part) => nameOf(played).includes(part));
    return isNamed && !known.has(`${name} ${nameOf(played)}`);
  });
  if (waiting.length === 0) return;
  const session = recordedSession(file);
  const calls = recordedCalls(session);
  if (calls.length < 2) return;
  const { vocabulary, workspaceRoot = '/' } = session;
  const provider = new StrictProvider({ createdAt: (account) => (account.endsWith('old') ? OLD : Date.now()) });
  for (const played of waiting) {
    const { refusals, ...outcome } = await playCalls(calls, { provider, played, vocabulary, workspaceRoot, agent });
    const [refusal] = refusals;
    const model = nameOf(played);
    const told = { refused: refusals.length, ...(refusal !== undefined && { refusal }) };
    outcomes.add({ play: `${name} ${model}`, agent, model, ...outcome, ...told });
  }
}
