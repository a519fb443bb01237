import type { ContentMetadata, Usage } from '../../content/content.ts';
/** The metadata of an entry while it is read. */
export type DraftMetadata = {
    -readonly [Field in keyof ContentMetadata]: ContentMetadata[Field];
};
/**
 * Gives each answer the usage of its `token_count` line. Versions up to 0.39 write the line before the items of the
 * answer, later ones behind them: the first counted line of a rollout tells which.
 */
export declare class UsageReader {
    #private;
    /** An answer began; `metadata` gets its usage now or when it is counted. */
    answered(metadata: DraftMetadata): void;
    /** The usage of one `token_count` line; undefined when it repeats the one before, as lines with new rate limits do. */
    counted(info: unknown): Usage | undefined;
}
