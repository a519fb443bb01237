import type { PolicyTotals } from '../lab/totals.ts';
import { CERTIFICATE_ROWS, CERTIFICATE_RULES } from '../strategies/reasons/edit-reason.ts';
import { costBars } from './charts/cost-bars.ts';
import { frontierChart } from './charts/frontier-chart.ts';
import { type ComparisonReport, change, regrettedRatio, share } from './comparison-report.ts';
import { comparisonSentence } from './comparison-sentence.ts';
import { figuresTable } from './document/figures-table.ts';
import { htmlDocument, tile } from './document/html-document.ts';
import { breakable, html, type Markup, NOTHING } from './document/markup.ts';
import { byteSize, compact, counted, dollars, grouped } from './figures.ts';

function heading({ title, sessions, sizeBytes, totals, copiedCalls, skipped }: ComparisonReport): Markup {
  const facts = [
    counted(sessions, 'session'),
    byteSize(sizeBytes),
    counted(totals[0]?.calls ?? 0, 'model call'),
    counted(totals.length, 'profile'),
    ...(copiedCalls > 0 ? [`${counted(copiedCalls, 'copied call')} not counted again`] : []),
    ...(skipped > 0 ? [`${counted(skipped, 'file')} could not be read`] : []),
  ];
  const sentence = comparisonSentence(totals)?.replaceAll('`', '');
  const advice = sentence === undefined ? NOTHING : html`<p class="lead">${sentence}</p>`;
  return html`<p class="eyebrow">density compare</p><h1>${breakable(title)}</h1><p class="facts">${facts.join(' · ')}</p>${advice}`;
}

/** The profile with the smallest value; the first one of equals. */
const least = (totals: readonly PolicyTotals[], of: (one: PolicyTotals) => number): PolicyTotals | undefined =>
  totals.reduce<PolicyTotals | undefined>(
    (best, one) => (best === undefined || of(one) < of(best) ? one : best),
    undefined,
  );

/** The best profiles without the first one, which removes nothing. */
function tiles({ totals }: ComparisonReport): Markup {
  const others = totals.slice(1);
  const saving = least(others, ({ savedRatio }) => -savedRatio);
  const sparing = least(others, (one) => regrettedRatio(one) - one.savedRatio / 1e6);
  const cheap = least(others, (one) => one.dollars);
  const low = least(others, ({ tokensPeak }) => tokensPeak);
  if (saving === undefined || sparing === undefined || cheap === undefined || low === undefined) return NOTHING;
  return html`<dl class="tiles">
${tile('most tokens saved', share(saving.savedRatio), saving.policy)}
${tile('fewest edits regretted', share(regrettedRatio(sparing)), `${sparing.policy}, with ${share(sparing.savedRatio)} saved`)}
${cheap.pricedSessions === 0 ? '' : tile('lowest cost', change(cheap.dollarsRatio), `${cheap.policy}, ${dollars(cheap.dollars)} for all calls`)}
${tile('lowest peak', compact(low.tokensPeak), `${low.policy}, ${compact(totals[0]?.tokensPeak ?? 0)} with ${totals[0]?.policy ?? ''}`)}
</dl>`;
}

const SIDE_BY_SIDE = [
  'tokens sent',
  'saved',
  'fullest call',
  'fewer compressions',
  'bill',
  'change of the bill',
  'change with a cache of 1 h',
  'thinking made invalid',
];

function sideBySide({ totals }: ComparisonReport): Markup {
  const rows = totals.map((one) => ({
    name: html`${one.policy}`,
    figures: [
      compact(one.tokensSent),
      share(one.savedRatio),
      compact(one.tokensPeak),
      `${grouped(one.compressionsAvoided)} of ${grouped(one.compressions + one.compressionsAvoided)}`,
      ...(one.pricedSessions === 0
        ? ['–', '–', '–']
        : [dollars(one.dollars), change(one.dollarsRatio), change(one.dollarsHourRatio)]),
      compact(one.unboundThinkingTokens),
    ],
  }));
  return html`<section>
<h2>Profiles side by side</h2>
<p class="lead">Tokens of all calls together, without system prompt and tools. Thinking made invalid: tokens of signed thinking after a change, which a provider may refuse or drop.</p>
${figuresTable(rows, { caption: 'Each profile over all sessions', rowTitle: 'profile', columns: SIDE_BY_SIDE })}
</section>`;
}

function byRule({ totals }: ComparisonReport): Markup {
  const rules = CERTIFICATE_RULES.filter((rule) => totals.some((one) => one.regretsByRule[rule] > 0));
  if (rules.length === 0) {
    return html`<section><h2>Regrets by rule</h2><p class="lead">No profile removed text that was needed later and had no visible copy.</p></section>`;
  }
  const rows = totals.map(({ policy, regretsByRule }) => ({
    name: html`${policy}`,
    figures: rules.map((rule) => grouped(regretsByRule[rule])),
  }));
  const caption = 'Regrets of each profile by the rule that removed the text';
  const columns = rules.map((rule) => CERTIFICATE_ROWS[rule].page);
  return html`<section>
<h2>Regrets by rule</h2>
<p class="lead">Which rule removed text that an edit, a quotation, a name or a repeated call needed later and that had no visible copy.</p>
${figuresTable(rows, { caption, rowTitle: 'profile', columns })}
</section>`;
}

/** Profiles over many sessions as one self-contained HTML file. Linear in sets and profiles. */
export function comparisonPage(report: ComparisonReport): string {
  return htmlDocument({
    title: `${report.title} · density compare`,
    header: html`${heading(report)}${tiles(report)}`,
    main: [frontierChart, sideBySide, byRule, costBars].map((section) => section(report)),
    footer: html`<p>A regret means that the model could no longer see a text, not that it would fail: it can read the file again.</p><p>Made by high-density ${report.version} on ${report.madeOn}. Recorded sessions were played under each profile, call by call. No model was asked. This page loads nothing from the network.</p>`,
  });
}
