import { messageOf } from '../../errors.ts';

/** Faults after these are only counted. */
const MAX_TOLD = 20;

/** What a fault was, and where. */
function whatOf(fault: unknown): string {
  const at =
    fault instanceof Error ? fault.stack?.split('\n').find((line) => line.trim().startsWith('at ')) : undefined;
  return at === undefined ? messageOf(fault) : `${messageOf(fault)} ${at.trim()}`;
}

/**
 * Keeps this process alive when no code catches a fault, because many agents or people wait for it. It is the last resort behind code that
 * catches its own faults, so each one is a bug. Returns what ends it. Only commands that serve install it.
 */
export function guardProcess({
  onFault,
  onCount = () => {},
}: {
  /** Called with the first faults. */
  readonly onFault: (what: string) => void;
  /** Called with each. */
  readonly onCount?: () => void;
}): () => void {
  let told = 0;
  const go = (fault: unknown): void => {
    onCount();
    if (told++ < MAX_TOLD)
      onFault(`a fault that no code caught; the process continues, but this is a bug: ${whatOf(fault)}`);
  };
  process.on('uncaughtException', go).on('unhandledRejection', go);
  return () => void process.off('uncaughtException', go).off('unhandledRejection', go);
}
