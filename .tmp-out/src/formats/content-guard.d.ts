import type { IContent } from '../content/content.ts';
/** Why a value read from outside is no `IContent`; undefined when it is one. */
export declare function contentProblem(value: unknown): string | undefined;
/** Whether a value read from outside is an `IContent`. */
export declare function isContent(value: unknown): value is IContent;
