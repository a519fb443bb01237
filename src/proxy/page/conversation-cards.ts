import { html, type Markup, NOTHING } from '../../report/document/markup.ts';
import { compact, compactTokens, fullness, grouped, percent } from '../../report/figures.ts';
import type { ConversationNumbers, PromptPoint } from '../ledger/contract.ts';
import type { LiveState } from './live-state.ts';
import { callCount, clock, lateWords, money, netWords, wholeWords } from './page-words.ts';

const WIDTH = 1000;
const HEIGHT = 100;
const HEADROOM = 1.1;
const MAX_CARDS = 20;

function path(points: readonly PromptPoint[], of: (point: PromptPoint) => number, top: number): string {
  const step = WIDTH / Math.max(1, points.length - 1);
  return points
    .map(
      (point, at) => `${at === 0 ? 'M' : 'L'}${Math.round(at * step)} ${(HEIGHT * (1 - of(point) / top)).toFixed(1)}`,
    )
    .join('');
}

/** The prompt of each call: as sent, and as it would have been. */
function curve({ points, calls }: ConversationNumbers, isShadow: boolean): Markup {
  if (points.length < 2) return NOTHING;
  const top = HEADROOM * points.reduce((most, { tokens, withoutPruning }) => Math.max(most, tokens, withoutPruning), 1);
  const sent = path(points, ({ tokens }) => tokens, top);
  const other = path(points, ({ withoutPruning }) => withoutPruning, top);
  const last = points.at(-1)!;
  const words = isShadow ? 'with pruning' : 'without pruning';
  return html`<figure class="prompts"><svg role="img" aria-label="Prompt over ${callCount(calls)}: ${compactTokens(last.tokens)} in the last one, ${compact(last.withoutPruning)} ${words}." viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none"><path class="area" d="${sent}V${HEIGHT}H0Z"/><path class="sent" d="${sent}"/><path class="other" d="${other}"/></svg><figcaption class="note"><span class="key"><span class="line sent"></span>prompt of each call, as the provider counts it</span> <span class="key"><span class="line other"></span>${words}, estimated</span></figcaption></figure>`;
}

/** How full the window is; the part that was left out stands beside the used one. */
function windowBar({ promptTokens, savedTokens, windowTokens }: ConversationNumbers, isShadow: boolean): Markup {
  if (windowTokens === 0) return NOTHING;
  const used = Math.min(WIDTH, (WIDTH * promptTokens) / windowTokens);
  const left = Math.max(0, Math.min(WIDTH - (isShadow ? 0 : used), (WIDTH * savedTokens) / windowTokens));
  const start = isShadow ? used - left : used;
  return html`<svg class="window" aria-hidden="true" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none"><path class="used" d="M0 0h${(isShadow ? start : used).toFixed(1)}v10H0Z"/><path class="spared" d="M${start.toFixed(1)} 0h${left.toFixed(1)}v10h-${left.toFixed(1)}Z"/></svg>`;
}

function card(one: ConversationNumbers, isShadow: boolean): Markup {
  const { promptTokens, cachedTokens, savedTokens, windowTokens, model, conversation, isOff } = one;
  const isBeside = conversation === 'beside';
  const share = windowTokens === 0 ? '' : ` of ${compact(windowTokens)} (${fullness(promptTokens, windowTokens)})`;
  const would = isShadow ? 'would be left out' : 'left out';
  const facts = [
    `${callCount(one.calls)} ${one.calls === 1 ? 'at' : `from ${clock(one.firstAt)} to`} ${clock(one.lastAt)}`,
    `${percent(cachedTokens, promptTokens)} of the last prompt from the cache`,
    `cost ${money(one.dollars)}`,
    ...(one.netDollars === 0 ? [] : [netWords(one.netDollars, isShadow)]),
    ...lateWords(one.isLate),
    ...wholeWords(one.sentWhole),
  ];
  const title = isBeside
    ? 'titles, probes and other requests beside conversations'
    : `conversation ${conversation}${isOff ? ', off: nothing new is changed' : ''}`;
  return html`<li class="talk"><h3>${model ?? 'unknown model'}<small>${title}</small></h3><p class="fill"><strong>${grouped(promptTokens)}</strong> tokens${share}${savedTokens > 0 ? `, ${compact(savedTokens)} ${would}` : ''}</p>${isBeside ? NOTHING : html`${windowBar(one, isShadow)}${curve(one, isShadow)}`}<p class="note">${facts.join(' · ')}</p></li>`;
}

/** The conversations, the last used one first. */
export function conversationCards({ numbers: { conversations }, isShadow, isOfTeam }: LiveState): Markup {
  if (conversations.length === 0) {
    return html`<section><h2>Conversations</h2><p class="lead">No request has come through yet.</p></section>`;
  }
  const shown = conversations.slice(0, MAX_CARDS);
  const more = conversations.length - shown.length;
  return html`<section>
<h2>Conversations</h2>
<p class="lead">The window is what the provider counted for the last call. ${isShadow ? 'Nothing is changed: the lighter part would be left out.' : 'The lighter part was left out.'}${isOfTeam || isShadow ? NOTHING : html` <code>density off</code> with the name of a conversation changes nothing new in it.`}</p>
<ul class="talks">${shown.map((one) => card(one, isShadow))}</ul>
${more > 0 ? html`<p class="note">and ${grouped(more)} used longer ago</p>` : NOTHING}
</section>`;
}
