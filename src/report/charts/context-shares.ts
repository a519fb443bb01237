import type { Inspection } from '../../sessions/inspection.ts';
import { contextKinds } from '../../sessions/session-inspection.ts';
import { COUNTER_ROWS, COUNTERS } from '../../strategies/reasons/edit-reason.ts';
import { breakable, html, type Markup, NOTHING } from '../document/markup.ts';
import { counted, grouped, percent } from '../figures.ts';
import { type SessionReport, shownText } from '../session-report.ts';

const ROWS_AT_MOST = 12;

interface Share {
  readonly name: Markup;
  readonly detail: string;
  readonly tokens: number;
}

/** Parts of the context, largest first, with a bar for each. */
function shareList(title: string, shares: readonly Share[], totalTokens: number): Markup {
  if (shares.length === 0) return NOTHING;
  const largest = Math.max(1, ...shares.map(({ tokens }) => tokens));
  const rest = shares.slice(ROWS_AT_MOST);
  const restTokens = rest.reduce((sum, { tokens }) => sum + tokens, 0);
  const rows = shares
    .slice(0, ROWS_AT_MOST)
    .map(
      ({ name, detail, tokens }) =>
        html`<li><span class="name">${name}</span><span class="amount">${grouped(tokens)} <small>${percent(tokens, totalTokens)}</small></span><span class="bar" aria-hidden="true"><i style="width:${Math.max(0.6, Math.round((tokens / largest) * 1000) / 10)}%"></i></span><small class="detail">${detail}</small></li>`,
    );
  const more =
    rest.length > 0
      ? html`<p class="note">and ${grouped(rest.length)} more, ${counted(restTokens, 'token')}</p>`
      : NOTHING;
  return html`<div class="shares"><h3>${title}</h3><ul>${rows}</ul>${more}</div>`;
}

/** The path of a file, with its folder in a weaker colour. */
function fileName(path: string): Markup {
  const cut = path.lastIndexOf('/') + 1;
  return html`<span class="folder">${breakable(path.slice(0, cut))}</span><wbr>${breakable(path.slice(cut))}`;
}

/** What `optimize` would remove and what is odd in the context, one sentence each. */
function findings({ removals, removableTokens, unansweredCalls, orphanResponses }: Inspection): Markup {
  const removed = COUNTERS.filter((counter) => removals[counter].count > 0).map((counter) => {
    const { count, tokens } = removals[counter];
    const { what, one, many } = COUNTER_ROWS[counter];
    return `${what}: ${counted(count, one, many)}, ${counted(tokens, 'token')}.`;
  });
  const sentences = [
    ...(removed.length > 0
      ? [
          `optimize would remove ${counted(removableTokens, 'token')} from this context. At the top each call is counted, from the first one on, and what is removed pays for itself. Of these:`,
        ]
      : []),
    ...removed,
    ...(unansweredCalls.length > 0 ? [`${counted(unansweredCalls.length, 'call')} without a response.`] : []),
    ...(orphanResponses.length > 0 ? [`${counted(orphanResponses.length, 'response')} without a call.`] : []),
  ];
  if (sentences.length === 0) return html`<p>optimize would remove nothing, and nothing is unpaired.</p>`;
  return html`<ul class="findings">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
}

/** What fills the context at the end of the recorded session. */
export function contextShares(report: SessionReport): Markup {
  const { inspection } = report;
  const { tokens: recordedTokens, byTool, byFile, context } = inspection;
  const tokens = Math.max(context.tokens, recordedTokens);
  const shown = (text: string): string => shownText(text, report);
  const tools = shareList(
    'By tool',
    byTool.map((tool) => ({
      name: breakable(shown(tool.name)),
      detail: counted(tool.count, 'call'),
      tokens: tool.tokens,
    })),
    tokens,
  );
  const speakers = shareList(
    'By speaker',
    contextKinds(inspection).map(({ name, count, tokens: size }) => ({
      name: html`${name}`,
      detail:
        count === 0 ? 'the difference between the provider’s count and the recorded text' : counted(count, 'block'),
      tokens: size,
    })),
    tokens,
  );
  const files = shareList(
    'By file',
    byFile.map(({ path, reads, writes, tokens: size }) => ({
      name: fileName(shown(path)),
      detail: `${counted(reads, 'read')}, ${counted(writes, 'write')}`,
      tokens: size,
    })),
    tokens,
  );
  const oddities = html`<div class="shares"><h3>What stands out</h3>${findings(inspection)}</div>`;
  // Fill both columns.
  const [left, right] = byFile.length > 0 ? [[tools, speakers, oddities], [files]] : [[tools, speakers], [oddities]];
  const entries = counted(inspection.entries, 'entry', 'entries');
  const isPromptAside = report.chosen.result.tokensRaw > tokens;
  const size = context.isReported
    ? `${counted(context.tokens, 'token')} by the provider’s count, ${grouped(recordedTokens)} of them in ${entries} by ours,`
    : `${counted(tokens, 'token')} in ${entries}`;
  return html`<section>
<h2>What fills the context</h2>
<p class="lead">${size} at the end of the recorded session${isPromptAside ? ', without the system prompt' : ''}.</p>
<div class="columns"><div>${left}</div><div>${right}</div></div>
</section>`;
}
