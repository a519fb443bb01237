import type { ToolResponseBlock } from '../../content/content.ts';
/** What a recorded output says: its text (or value), and the failure that Codex itself recorded with it. */
export interface OutputFacts {
    readonly result: unknown;
    readonly error?: string;
}
/**
 * What a `function_call_output` or `custom_tool_call_output` says. `error` is set by what Codex records of a failure:
 * a non-zero exit code (for which its own `exec_command_end` has the status `failed`), a refused or unapplied patch,
 * a status that says failed or declined; never by what a command printed. `status` is that of the call and the output.
 */
export declare function readOutput(output: unknown, status: readonly unknown[]): OutputFacts;
/** The text of an output that reads back to this result and error: as plain as possible, else in the older JSON form. */
export declare function outputText({ result, error }: ToolResponseBlock, before?: unknown): string;
