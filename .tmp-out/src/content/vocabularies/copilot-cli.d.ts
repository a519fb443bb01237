import type { ToolVocabulary } from '../vocabulary.ts';
/** GitHub Copilot CLI. Its shells are sessions that keep the working directory. */
export declare const copilotCli: ToolVocabulary;
