import { createHash } from 'node:crypto';
import { htmlDocument, pageStyle } from '../../report/document/html-document.ts';
import { breakable, html, Markup, NOTHING } from '../../report/document/markup.ts';
import { compact, compactTokens, counted, dollars, grouped, percent } from '../../report/figures.ts';
import { conversationCards } from './conversation-cards.ts';
import type { LiveState } from './live-state.ts';
import { LIVE_STYLE } from './live-style.ts';
import { accountTable, copiedMarkers, netTable, regretList } from './money-tables.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { clock, contradictedWords, medianAdded, money, netVerb } from './page-words.ts';
import { removedList } from './removed-list.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const style = pageStyle(LIVE_STYLE);

/** One script and one style, both known by their hash; requests to this server alone. */
export const PAGE_POLICY = `default-src 'none'; script-src ${hashOf(PAGE_SCRIPT)}; style-src ${hashOf(style)}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'`;

function tile(title: string, value: string, detail: string): Markup {
  return html`<div><dt>${title}</dt><dd>${value}<small>${detail}</small></dd></div>`;
}

function summary(state: LiveState): Markup {
  const { numbers, isShadow, troubles } = state;
  const { calls, promptTokens, cachedTokens, changedResults, netDollars, regrets } = numbers;
  const savedTokens = promptTokens === 0 ? numbers.savedTokens : numbers.knownSavedTokens;
  const [added] = medianAdded(numbers);
  const mode = isShadow
    ? html`<p class="notice"><strong>Shadow mode.</strong> Nothing new is changed. The numbers say what would have been done.</p>`
    : NOTHING;
  const whole = promptTokens + (isShadow ? 0 : savedTokens);
  return html`${mode}<dl class="tiles">
${tile(isShadow ? 'would be left out' : 'left out', promptTokens === 0 ? '–' : percent(savedTokens, whole), `${compact(savedTokens)} of ${compactTokens(whole)} in ${counted(calls, 'call')}, ${counted(changedResults, 'result')} ${isShadow ? 'that would be ' : ''}shortened`)}
${tile(`${netVerb(netDollars, isShadow)}, net`, money(Math.abs(netDollars)), `of a bill of ${dollars(numbers.dollars)} at list prices`)}
${tile('from the cache', promptTokens === 0 ? '–' : percent(cachedTokens, promptTokens), 'of the tokens that were sent')}
${added === undefined ? NOTHING : tile('added', added, 'to a request, at the median')}
${tile('regrets', grouped(regrets.length), regrets.length === 0 ? 'no removed text was needed again' : 'files that were needed again')}
</dl>${numbers.contradictedCalls === 0 ? NOTHING : html`<p class="notice">${contradictedWords(numbers.contradictedCalls)}.</p>`}${troubles.map((trouble) => html`<p class="notice">${trouble}</p>`)}`;
}

/** The parts of the page that change, by their id. */
export function liveParts(state: LiveState): Readonly<Record<string, string>> {
  const parts = {
    summary,
    conversations: conversationCards,
    removed: removedList,
    net: netTable,
    account: accountTable,
    regrets: regretList,
    copied: copiedMarkers,
  };
  return Object.fromEntries(Object.entries(parts).map(([id, part]) => [id, part(state).text]));
}

/** The whole page, complete without script. */
export function livePage(state: LiveState, now: number): string {
  const { agent, folder, startedAt, version, isOfTeam = false } = state;
  const { summary: top = '', ...parts } = liveParts(state);
  const part = (id: string, text: string): Markup => html`<div id="${id}">${new Markup(text)}</div>`;
  return htmlDocument({
    title: `${agent} · density`,
    header: html`<p class="eyebrow">density ${agent === 'proxy' ? 'proxy' : 'wrap'}</p><h1>${agent === 'proxy' ? 'Requests of agents' : agent} <span class="in">in ${breakable(folder)}</span></h1><p class="facts">since ${clock(startedAt)} · <span id="connection" role="status">as of ${clock(now)}</span></p><p class="notice" id="still">Without script the page shows one moment. <a href="">Load it again</a> for the next one.</p>${part('summary', top)}`,
    main: Object.entries(parts).map(([id, text]) => part(id, text)),
    footer: isOfTeam
      ? html`<p>Served by high-density ${version} for a team, to whoever knows this address. It shows the calls of one user.</p>`
      : html`<p>Served by high-density ${version} on this computer for whoever knows its address. It ends with the agent. <code>density stats</code> keeps the numbers.</p>`,
    live: { policy: PAGE_POLICY, script: PAGE_SCRIPT, style: LIVE_STYLE },
  });
}

/** A removed text, with secrets hidden by the caller. */
export function textPage(hash: string, text: string): string {
  return htmlDocument({
    title: `${hash} · density`,
    header: html`<p class="eyebrow">density show ${hash}</p><h1>Removed text</h1><p class="facts">As the archive keeps it; keys, tokens and passwords of known shapes are hidden. <a href="../">Back</a></p>`,
    main: [html`<pre>${text}</pre>`],
    footer: NOTHING,
    live: { policy: PAGE_POLICY, script: '', style: LIVE_STYLE },
  });
}
