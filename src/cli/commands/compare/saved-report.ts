import type { ComparedFile } from '../../../lab/compared-file.ts';
import type { KeptWarm } from '../../../lab/tune/kept-warm.ts';
import type { PartFigures, TunedProfile, Tuning } from '../../../lab/tune/tune.ts';
import { change, share } from '../../../report/comparison-report.ts';
import { counted, grouped } from '../../../report/figures.ts';
import { type Copied, copiedNote } from '../../options/copies/copied-note.ts';
import { rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { priceNotes } from './price-notes.ts';

interface SavedReport extends Copied {
  readonly files: readonly ComparedFile[];
  /** The name of the profile. */
  readonly name: string;
  /** Percent of edits. */
  readonly atMost: number;
  /** The file of the saved profile, if one is better. */
  readonly saved: string | undefined;
  readonly warm: KeptWarm | undefined;
  readonly screen: Screen;
}

/** Source: code.claude.com/docs/en/settings, `cleanupPeriodDays`. */
const DELETED_AFTER =
  'Claude Code deletes a transcript 30 days after its last use. To keep more for the next time, set `cleanupPeriodDays` in ~/.claude/settings.json.';

/** `18.2% fewer tokens of recorded text, bill −9.1%`. */
const effect = ({ savedRatio, dollarsRatio }: PartFigures): string =>
  `${share(savedRatio)} fewer tokens of recorded text, bill ${change(dollarsRatio)}`;

const regretted = ({ regrettedEdits, evidencedEdits }: PartFigures): string =>
  `${grouped(regrettedEdits)} of ${counted(evidencedEdits, 'edit')} regretted`;

/** What came out, in a few sentences. */
function sentences({ verdict, profiles, neededEdits, parts }: Tuning, report: SavedReport): string[] {
  const { name, atMost, saved } = report;
  const [none, recommended] = profiles;
  const checked = (chosen: TunedProfile): string =>
    `On the ${counted(parts.heldOut.length, 'session')} that it was not chosen on: ${effect(chosen.heldOut)} (\`recommended\`: ${effect(recommended!.heldOut)}); ${regretted(chosen.heldOut)}, so with 95% confidence at most ${share(chosen.heldOut.regrettedAtMost)} are.`;
  switch (verdict.kind) {
    case 'too-little': {
      const edits = [none?.chosenOn, none?.heldOut].map((part) => grouped(part?.evidencedEdits ?? 0));
      return [
        'Too little to choose from, so nothing was saved. Use `recommended`.',
        `To say that at most ${atMost}% of edits need removed text, each half of your sessions must have ${counted(neededEdits, 'edit')} of text that was shown before, none of them regretted. Yours have ${edits.join(' and ')}. Give more sessions, or allow more with --at-most.`,
        ...(report.files.some(({ format }) => format === 'claude-code') ? [DELETED_AFTER] : []),
      ];
    }
    case 'none':
      return [
        `No profile regrets at most ${atMost}% of your edits without a higher bill, so nothing was saved.`,
        `\`recommended\`: ${effect(recommended!.chosenOn)}; ${regretted(recommended!.chosenOn)}, so with 95% confidence at most ${share(recommended!.chosenOn.regrettedAtMost)} are.`,
      ];
    case 'recommended':
      return [
        'Use `recommended`: no other profile is cheaper on your sessions. Nothing was saved.',
        checked(recommended!),
      ];
    case 'not-confirmed':
      return [
        'Use `recommended`. Nothing was saved.',
        `On one half of your sessions "${verdict.chosen.name}" was the cheapest, but on the other half ${verdict.reasons.join(', and ')}.`,
        checked(verdict.chosen),
      ];
    case 'better':
      return [
        `Saved as profile \`${name}\`: ${verdict.chosen.differs}.`,
        checked(verdict.chosen),
        `Its file is ${saved}.`,
      ];
  }
}

/** Of the bill. Less is no reason to send requests by itself. */
const MIN_WARM_GAIN = 0.01;

/** What keeping the prompt cache warm would have done to these sessions. */
function warmSentences({ sessions, moreExpensive, without, recommended, warm, leftOpen }: KeptWarm): string[] {
  const bill = (dollars: number): string => change(dollars / without - 1);
  const figures = `bill ${bill(warm)} instead of ${bill(recommended)}, and ${bill(leftOpen)} if the agent had been left open after each session; ${grouped(moreExpensive)} of ${counted(sessions, 'session')} would have cost over 1% more. Simulated at list prices.`;
  if (recommended - warm < MIN_WARM_GAIN * without) return [`Keeping the prompt cache warm would not pay: ${figures}`];
  return [
    `Keeping the prompt cache warm would pay: ${figures}`,
    'It works with an API key of Anthropic. To turn it on: `density settings set keep-warm on`',
  ];
}

/** The choice in sentences, the profiles in a table, and how it was made. */
export function savedReport(tuning: Tuning, report: SavedReport): string {
  const { profiles, parts } = tuning;
  const { files, screen } = report;
  const { bold, dim } = screen.colors;
  const warm = report.warm ? warmSentences(report.warm) : [];
  const [first = '', ...others] = [...sentences(tuning, report), ...warm].map((text) => wrapped(text, screen.columns));
  const cells = ({ savedRatio, dollarsRatio, regrettedEdits, regrettedAtMost }: PartFigures): string[] => [
    share(savedRatio),
    change(dollarsRatio),
    grouped(regrettedEdits),
    share(regrettedAtMost),
  ];
  const chosen = 'chosen' in tuning.verdict ? tuning.verdict.chosen : undefined;
  // The others are nearly equal; `--json` has all.
  const [, recommended] = profiles;
  const shown = [recommended, chosen].filter((profile) => profile !== undefined);
  const table = (title: string, figuresOf: (profile: TunedProfile) => PartFigures): string[] =>
    tableLines(
      [{ title, shrink: 'end' }, ...rightAligned('saved', 'bill', 'edits', 'at most')],
      shown.map((profile) => [profile.name, ...cells(figuresOf(profile))]),
      {
        columns: screen.columns,
        heading: dim,
        cell: (text, row) => (shown[row] === chosen ? bold(text) : text),
      },
    );
  const tables =
    shown.length === 0
      ? []
      : [
          ...table(`chosen on ${counted(parts.chosenOn.length, 'session')}`, ({ chosenOn }) => chosenOn),
          '',
          ...table(`checked on ${counted(parts.heldOut.length, 'session')}`, ({ heldOut }) => heldOut),
          '',
        ];
  const whole = parts.by === 'project' ? 'Whole projects are' : 'Whole sessions are';
  const facts = [
    `${counted(files.length, 'session')}: one of ${counted(profiles.length, 'profile')} is chosen on one half and checked on the other. ${whole} in one half; the halves have about as many edits.`,
    ...copiedNote(report),
    'Saved: how many fewer tokens are sent. Edits: how many replaced text that was removed and nowhere visible. At most: the largest share of edits that this result allows, with 95% confidence (Clopper and Pearson; edits of one session depend on each other, so the true limit is higher).',
    ...priceNotes(files.map(({ model }) => model)),
  ];
  const lines = [bold(first), ...others, '', ...tables];
  return `${[...lines, ...facts.map((fact) => dim(wrapped(fact, screen.columns)))].join('\n')}\n`;
}
