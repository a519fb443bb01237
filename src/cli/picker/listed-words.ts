import path from 'node:path';
import { MINUTE_MS } from '../../durations.ts';
import { compact, percent } from '../../report/figures.ts';
import { pathFromHome } from '../../sessions/places/home-folder.ts';
import type { ListedSession } from '../../sessions/places/session-list.ts';

/** `5 min`, `3 h`, `12 d`. */
export function ageOf(changedAt: number, now: number): string {
  const minutes = Math.max(0, Math.round((now - changedAt) / MINUTE_MS));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 60 / 24)} d`;
}

/** An exact number, an estimate with `≈`, or `–` if unknown. */
export function tokensOf({ figures, tokens }: ListedSession): string {
  if (figures) return compact(figures.contextTokens);
  return tokens === undefined ? '–' : `≈${compact(tokens)}`;
}

/** The share of its context that `optimize` would remove. */
export function removableOf({ figures, problem }: ListedSession): string {
  // A provider may count less than we do: then more is removable than it counted, and 100% is shown.
  if (figures) return percent(figures.removableTokens, figures.contextTokens);
  return problem === undefined ? '…' : '–';
}

/** The project, else the folder of the file. */
export const projectOf = ({ project, path: file }: ListedSession): string =>
  pathFromHome(project ?? path.dirname(file));
