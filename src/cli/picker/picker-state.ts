import { cutEnd, padded } from '../terminal/columns.ts';

/** A session to choose. */
export interface PickerRow {
  readonly path: string;
  readonly id: string;
  readonly agent: string;
  readonly age: string;
  readonly tokens: string;
  /** The project, for a session of another folder. */
  readonly project: string;
  /** True for a session of this folder's project. */
  readonly isOwn: boolean;
  /** The start of the first message; '' if unknown. */
  readonly title: string;
}

/** The rows that contain every word of the filter. */
export function fittingRows(rows: readonly PickerRow[], filter: string): readonly PickerRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ id, agent, project, title }) => {
    const text = `${id} ${agent} ${project} ${title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The first shown of `total` rows, so that the chosen one is among `room` rows. */
export function firstShown(chosen: number, total: number, room: number): number {
  return Math.max(0, Math.min(chosen - Math.floor(room / 2), total - room));
}

const AGENT_COLUMNS = 11;
const AGE_COLUMNS = 6;
const TOKENS_COLUMNS = 6;

/** A row as one line of at most `columns`. */
export function rowLine({ id, agent, age, tokens, project, title }: PickerRow, columns: number): string {
  const facts = [
    id,
    padded(cutEnd(agent, AGENT_COLUMNS), AGENT_COLUMNS),
    padded(age, AGE_COLUMNS, 'right'),
    padded(tokens, TOKENS_COLUMNS, 'right'),
  ];
  return cutEnd(`${facts.join('  ')}  ${[project, title].filter(Boolean).join(' · ')}`, columns);
}
