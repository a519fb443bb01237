import type { IContent } from '../src/content/content.ts';
import { fileBytes } from '../src/disk/file-bytes.ts';
import type { Session } from '../src/formats/contract.ts';
import { UsageComparison } from '../src/replay/usage-error.ts';
import { readSession } from '../src/sessions/read-session.ts';
import { entryCounter } from '../src/tokens/entries/block-counter.ts';
import { familyOfModel } from '../src/tokens/models.ts';
import { recordings } from './recordings.ts';
import type { Row } from './row.ts';

/** Fewer calls say little about a model. */
const MIN_CALLS = 20;

/** The calls of a family of models, or of one model. */
interface Group {
  sessions: number;
  readonly text: UsageComparison;
  readonly counted: UsageComparison;
}

type TokensOf = (entry: IContent) => number;

/** Adds the calls of a session to a comparison; growth across its rebuilds says nothing. */
function compare(comparison: UsageComparison, { events }: Session, tokensOf: TokensOf): void {
  comparison.forget();
  let tokens = 0;
  for (const event of events) {
    if (event.kind === 'replace') {
      tokens = event.contents.reduce((sum, entry) => sum + tokensOf(entry), 0);
      comparison.forget();
      continue;
    }
    const { speaker, metadata } = event.content;
    const isReported = speaker === 'ai' && (metadata?.usage?.promptTokens ?? 0) > 0;
    if (isReported) comparison.addCall(metadata?.usage, tokens);
    tokens += tokensOf(event.content);
  }
}

const withoutReport = (entry: IContent): IContent => ({ speaker: entry.speaker, blocks: entry.blocks });

const nameOf = (model: string): string => model.replace(/^.*\//, '').replace(/-20\d\d.*$/, '');

function errors(comparison: UsageComparison): string {
  const result = comparison.result();
  if (result === undefined) return '–';
  const percent = (ratio: number, digits: number): string => `${(100 * Math.abs(ratio)).toFixed(digits)}%`;
  const median = percent(result.median, 1);
  const p90 = percent(result.p90, 0);
  return `${result.total < 0 ? '−' : '+'}${percent(result.total, 1)} · ${median} · ${p90}`;
}

/** Prints how far our counts are from the reported ones, as Markdown; measures no speed. */
export async function run(): Promise<readonly Row[]> {
  const groups = new Map<string, Group>();
  const groupOf = (name: string): Group => {
    const group = groups.get(name) ?? { sessions: 0, text: new UsageComparison(), counted: new UsageComparison() };
    groups.set(name, group);
    return group;
  };
  for (const { file } of recordings()) {
    const { session, format } = readSession(fileBytes(file));
    const { model, events } = session;
    const isReported = events.some((event) => event.kind === 'add' && event.content.metadata?.usage !== undefined);
    if (model === undefined || !isReported) continue;
    const count = entryCounter(model);
    const family = familyOfModel(model);
    for (const name of [`**${family}**`, `${family}: ${nameOf(model)}, ${format.name}`]) {
      const group = groupOf(name);
      group.sessions++;
      compare(group.text, session, (entry) => count(withoutReport(entry)));
      compare(group.counted, session, count);
    }
  }
  const isFamily = (name: string): boolean => name.startsWith('*');
  const rows = [...groups]
    .filter(([name, { counted }]) => isFamily(name) || (counted.result()?.calls ?? 0) >= MIN_CALLS)
    .sort(([one], [other]) => Number(isFamily(other)) - Number(isFamily(one)) || (one < other ? -1 : 1))
    .map(([name, { sessions, text, counted }]) => [
      name,
      sessions,
      counted.result()?.calls ?? 0,
      errors(text),
      errors(counted),
    ]);
  console.log('Errors against reported usage: total · one call, median · one call, 90th percentile\n');
  const headings = ['model', 'sessions', 'calls', 'recorded text alone', 'as we count'];
  for (const cells of [headings, headings.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
  return [];
}
