import { accountRows, changeSentence } from '../../report/account-words.ts';
import { figuresTable } from '../../report/document/figures-table.ts';
import { html, type Markup, NOTHING } from '../../report/document/markup.ts';
import { compact, counted, grouped, percent } from '../../report/figures.ts';
import { unpricedNote } from '../../report/unpriced-parts.ts';
import type { LiveState } from './live-state.ts';
import { clock, copiedWords, money, NET_WORDS } from './page-words.ts';

/** Net money by cause. */
export function netTable({ numbers: { net, unpricedCalls, unpricedParts = [], calls }, isShadow }: LiveState): Markup {
  const lead = `At list prices, against sending every request as the agent wrote it. What was sent and read from the cache is what the provider reported; what was left out is estimated from it.${isShadow ? ' Nothing was changed: these are the numbers that pruning would have had.' : ''}${unpricedCalls > 0 ? ` ${counted(unpricedCalls, 'call')} of ${grouped(calls)} ${unpricedCalls === 1 ? 'has' : 'have'} no known usage or price.` : ''}${unpricedNote(
    unpricedParts,
  )
    .map((note) => ` ${note}`)
    .join('')}`;
  if (net.length === 0)
    return html`<section><h2>Net money by cause</h2><p class="lead">Nothing was shortened yet.</p></section>`;
  const rows = net.map(({ cause, results, savedTokens, savedDollars, rewriteDollars, netDollars }) => ({
    name: html`${NET_WORDS[cause]}`,
    figures: [grouped(results), compact(savedTokens), money(savedDollars), money(rewriteDollars), money(netDollars)],
  }));
  const total = (pick: (row: (typeof net)[number]) => number): number => net.reduce((sum, one) => sum + pick(one), 0);
  const sum = {
    name: html`all`,
    figures: [
      grouped(total(({ results }) => results)),
      compact(total(({ savedTokens }) => savedTokens)),
      ...[total(({ savedDollars }) => savedDollars), total(({ rewriteDollars }) => rewriteDollars)].map(money),
      money(total(({ netDollars }) => netDollars)),
    ],
    isChosen: true,
  };
  const columns = ['results', 'tokens left out of all calls', 'saved', 'written again', 'net'];
  return html`<section><h2>Net money by cause</h2><p class="lead">${lead}</p>${figuresTable([...rows, sum], { caption: 'Net money by cause', rowTitle: 'why', columns, shortTitles: { 'tokens left out of all calls': 'tokens left out' } })}</section>`;
}

/** What the money was spent on, and what of the cache was lost by a change. */
export function accountTable({ numbers: { account, changes, dollars } }: LiveState): Markup {
  const title = html`<h2>What the money was spent on</h2>`;
  const rows = accountRows(account).map(({ words, calls, amount, dollars: cost }) => ({
    name: html`${words}`,
    figures: [grouped(calls), amount, percent(cost, dollars), money(cost)],
  }));
  if (rows.length === 0) return html`<section>${title}<p class="lead">No call has a known price yet.</p></section>`;
  const all = { name: html`all`, figures: ['', '', '', money(dollars)], isChosen: true };
  const named = changes.map((change) => html`<li>${changeSentence(change)}</li>`);
  const list = named.length === 0 ? NOTHING : html`<ul class="findings">${named}</ul>`;
  return html`<section>${title}<p class="lead">At list prices. Rewritten: text that the call before had sent, and that this call did not read from the prompt cache.</p>${figuresTable([...rows, all], { caption: 'What the money was spent on', rowTitle: 'what for', columns: ['calls', 'tokens', 'of the bill', 'cost'] })}${list}</section>`;
}

/** Files whose removed text was needed again. */
export function regretList({ numbers: { regrets, refused } }: LiveState): Markup {
  const refusal =
    refused === 0
      ? ''
      : ` The provider refused ${counted(refused, 'changed request')}; the original was sent at once, and that conversation is left alone.`;
  if (regrets.length === 0) {
    return html`<section><h2>Regrets</h2><p class="lead">No removed text was needed again.${refusal}</p></section>`;
  }
  const rows = regrets.map(
    ({ file, at, conversation }) => html`<li>${file} <small>${clock(at)}, conversation ${conversation}</small></li>`,
  );
  return html`<section><h2>Regrets</h2><p class="lead">Files that were read again, or whose edit failed, after their text had been removed. They may be pruned again after nothing used them for long.${refusal}</p><ul class="findings">${rows}</ul></section>`;
}

/** Calls that would have written a marker, or wrote one; nothing where there are none. */
export function copiedMarkers({ numbers: { copiedMarkers: counts } }: LiveState): Markup {
  const words = copiedWords(counts);
  if (words === '') return NOTHING;
  return html`<section><h2>Copied markers</h2><p class="lead">Calls that would have written a marker of ours into a file: ${words}. A call that is refused runs if the model makes it once more (passed); told is said in the result of a call that ran.</p></section>`;
}
