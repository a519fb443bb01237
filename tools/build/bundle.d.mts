import type { OutputChunk, Plugin } from 'rolldown';

export const ENTRIES: Readonly<Record<string, string>>;
export function bundle(
  input: Readonly<Record<string, string>>,
  folder: string,
  options?: { readonly plugins?: readonly Plugin[]; readonly codeSplitting?: boolean },
): Promise<readonly OutputChunk[]>;
export function bundlePackage(folder: string, plugins?: readonly Plugin[]): Promise<readonly OutputChunk[]>;
