import type { WorkerName } from '../../threads/worker-file.ts';
import { buildHash } from './result-key.ts';

/** The kinds of questions about files that workers answer. */
export const FILE_KINDS = ['compare', 'bill', 'compactions', 'replay'] as const satisfies readonly WorkerName[];
export type FileKind = (typeof FILE_KINDS)[number];

/** A file of a shard, and the key of its result. */
export interface ShardFile {
  /** Absolute. */
  readonly path: string;
  readonly content: string;
  readonly key: string;
}

/** A file that was asked about; `asked`: the path as it was named. */
export interface AskedFile extends ShardFile {
  readonly asked: string;
  readonly question: object;
  readonly sizeBytes: number;
}

/** The data of a job. Sessions travel by path: coordinator and workers see the same files. */
export interface Shard {
  readonly question: object;
  readonly files: readonly ShardFile[];
}

/** The queue of a kind and a build, so that workers of another build never answer. */
export const queueOf = (kind: FileKind): string => `density-${kind}-${buildHash(kind).slice(0, 12)}`;
