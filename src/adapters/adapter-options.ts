import type { PruneReport, PrunerOptions } from '../live/contract.ts';

/** What every adapter takes: the options of a pruner, whose API it knows itself. */
export type AdapterOptions = Omit<PrunerOptions, 'api'>;

/** The same options with a report that also warns, once each, about a history on the server and about tools that are not known. */
export function warningOptions(options: AdapterOptions): AdapterOptions & { onReport: (report: PruneReport) => void } {
  const warned = new Set<string>();
  const warn = (about: string, text: string): void => {
    if (warned.has(about)) return;
    warned.add(about);
    process.emitWarning(text, 'HighDensityWarning');
  };
  const onReport = (report: PruneReport): void => {
    const { untouched, unknownTools } = report;
    if (untouched === 'history-elsewhere') warn(untouched, 'The server keeps this history, so it is not pruned.');
    if (unknownTools.length > 0)
      warn(
        'tools',
        `Tools not known, so what they make stale is not pruned: ${unknownTools.join(', ')}. Name them in \`tools\`.`,
      );
    options.onReport?.(report);
  };
  return { ...options, onReport };
}
