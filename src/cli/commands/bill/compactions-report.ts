import { groupBy } from '../../../content/group-by.ts';
import type { FileCuts } from '../../../lab/cuts/file-cuts.ts';
import type { FileAnswers, FileQuestion } from '../../../lab/files/file-answers.ts';
import type { NeedKind } from '../../../needs/need.ts';
import { contradictedNote } from '../../../report/contradicted-calls.ts';
import { counted, grouped } from '../../../report/figures.ts';
import { askedFiles } from '../../options/asked-files.ts';
import type { NamedSessions } from '../../options/named-sessions.ts';
import { type ListedNames, listedNames, MESSAGE_COLUMN } from '../../picker/listed-names.ts';
import { ranked, rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import { printJson, terminal } from '../../terminal/terminal.ts';
import { type AgentCut, agentCuts, agentSummaries, MIN_CUTS, namedCuts, neededOf } from './agent-cuts.ts';

/** More cuts are only in the JSON. */
const MAX_LISTED = 40;
const TOO_FEW = 'too few';

const TABLE_LEGEND =
  'Rewritten: input of the next call that was not read from the prompt cache, at its list price. Calls: up to the next cut. Needed later: text that a later edit, quotation or call uses, with no copy left in what is recorded of the context; of so many that use earlier text.';

const NEED_WORDS: Readonly<Record<NeedKind, readonly [one: string, many: string]>> = {
  edit: ['edit', 'edits'],
  rerun: ['call again', 'calls again'],
  quotation: ['quotation', 'quotations'],
  name: ['name', 'names'],
};

const tokens = (value: number | undefined): string => (value === undefined ? '?' : grouped(value));
const change = (before: number | undefined, after: number | undefined): string =>
  `${tokens(before)} → ${tokens(after)}`;

function priceOf({ rewritten }: AgentCut): string {
  if (rewritten === undefined || rewritten.match === 'unknown') return '?';
  return `${rewritten.match === 'guess' ? '~' : ''}$${rewritten.dollars.toFixed(3)}`;
}

/** What later events needed of one cut, in words. */
function neededWords(cut: AgentCut): string {
  if (cut.losses === undefined) return '?';
  const words = Object.entries(neededOf([cut])).flatMap(([kind, { regrets }]) => {
    const [one, many] = NEED_WORDS[kind as NeedKind];
    return regrets === 0 ? [] : [counted(regrets, one, many)];
  });
  return words.length === 0 ? 'nothing' : words.join(', ');
}

function listedCuts(
  cuts: readonly AgentCut[],
  { nameOf, messageOf }: ListedNames,
  screen: ReturnType<typeof terminal>['out'],
): string[] {
  const listed = cuts.slice(0, MAX_LISTED);
  const messages = listed.map(({ session }) => messageOf(session));
  const hasMessages = messages.some((message) => message !== '');
  const rows = listed.map((cut, row) => [
    nameOf(cut.session),
    cut.kind === 'clearing' ? `${cut.agent} (clearing)` : cut.agent,
    change(cut.beforeTokens, cut.afterTokens),
    tokens(cut.rewritten?.tokens),
    priceOf(cut),
    grouped(cut.callsAfter),
    neededWords(cut),
    ...(hasMessages ? [messages[row]!] : []),
  ]);
  const more = cuts.length - rows.length;
  return [
    ...tableLines(
      [
        { title: 'session', shrink: 'start' },
        { title: 'agent', rank: 1 },
        ...ranked(2, rightAligned('before → after')),
        ...ranked(3, rightAligned('rewritten')),
        ...rightAligned('price'),
        ...ranked(3, rightAligned('calls')),
        { title: 'needed later', shrink: 'end' },
        ...(hasMessages ? [MESSAGE_COLUMN] : []),
      ],
      rows,
      { columns: hasMessages ? screen.allColumns : screen.columns, heading: screen.colors.dim },
    ),
    ...(more > 0 ? [`and ${more} more: --json lists all`] : []),
  ];
}

function byAgent(cuts: readonly AgentCut[], screen: ReturnType<typeof terminal>['out']): string[] {
  const rows = agentSummaries(cuts).map(({ agent, cuts: n, needed, ...median }) => {
    const share = (kind: NeedKind): string => `${needed[kind].regrets} of ${needed[kind].uses}`;
    const figures = [
      change(median.beforeTokens, median.afterTokens),
      tokens(median.rewrittenTokens),
      median.dollars === undefined ? '?' : `$${median.dollars.toFixed(3)}`,
      tokens(median.callsAfter),
      share('edit'),
      share('quotation'),
      share('rerun'),
      share('name'),
    ];
    return [agent, String(n), ...(n < MIN_CUTS ? figures.map(() => TOO_FEW) : figures)];
  });
  const columns = [
    ...rightAligned('n'),
    ...ranked(2, rightAligned('before → after')),
    ...ranked(3, rightAligned('rewritten')),
    ...rightAligned('price'),
    ...ranked(3, rightAligned('calls')),
    ...rightAligned('edits'),
    ...ranked(1, rightAligned('quotations', 'calls again', 'names')),
  ];
  return tableLines([{ title: 'agent', shrink: 'end', least: 10 }, ...columns], rows, {
    columns: screen.columns,
    heading: screen.colors.dim,
  });
}

/** Sentences about what the figures are, and what they cannot show. */
function limits(all: readonly AgentCut[], cuts: readonly AgentCut[], { nameOf }: ListedNames): string[] {
  const falls = all.filter(({ kind }) => kind === 'fall');
  const copies = all.filter(({ kind, isCopy }) => kind !== 'fall' && isCopy).length;
  const encrypted = cuts.filter(({ losses }) => losses?.summary === 'encrypted').length;
  const unseen = cuts.filter(({ unseenTokens = 0 }) => unseenTokens >= 4096);
  const headless = cuts.filter(({ losses }) => losses === undefined).length;
  return [
    ...(cuts.length === 0 ? [] : [TABLE_LEGEND]),
    ...(copies > 0
      ? [`${counted(copies, 'copy', 'copies')} in forked sessions ${copies === 1 ? 'is' : 'are'} left out.`]
      : []),
    ...(headless > 0
      ? [
          `${counted(headless, 'recording')} ${headless === 1 ? 'starts' : 'start'} after the cut: what was removed is not known.`,
        ]
      : []),
    ...(encrypted > 0
      ? [
          `${counted(encrypted, 'summary', 'summaries')} cannot be read (encrypted): names and quotations may be in there.`,
        ]
      : []),
    ...unseen.map(
      ({ session, unseenTokens = 0 }) =>
        `After the one in ${nameOf(session)}, the agent sent ${counted(unseenTokens, 'token')} that are not recorded, such as files that it read again: what was needed may be in there.`,
    ),
    ...[...groupBy(falls, ({ agent }) => agent)].map(
      ([agent, own]) =>
        `${cuts.length === 0 ? 'Inferred' : 'Inferred, not in the table'}: ${counted(own.length, 'prompt')} of ${agent} ${own.length === 1 ? 'was' : 'were'} over 10% smaller than the one before, and no cut is recorded.`,
    ),
  ];
}

/**
 * Finds the cuts of the named sessions on `threads` and prints them.
 * @throws UsageError for names without any session.
 */
export async function printCompactions(
  asked: NamedSessions,
  { json }: { readonly json?: boolean },
  threads: FileAnswers<FileQuestion, FileCuts>,
): Promise<void> {
  const { out } = terminal();
  const { results: files } = await askedFiles(asked, {
    threads,
    label: 'reading',
    question: (file) => file,
  });
  const all = agentCuts(files);
  if (json) return printJson(...all);
  const cuts = namedCuts(all);
  const sessions = new Set(cuts.map(({ session }) => session)).size;
  const heading = `${counted(cuts.length, 'compaction or clearing', 'compactions and clearings')} by agents in ${sessions} of ${counted(files.length, 'session')}.`;
  const names = listedNames();
  const tables =
    cuts.length === 0
      ? []
      : [
          '',
          ...listedCuts(cuts, names, out),
          '',
          wrapped(`By agent (medians; fewer than ${MIN_CUTS} say nothing):`, out.columns),
          ...byAgent(cuts, out),
        ];
  const contradicted = files.flatMap(({ path, contradicted: calls }) =>
    calls.map((call) => ({ ...call, session: names.nameOf(path) })),
  );
  const [headline, ...said] = [heading, ...limits(all, cuts, names), ...contradictedNote(contradicted)].map((text) =>
    wrapped(text, out.columns),
  );
  await out.print(`${[out.colors.bold(headline ?? ''), ...tables, '', ...said].join('\n')}\n`);
}
