import type { ToolResponseBlock } from '../../content/content.ts';
import { asText, isRecord, jsonFields } from '../../content/foreign-value.ts';
import { resultText } from '../blocks/tool-result.ts';

/** The result of a recorded output, and the failure that Codex recorded with it. */
interface OutputFacts {
  readonly result: unknown;
  readonly error?: string;
}

const ERROR_CHARACTERS = 200;

/** The header before the output of a command, with its exit code. Source: rollouts of 0.116 to 0.144. */
const EXIT_CODE = /^(?:Exit code: |Chunk ID: [^\n]*\n(?:[^\n]*\n){0,3}?Process exited with code )(-?\d+)\n/;

/** Sentences of Codex at the start of an output for a call that it rejected, or for a script that threw. Source: rollouts of 0.39 to 0.144; Codex 0.171. */
const REFUSAL =
  /^(?:apply_patch verification failed|patch rejected|exec command rejected|aborted by user|Script failed)\b[^\n]*/;

/** Statuses of items that failed. */
const FAILED_STATUS: ReadonlySet<unknown> = new Set(['failed', 'declined', 'incomplete']);

const exitError = (code: unknown): string | undefined =>
  typeof code === 'number' && code !== 0 ? `exit code ${code}` : undefined;

function textFacts(text: string): OutputFacts {
  const wrapped = wrapperOf(text);
  if (wrapped) {
    const { metadata } = wrapped;
    const error = typeof metadata['error'] === 'string' ? metadata['error'] : exitError(metadata['exit_code']);
    return { result: wrapped.output, ...(error !== undefined && { error }) };
  }
  const exited = EXIT_CODE.exec(text);
  const error = exited ? exitError(Number(exited[1])) : REFUSAL.exec(text)?.[0].slice(0, ERROR_CHARACTERS);
  return { result: text, ...(error !== undefined && { error }) };
}

interface Wrapper {
  readonly output: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The JSON in which older versions wrap the output of a command: `{"output":…,"metadata":{"exit_code":…}}`. */
function wrapperOf(text: string): Wrapper | undefined {
  if (!text.startsWith('{"output":') && !text.startsWith('{"metadata":')) return undefined;
  const value = jsonFields(text);
  return typeof value?.['output'] === 'string' && isRecord(value['metadata'])
    ? { ...value, output: value['output'], metadata: value['metadata'] }
    : undefined;
}

/** A content that is a text, or the text parts of a list, joined. */
export function partsText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content);
  return content.flatMap((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : [])).join('\n');
}

/**
 * The result of a `function_call_output` or `custom_tool_call_output`. `error` is set only for a failure that Codex records:
 * a non-zero exit code (its `exec_command_end` has the status `failed`), a rejected patch, or a status of failure; never
 * by the output of a command. `status` contains the statuses of the call and of the output.
 */
export function readOutput(output: unknown, status: readonly unknown[]): OutputFacts {
  const isText = Array.isArray(output) || typeof output === 'string';
  const facts: OutputFacts = isText ? textFacts(partsText(output)) : { result: output ?? '' };
  const failed = status.find((value) => FAILED_STATUS.has(value));
  return facts.error === undefined && failed !== undefined ? { ...facts, error: `status ${String(failed)}` } : facts;
}

/** The text of an output that is read as this result and error: plain if possible, otherwise in the older JSON form. */
export function outputText({ result, error }: ToolResponseBlock, before?: unknown): string {
  const text = resultText(result);
  const plain = textFacts(text);
  const wasWrapped = typeof before === 'string' ? wrapperOf(before) : undefined;
  if (!wasWrapped && plain.result === text && plain.error === error) return text;
  const rewrapped = wasWrapped && JSON.stringify({ ...wasWrapped, output: text });
  if (rewrapped !== undefined && textFacts(rewrapped).error === error) return rewrapped;
  const code = error === undefined ? 0 : Number(/^exit code (-?\d+)$/.exec(error)?.[1] ?? 1);
  const hasExitCode = exitError(code) === error;
  return JSON.stringify({
    output: text,
    metadata: { exit_code: code, duration_seconds: 0, ...(!hasExitCode && { error }) },
  });
}
