import { billChart } from './charts/bill-chart.ts';
import { contextChart } from './charts/context-chart.ts';
import { contextShares } from './charts/context-shares.ts';
import { stallChart } from './charts/stall-chart.ts';
import { contradictedNote } from './contradicted-calls.ts';
import { htmlDocument, tile } from './document/html-document.ts';
import { breakable, html, type Markup, NOTHING } from './document/markup.ts';
import { byteSize, compact, compactTokens, counted, fullness, grouped, percent } from './figures.ts';
import { ledgerList } from './ledger-list.ts';
import { noticeKinds } from './notice-kinds.ts';
import { type SessionReport, shownLabel, shownText } from './session-report.ts';

/** Kinds of notices before the fold. */
const NOTICES_OPEN = 3;

function heading(report: SessionReport, title: string): Markup {
  const { fileName, formatTitle, sizeBytes, skippedLines, chosen } = report;
  const { entries, turns, turnsCopied, model, tokenizer, contextLimit, context } = chosen.result;
  const isExact = (tokenizer === 'o200k' || tokenizer === 'cl100k') && !context.isDerived;
  const counting = context.isReported ? 'counted by the provider' : isExact ? 'counted exactly' : 'estimated';
  const facts = [
    shownText(fileName, report),
    formatTitle,
    ...(sizeBytes === undefined ? [] : [byteSize(sizeBytes)]),
    counted(entries, 'entry', 'entries'),
    counted(turns, 'model call'),
    ...(turnsCopied > 0 ? [`${grouped(turnsCopied)} of them copied, billed elsewhere`] : []),
    `${shownText(model, report)}, tokens ${counting}`,
    `window\u00a0of\u00a0${grouped(contextLimit)}`,
    ...(skippedLines > 0 ? [`${counted(skippedLines, 'line')} could not be read`] : []),
  ];
  return html`<p class="eyebrow">density replay</p><h1>${breakable(title)}</h1><p class="facts">${facts.join(' · ')}</p>`;
}

/** The main figures. */
function tiles({ chosen: { result } }: SessionReport): Markup {
  const { turnsCopied, tokensSentRaw, tokensSent, tokensPeakRaw, tokensPeak } = result;
  const { contextLimit, compressions, rebuilds } = result;
  const saved = tokensSentRaw - tokensSent;
  const own =
    rebuilds > 0 ? `the agent itself rebuilt its history ${counted(rebuilds, 'time')}` : 'none by the agent itself';
  const isWhole = result.pairsBroken === 0 && result.turnsRefused === 0;
  return html`<dl class="tiles">
${tile(`saved with ${result.strategy}`, saved > 0 ? percent(saved, tokensSentRaw) : 'nothing', `${compactTokens(tokensSent)} in all ${turnsCopied > 0 ? 'own ' : ''}calls${saved > 0 ? ` instead of ${compact(tokensSentRaw)}` : ', as recorded'}`)}
${tile('fullest call', fullness(tokensPeak, contextLimit), `of the window, ${tokensPeak === tokensPeakRaw ? '' : `${fullness(tokensPeakRaw, contextLimit)} `}as recorded`)}
${tile('compressions', grouped(compressions), own)}
${tile('calls that fit', isWhole ? 'all' : grouped(result.turns - result.turnsRefused), result.pairsBroken === 0 ? 'and each call still has its result' : `${counted(result.pairsBroken, 'pair')} broken: this is a bug`)}
</dl>`;
}

/** One notice of each kind that the gate gave; rare kinds are folded. */
function notices(report: SessionReport): Markup {
  const all = noticeKinds(report.chosen.result.notices).map(({ first, count }) => {
    const more = count > 1 ? ` (and ${counted(count - 1, 'notice')} like it)` : '';
    return html`<p class="notice">${shownLabel(first, report)}${more}</p>`;
  });
  const contradicted = contradictedNote(report.chosen.result.contradicted).map(
    (text) => html`<p class="notice">${text}</p>`,
  );
  const open = all.slice(0, all.length > NOTICES_OPEN + 1 ? NOTICES_OPEN : all.length);
  const folded = all.slice(open.length);
  if (folded.length === 0) return html`${contradicted}${open}`;
  return html`${contradicted}${open}<details class="fold"><summary>${counted(folded.length, 'other kind')} of notices</summary>${folded}</details>`;
}

function redactionNote({ redactor }: SessionReport): string {
  if (redactor === undefined) return 'Nothing was hidden: keys, tokens and passwords are shown as recorded.';
  if (redactor.hidden === 0) return 'This page contains no keys, tokens or passwords of known shapes.';
  return `${counted(redactor.hidden, 'key, token or password', 'keys, tokens and passwords')} of known shapes ${redactor.hidden === 1 ? 'was' : 'were'} hidden.`;
}

/** The report as one self-contained HTML file: no script, no request. Linear in what it shows. */
export function reportPage(report: SessionReport): string {
  const title = shownLabel(report.title, report);
  const head = html`${heading(report, title)}${tiles(report)}${notices(report)}`;
  const sections = [contextChart, billChart, contextShares, ledgerList, stallChart].map((section) => section(report));
  // Last, after the redactor has seen all text of the page.
  const hidden = redactionNote(report);
  return htmlDocument({
    title: `${title} · density replay`,
    header: html`${head}${report.redactor && report.redactor.hidden > 0 ? html`<p class="notice">${hidden}</p>` : NOTHING}`,
    main: sections,
    footer: html`<p>${hidden}</p><p>Made by high-density ${report.version} on ${report.madeOn}. The session was played through the gate, call by call; times were measured on the computer that made this page. This page loads nothing from the network.</p>`,
  });
}
