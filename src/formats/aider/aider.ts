import type { IContent } from '../../content/content.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { anyAgent as vocabulary } from '../../content/vocabularies/vocabulary.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import type { Line, Session, SessionFormat } from '../contract.ts';
import { decode, joinLines } from '../lines/lines.ts';
import { noUsableLine } from '../lines/object-lines.ts';

const NAME = 'aider';

const START = '# aider chat started at ';
const CHAT_START = /^# aider chat started at (\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})\s*$/m;
const MODELS = /^(?:Main model|Models?): ([^\s,]+)/;
/** Markdown's line break: aider writes it after each line that is not from the model. */
const MARKDOWN_BREAK = / {2}$/;

/** The speaker of a line: `####` is the user, `>` is aider (never sent to the model), the rest is the model. */
function speakerOf(line: string): 'human' | 'ai' | 'aider' {
  if (line.startsWith('#### ') || line === '####') return 'human';
  return line.startsWith('> ') || line === '>' ? 'aider' : 'ai';
}

class ChatLog {
  readonly events: SessionEvent[] = [];
  isChat = false;
  model: string | undefined;
  #timestamp: number | undefined;
  #speaker: 'human' | 'ai' | undefined;
  #texts: string[] = [];
  #startLine = 0;
  /** True until the first entry of a chat that is not the first. */
  #isNewContext = false;

  line(text: string, line: number): void {
    const started = text.startsWith(START) ? CHAT_START.exec(text) : null;
    if (started) {
      this.end();
      this.isChat = true;
      this.#isNewContext = this.events.length > 0;
      // The file contains no time zone.
      this.#timestamp = Date.parse(`${started[1]}T${started[2]}Z`);
      return;
    }
    const speaker = speakerOf(text);
    if (speaker === 'aider') {
      this.end();
      this.model = MODELS.exec(text.slice(2))?.[1] ?? this.model;
      return;
    }
    if (speaker !== this.#speaker) {
      // A blank line after a user message belongs to no message.
      if (speaker === 'ai' && text.trim() === '') return;
      this.end();
      this.#speaker = speaker;
      this.#startLine = line;
    }
    this.#texts.push(speaker === 'human' ? text.slice(5).replace(MARKDOWN_BREAK, '') : text);
  }

  end(): void {
    const text = this.#texts.join('\n').trim();
    if (this.#speaker && text !== '') {
      const model = this.#speaker === 'ai' ? this.model : undefined;
      const metadata = recordedMetadata({ id: `line-${this.#startLine}`, timestamp: this.#timestamp, model });
      if (this.#isNewContext) this.events.push({ kind: 'replace', contents: [] });
      this.#isNewContext = false;
      const content: IContent = { speaker: this.#speaker, blocks: [{ type: 'text', text }], metadata };
      this.events.push({ kind: 'add', content });
    }
    this.#speaker = undefined;
    this.#texts = [];
  }
}

function read(lines: Iterable<Line>): Session {
  const log = new ChatLog();
  const texts = decode(joinLines(lines)).trimEnd().split(/\r?\n/);
  for (const [index, text] of texts.entries()) log.line(text, index + 1);
  log.end();
  if (!log.isChat)
    throw noUsableLine('an aider chat history with at least one "# aider chat started at" line', {
      count: texts.length,
      skipped: [],
    });
  return {
    format: NAME,
    ...(log.model !== undefined && { model: log.model }),
    events: log.events,
    skipped: [],
  };
}

/**
 * Aider's `.aider.chat.history.md`, read-only: Markdown without ids, calls or results; edits are text of the model. Each
 * chat begins a new context, as without `--restore-chat-history`, and aider's own output is omitted.
 * Source: aider 0.47, its log and `split_chat_history_markdown`.
 */
export const aider: SessionFormat = {
  name: NAME,
  title: 'Aider chat history',
  vocabulary,
  detect: (head) => head.includes(START) && CHAT_START.test(head),
  read,
};
