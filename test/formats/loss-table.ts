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

/** What docs/formats.md says of losses, and the losses of every pair of formats: a line for each, with a letter for each kind. */
export function lossTables(): { legend: string; targets: string; pairs: string } {
  const targets = writableFormats();
  const rows = SESSION_FORMATS.flatMap((from) => targets.map((to) => ({ from, to, kinds: lostBetween(from, to) })));
  const seen = new Set(rows.flatMap(({ kinds }) => kinds));
  const legend = KINDS.filter((kind) => seen.has(kind)).map((kind) => `| ${letterOf(kind)} | ${LOSS_TITLES[kind]} |`);
  const letters = (kinds: readonly LossKind[]): string => kinds.map(letterOf).join('') || '–';
  const most = targets.map((target) => {
    const lost = new Set(rows.filter(({ to }) => to === target).flatMap(({ kinds }) => kinds));
    return `| \`${target.name}\` | ${letters(KINDS.filter((kind) => lost.has(kind)))} |`;
  });
  return {
    legend: legend.join('\n'),
    targets: most.join('\n'),
    pairs: rows.map(({ from, to, kinds }) => `${from.name} → ${to.name}: ${letters(kinds)}\n`).join(''),
  };
}
