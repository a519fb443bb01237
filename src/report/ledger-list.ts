import type { LedgerRow, LedgerStep } from '../replay/ledger/ledger.ts';
import { COUNTER_ROWS, COUNTERS } from '../strategies/reasons/edit-reason.ts';
import { figuresTable } from './document/figures-table.ts';
import { breakable, html, type Markup, NOTHING } from './document/markup.ts';
import { counted, grouped, percent } from './figures.ts';
import { type SessionReport, shownLabel, shownText } from './session-report.ts';

/** Longer texts are cut. */
const TEXT_CHARACTERS = 2_400;
/** Rows of a step before the fold. */
const ROWS_OPEN = 8;

/** The start of a text, cut between two words: the redactor does not recognise a key that is cut. */
function startOf(text: string): string {
  if (text.length <= TEXT_CHARACTERS) return text;
  const start = text.slice(0, TEXT_CHARACTERS);
  const lastBlank = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'));
  return start.slice(0, lastBlank > TEXT_CHARACTERS / 2 ? lastBlank : TEXT_CHARACTERS);
}

function textOf(text: string, report: SessionReport): Markup {
  const start = startOf(text);
  const cut = text.length - start.length;
  const more = cut > 0 ? html`<p class="note">${counted(cut, 'more character')} not shown</p>` : NOTHING;
  return html`<pre>${shownText(start, report)}</pre>${more}`;
}

function row({ rule, saidIn, what, why, tokens, text, left }: LedgerRow, report: SessionReport): Markup {
  const said = saidIn === 0 ? 'added before the first call' : `added in call ${grouped(saidIn)}`;
  const place = left === '' ? NOTHING : html`<h5>replaced by</h5>${textOf(left, report)}`;
  return html`<details class="piece"><summary><span class="badge">${COUNTER_ROWS[rule].badge}</span><span class="what">${breakable(shownLabel(what, report))}</span><span class="amount">${tokens > 0 ? `−${grouped(tokens)}` : grouped(-tokens)}</span><small class="reason">${shownText(why, report)}; ${said}</small></summary>${textOf(text, report)}${place}</details>`;
}

function step({ turn, kind, rows, unshown }: LedgerStep, report: SessionReport): Markup {
  if (rows.length === 0) return NOTHING;
  const tokens = rows.reduce((sum, one) => sum + one.tokens, 0);
  // The tokens of unlisted texts are not counted.
  const amount = unshown > 0 ? counted(rows.length + unshown, 'text') : `−${counted(tokens, 'token')}`;
  const open = rows.slice(0, rows.length > ROWS_OPEN + 2 ? ROWS_OPEN : rows.length).map((one) => row(one, report));
  const folded = rows.slice(open.length).map((one) => row(one, report));
  const fold =
    folded.length > 0
      ? html`<details class="fold"><summary>${counted(folded.length, 'more row')} of this step</summary>${folded}</details>`
      : NOTHING;
  const rest = unshown > 0 ? html`<p class="note">and ${counted(unshown, 'smaller text')} not listed</p>` : NOTHING;
  return html`<li class="step"><h4>before call ${grouped(turn)}<small>${kind === 'compressed' ? 'compressed' : 'pruned'}, ${amount}</small></h4><div>${open}${fold}${rest}</div></li>`;
}

function ruleTable({ chosen: { result } }: SessionReport): Markup {
  const acted = COUNTERS.filter((rule) => result.removed[rule] > 0);
  const rows = acted.map((rule) => {
    const { what, one, many, badge } = COUNTER_ROWS[rule];
    const tokens = result.removedTokens[rule];
    return {
      name: html`<span class="badge">${badge}</span> ${what}`,
      figures: [counted(result.removed[rule], one, many), grouped(tokens), percent(tokens, result.tokensRecorded)],
    };
  });
  const columns = ['how often', 'tokens', 'of all recorded'];
  return figuresTable(rows, { caption: 'What each rule removed', rowTitle: 'rule', columns });
}

/** What the chosen strategy removed, when and why. Each row opens to the text. */
export function ledgerList(report: SessionReport): Markup {
  const { ledger, chosen } = report;
  const { strategy } = chosen.result;
  if (ledger.pieces === 0) {
    return html`<section><h2>What was removed</h2><p class="lead">Nothing: ${strategy} found nothing stale or repeated, and the context did not reach its threshold.</p></section>`;
  }
  const listed = ledger.pieces - ledger.unshown;
  const cap =
    ledger.unshown > 0
      ? ` The ${grouped(listed)} largest are listed, ${counted(ledger.unshown, 'smaller one')} are not.`
      : '';
  const changes = COUNTERS.reduce((sum, rule) => sum + chosen.result.removed[rule], 0);
  const twice =
    changes > ledger.pieces
      ? ' A text that two rules changed in one step is one row, and counts for each rule here.'
      : '';
  return html`<section>
<h2>What was removed</h2>
<p class="lead">${counted(ledger.pieces, 'text')}, by ${strategy}, in ${counted(ledger.steps.length, 'step')}. Each row opens to the text.${cap}${twice}</p>
${ruleTable(report)}
<ol class="ledger">${ledger.steps.map((one) => step(one, report))}</ol>
</section>`;
}
