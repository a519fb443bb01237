import { breakable, html, type Markup, NOTHING } from '../../report/document/markup.ts';
import { counted, grouped } from '../../report/figures.ts';
import type { RemovedRow } from '../ledger/contract.ts';
import type { LiveState } from './live-state.ts';
import { clock, KIND_WORDS, NET_WORDS } from './page-words.ts';

/** Rows before the fold. */
const ROWS_OPEN = 12;

function row(one: RemovedRow, key: string): Markup {
  const { kind, what, reason, savedTokens, hash, decision, cause, at, conversation } = one;
  const facts = [
    `${clock(at)}, conversation ${conversation}: ${NET_WORDS[cause]}.`,
    ...(decision === undefined ? [] : [`The decision: ${decision}.`]),
  ];
  const text =
    hash === undefined
      ? NOTHING
      : html`<p class="note"><a href="text/${hash}">The whole text</a>, also with <code>density show ${hash}</code></p>`;
  return html`<details class="piece" data-key="${key}"><summary><span class="badge">${KIND_WORDS[kind]}</span><span class="what">${breakable(what)}</span><span class="amount">${savedTokens < 0 ? `+${grouped(-savedTokens)}` : `−${grouped(savedTokens)}`}</span><small class="reason">${reason}</small></summary>${facts.map((fact) => html`<p class="note">${fact}</p>`)}${text}</details>`;
}

/** What was removed and why, the newest first. Each row opens to the moment, the decision and the text. */
export function removedList({ numbers, isShadow }: LiveState): Markup {
  const { removed, changedResults } = numbers;
  const title = isShadow ? 'What would have been removed' : 'What was removed';
  if (removed.length === 0) {
    return html`<section><h2>${title}</h2><p class="lead">Nothing yet: a result is shortened when it is stale or repeated, and only at a moment when that is free or pays.</p></section>`;
  }
  const keys = new Map<string, number>();
  const rows = removed.map((one) => {
    const key = `${one.conversation}-${one.at}`;
    const number = (keys.get(key) ?? 0) + 1;
    keys.set(key, number);
    return row(one, `${key}-${number}`);
  });
  const folded = rows.slice(ROWS_OPEN);
  const cap = changedResults > removed.length ? ` The newest ${grouped(removed.length)} are listed.` : '';
  return html`<section>
<h2>${title}</h2>
<p class="lead">${counted(changedResults, 'result')}, the newest first, with tokens. Each row opens.${cap}</p>
<div class="rows">${rows.slice(0, ROWS_OPEN)}</div>
${folded.length > 0 ? html`<details class="fold" data-key="older"><summary>${counted(folded.length, 'older row')}</summary>${folded}</details>` : NOTHING}
</section>`;
}
