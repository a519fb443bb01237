import type { NewSession, Session, SessionFormat } from '../../src/formats/contract.ts';
import { convertSession, writableFormats } from '../../src/formats/convert.ts';
import { SESSION_FORMATS } from '../../src/formats/index.ts';
import { linesOf, linesOfText } from '../../src/formats/lines/lines.ts';
import { LOSS_TITLES, type LossKind } from '../../src/formats/losses/loss-kinds.ts';
import { RICH } from './rich-history.ts';
import { SAMPLES } from './samples.ts';

const MADE: NewSession = {
  id: '6f1c1f0e-3b0c-4c35-9d0a-0f7c2a4f9b11',
  model: 'model-y',
  workspaceRoot: '/repo/demo',
  systemText: 'You code.',
  startedAt: 1_750_000_000_000,
};

const KINDS = Object.keys(LOSS_TITLES) as LossKind[];
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letterOf = (kind: LossKind): string => LETTERS[KINDS.indexOf(kind)]!;

/** What the command hands to a new session: the facts of the old one. */
const factsOf = ({ id, model, workspaceRoot, systemText }: Session): NewSession => ({
  ...MADE,
  ...(id !== undefined && { id }),
  ...(model !== undefined && { model }),
  ...(workspaceRoot !== undefined && { workspaceRoot }),
  ...(systemText !== undefined && { systemText }),
});

/** Everything that the format can contain: its invented files, and what it keeps of a history with every feature. */
function sessionsOf(format: SessionFormat): Session[] {
  const invented = (SAMPLES[format.name]?.texts ?? []).map((text) => format.read(linesOfText(text)));
  if (!format.create) return invented;
  const pieces = [...format.create(RICH, MADE)];
  return [...invented, format.read(linesOf(() => pieces))];
}

function lostBetween(from: SessionFormat, to: SessionFormat): LossKind[] {
  const losses = sessionsOf(from).flatMap((session) => convertSession(session, to, factsOf(session)).losses);
  const kinds = new Set(losses.map(({ kind }) => kind));
  return KINDS.filter((kind) => kinds.has(kind));
}

/** The two tables of docs/formats.md: a letter for each kind of loss, and the letters of every pair. */
export function lossTables(): { legend: string; pairs: string } {
  const targets = writableFormats();
  const rows = SESSION_FORMATS.map((from) => targets.map((to) => lostBetween(from, to)));
  const seen = new Set(rows.flat(2));
  const legend = KINDS.filter((kind) => seen.has(kind)).map((kind) => `| ${letterOf(kind)} | ${LOSS_TITLES[kind]} |`);
  const head = `| from \\ to | ${targets.map(({ name }) => name).join(' | ')} |`;
  const cells = rows.map(
    (row, index) =>
      `| ${SESSION_FORMATS[index]!.name} | ${row.map((kinds) => kinds.map(letterOf).join('') || '–').join(' | ')} |`,
  );
  return { legend: legend.join('\n'), pairs: [head, `|${'---|'.repeat(targets.length + 1)}`, ...cells].join('\n') };
}
