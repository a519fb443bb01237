import type { FormatSample } from '../contracts/format.ts';

type Fields = Record<string, unknown>;

/** Writes an invented session line by line; each line hangs on the one before unless `under` says otherwise. */
export class SessionBuilder {
  readonly lines: string[] = [];
  #count = 0;
  #tip: string | null = null;
  readonly #sidechain: boolean;

  constructor(options: { sidechain?: boolean } = {}) {
    this.#sidechain = options.sidechain ?? false;
  }

  /** A line of the tree; returns its uuid. */
  tree(fields: Fields): string {
    this.#count++;
    const uuid = `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
    const line = {
      parentUuid: this.#tip,
      isSidechain: this.#sidechain,
      userType: 'external',
      cwd: '/repo/demo',
      sessionId: '5e551011-0000-4000-8000-000000000000',
      version: '2.1.40',
      gitBranch: 'main',
      ...fields,
      uuid,
      timestamp: new Date(1_767_000_000_000 + this.#count * 1000).toISOString(),
    };
    this.lines.push(JSON.stringify(line));
    this.#tip = uuid;
    return uuid;
  }

  /** A line outside of the tree. */
  raw(fields: Fields | string): void {
    this.lines.push(typeof fields === 'string' ? fields : JSON.stringify(fields));
  }

  under(uuid: string | null): this {
    this.#tip = uuid;
    return this;
  }

  user(content: unknown, fields: Fields = {}): string {
    return this.tree({ type: 'user', message: { role: 'user', content }, ...fields });
  }

  ai(messageId: string, block: Fields, fields: Fields = {}): string {
    const usage = { input_tokens: 3, cache_creation_input_tokens: 40, cache_read_input_tokens: 100, output_tokens: 7 };
    const message = {
      model: 'claude-test-1',
      id: messageId,
      type: 'message',
      role: 'assistant',
      content: [block],
      usage,
    };
    return this.tree({ type: 'assistant', message, requestId: `req_${messageId}`, ...fields });
  }

  text(messageId: string, text: string): string {
    return this.ai(messageId, { type: 'text', text });
  }

  thinking(messageId: string, thinking: string): string {
    return this.ai(messageId, { type: 'thinking', thinking, signature: `c2ln${messageId}` });
  }

  call(messageId: string, id: string, name: string, input: unknown): string {
    return this.ai(messageId, { type: 'tool_use', id, name, input });
  }

  /** The results of one call. `fields.content` is what the model sees. */
  result(id: string, content: unknown, fields: Fields = {}): string {
    const { is_error, ...rest } = fields;
    const item = { tool_use_id: id, type: 'tool_result', content, ...(is_error === undefined ? {} : { is_error }) };
    return this.tree({
      type: 'user',
      message: { role: 'user', content: [item] },
      toolUseResult: { stdout: 'a copy for the screen', interrupted: false },
      ...rest,
    });
  }

  progress(): string {
    return this.tree({ type: 'progress', data: { type: 'hook_progress', hookEvent: 'PostToolUse' }, toolUseID: 'x' });
  }

  compaction(metadata: Fields = {}): string {
    const fields = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info' };
    this.under(null);
    return this.tree({ ...fields, isMeta: false, compactMetadata: { trigger: 'auto', preTokens: 9, ...metadata } });
  }

  summary(text: string): string {
    return this.user(text, { isCompactSummary: true, isVisibleInTranscriptOnly: true });
  }

  toString(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

const READ = '     1→export const total = 1;\n     2→export const name = "a\\tb";\n';

function plain(): string {
  const session = new SessionBuilder();
  session.raw({ type: 'file-history-snapshot', messageId: 'm', snapshot: { trackedFileBackups: {} } });
  session.progress();
  session.user('Rename `total` in src/a.ts, please. ✗');
  session.thinking('msg_1', 'Both files first.');
  session.text('msg_1', 'I read both.');
  session.call('msg_1', 'toolu_1', 'Read', { file_path: '/repo/demo/src/a.ts' });
  const first = session.lines.length;
  session.call('msg_1', 'toolu_2', 'Read', { file_path: '/repo/demo/src/b.ts', limit: 20 });
  session.result('toolu_2', READ);
  const firstCall = JSON.parse(session.lines[first - 1] ?? '{}') as { uuid: string };
  session.under(firstCall.uuid).result('toolu_1', READ);
  session.call('msg_2', 'toolu_3', 'Edit', { file_path: '/repo/demo/src/a.ts', old_string: 'x', new_string: 'y' });
  session.progress();
  session.result('toolu_3', '<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>', {
    is_error: true,
  });
  session.call('msg_3', 'toolu_4', 'Bash', { command: 'npm test' });
  session.result('toolu_4', [
    { type: 'text', text: 'ok 12' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } },
  ]);
  session.text('msg_4', 'Done.');
  session.tree({ type: 'system', subtype: 'turn_duration', durationMs: 1200, isMeta: false });
  session.raw({ type: 'last-prompt', lastPrompt: 'Rename', sessionId: 's' });
  session.user([
    { type: 'text', text: 'And this?' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'd29ybGQ=' } },
  ]);
  return session.toString();
}

function compacted(): string {
  const session = new SessionBuilder();
  session.user('First task.');
  session.call('msg_1', 'toolu_1', 'Read', { file_path: '/repo/demo/src/a.ts' });
  session.result('toolu_1', READ);
  session.text('msg_2', 'First done.');
  session.compaction();
  session.summary('This session is being continued. Summary: first task done.');
  session.progress();
  session.user('Second task.');
  session.call('msg_3', 'toolu_2', 'Read', { file_path: '/repo/demo/src/b.ts' });
  session.result('toolu_2', READ);
  session.call('msg_4', 'toolu_3', 'Bash', { command: 'make' });
  session.result('toolu_3', 'Exit code 2\nno rule', { is_error: true });
  session.text('msg_5', 'It fails.');
  return session.toString();
}

/** Sessions of Claude Code: a fan of parallel calls, a failed call, pictures; and one after a compaction. */
export const claudeCodeSample: FormatSample = {
  shape: 'lines',
  texts: [plain(), compacted()],
  holds: ['thinking', 'error', 'media'],
};
