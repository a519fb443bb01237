import { SAVING_CAUSES } from '../../../lab/played/cause-savings.ts';
import type { SessionWorth } from '../../../lab/played/session-worth.ts';
import { changeInDollars, compact, grouped } from '../../../report/figures.ts';
import { CAUSE_WORDS } from '../../../report/worth-words.ts';
import { rightAligned, tableLines } from '../../terminal/table.ts';
import type { Screen } from '../../terminal/terminal.ts';

/** What was saved, by why it was removed at that moment; no lines where there is one cause or none. */
export function causeTable({ savedBy, priceMatch }: SessionWorth, screen: Screen): readonly string[] {
  const causes = SAVING_CAUSES.filter((cause) => savedBy[cause] !== undefined);
  if (causes.length === 0 || (causes.length === 1 && causes[0] === 'always')) return [];
  const isPriced = priceMatch !== 'unknown';
  return tableLines(
    [{ title: 'removed when' }, ...rightAligned('moments', 'tokens saved', ...(isPriced ? ['bill'] : []))],
    causes.map((cause) => {
      const { moves, tokens, dollars } = savedBy[cause]!;
      return [CAUSE_WORDS[cause], grouped(moves), compact(tokens), ...(isPriced ? [changeInDollars(dollars, 0)] : [])];
    }),
    { columns: screen.columns, heading: screen.colors.dim },
  );
}
