import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** The text of a file as Claude Code shows it. */
export const numbered = (text: string, startLine = 1): string =>
  text
    .split('\n')
    .map((line, at) => `${startLine + at}\t${line}`)
    .join('\n');

/** Events as Claude Code 2.1.330 and Codex 0.169.0 gave them to a hook, and the lines of transcripts that they wrote meanwhile, without what is not read. */
export class RecordedSession {
  readonly transcript: string;
  readonly id: string;
  #last: string | null = null;

  constructor(folder: string, id: string) {
    this.id = id;
    this.transcript = path.join(folder, `${id}.jsonl`);
    mkdirSync(folder, { recursive: true });
  }

  write(line: object, file = this.transcript): void {
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }

  /** A line of Claude Code after the last one, or after `parentUuid`. */
  line(uuid: string, more: object = {}): void {
    this.write({ parentUuid: this.#last, isSidechain: false, type: 'assistant', uuid, sessionId: this.id, ...more });
    this.#last = uuid;
  }

  /** Words of the user of Claude Code. */
  said(text: string): void {
    this.line(`s-${text.length}`, { type: 'user', message: { role: 'user', content: text } });
  }

  /** A call of Claude Code and its result, as the model sees it. */
  called(callId: string, content = '…', { name = 'Read', input = { file_path: '/p/app/a.ts' } as object } = {}): void {
    const use = { type: 'tool_use', id: callId, name, input };
    this.line(`a-${callId}`, { message: { role: 'assistant', content: [use] } });
    const result = { type: 'tool_result', tool_use_id: callId, content };
    this.line(`u-${callId}`, { type: 'user', message: { role: 'user', content: [result] } });
  }

  /** A call of Codex and its result, as the model sees it. */
  calledByCodex(callId: string, output: string): void {
    const call = { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"cat a.ts"}', call_id: callId };
    this.write({ type: 'response_item', payload: call });
    const head = 'Chunk ID: c2d574\nWall time: 0.0000 seconds\nOutput:\n';
    const result = { type: 'function_call_output', call_id: callId, output: `${head}${output}` };
    this.write({ type: 'response_item', payload: result });
  }

  #event(name: string, more: object): string {
    return JSON.stringify({
      session_id: this.id,
      transcript_path: this.transcript,
      cwd: '/p/app',
      hook_event_name: name,
      ...more,
    });
  }

  start(source: string, more: object = {}): string {
    return this.#event('SessionStart', { source, ...more });
  }

  read(callId: string, content: string, more: object = {}): string {
    const file = { filePath: '/p/app/a.ts', content, numLines: 120, startLine: 1, totalLines: 120 };
    return this.#event('PostToolUse', {
      prompt_id: '687fefa7',
      permission_mode: 'bypassPermissions',
      effort: { level: 'medium' },
      tool_name: 'Read',
      tool_input: { file_path: '/p/app/a.ts' },
      tool_response: { type: 'text', file },
      tool_use_id: callId,
      duration_ms: 3,
      ...more,
    });
  }

  bash(callId: string, stdout: string, more: object = {}, command = 'cat a.ts'): string {
    const output = { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
    const call = { tool_name: 'Bash', tool_input: { command, description: 'as scripted' } };
    return this.read(callId, '', { ...call, tool_response: { ...output, ...more } });
  }

  /** Before a call runs. */
  before(tool: string, input: object, more: object = {}): string {
    return this.#event('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: 'toolu_next', ...more });
  }

  codex(callId: string, output: string, more: object = {}): string {
    return this.#event('PostToolUse', {
      turn_id: '01a2050d',
      model: 'gpt-5',
      permission_mode: 'bypassPermissions',
      tool_name: 'Bash',
      tool_input: { command: 'cat a.ts' },
      tool_response: output,
      tool_use_id: callId,
      ...more,
    });
  }
}
