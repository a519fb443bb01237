import type { IContent, ToolCallBlock } from '../content/content.ts';
import { fileAccess } from '../content/files/file-access.ts';
import { asText } from '../content/foreign-value.ts';
import { claudeCode } from '../content/vocabularies/claude-code.ts';
import { codex } from '../content/vocabularies/codex.ts';
import { fileBytes } from '../disk/file-bytes.ts';
import type { CopiedMarker } from '../guard/contract.ts';
import { copiesIn, copyIn } from '../guard/copy-in.ts';
import { fileTexts } from '../guard/file-texts.ts';
import { type CallSite, GuardLog } from '../guard/guard-log.ts';
import { noticeOf } from '../guard/refusal.ts';
import { readSession } from '../sessions/read-session.ts';
import { deniedFor, type HookEvent } from './hook-event.ts';
import { ownTranscript } from './seen-calls.ts';

interface CopiedWriteOptions {
  /** The folder of the log. */
  readonly live: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const callOf = ({ fields }: HookEvent): ToolCallBlock => ({
  type: 'tool_call',
  id: asText(fields['tool_use_id']),
  name: asText(fields['tool_name']),
  parameters: fields['tool_input'],
});

const siteOf = ({ session, isOfCodex }: HookEvent, { now }: CopiedWriteOptions): CallSite => ({
  agent: isOfCodex ? 'codex' : 'claude-code',
  session,
  at: now,
});

/** What a hook prints before a call that would write a marker; undefined: the call runs. @throws the system's error; then it runs too. */
export async function refusedWrite(event: HookEvent, options: CopiedWriteOptions): Promise<object | undefined> {
  const copy = copyOf(event);
  if (copy === undefined) return undefined;
  const reason = await new GuardLog(options.live).refusedFor(callOf(event), copy, siteOf(event, options));
  return reason === undefined ? undefined : deniedFor(reason);
}

/** What a hook adds to the result of a shell command that wrote a marker. @throws the system's error. */
export async function toldWrite(event: HookEvent, options: CopiedWriteOptions): Promise<string | undefined> {
  const copy = copyOf(event);
  if (copy === undefined) return undefined;
  await new GuardLog(options.live).noteTold(callOf(event), copy, siteOf(event, options));
  return noticeOf(copy);
}

/** The marker that a call writes, by the transcript, which is read as it was sent where its results were shortened on their way. */
function copyOf(event: HookEvent): CopiedMarker | undefined {
  const call = callOf(event);
  const vocabulary = event.isOfCodex ? codex : claudeCode;
  if (copiesIn(call, vocabulary) === undefined) return undefined;
  const root = asText(event.fields['cwd']) || '/';
  const filesOf = (one: ToolCallBlock) => fileAccess(one, vocabulary, root, { includesShellWrites: true });
  const { events } = readSession(fileBytes(ownTranscript(event))).session;
  const history = events.flatMap((one) => (one.kind === 'add' ? one.content : one.contents));
  const own = fileTexts(filesOf(call).writes);
  const copy = copyIn(call, history, { vocabulary, texts: own });
  if (copy === undefined) return undefined;
  // What was shown of a file that has such a line is no marker of ours.
  const showing = callsThatShow(copy.marker, history).flatMap((one) => filesOf(one).reads);
  return copyIn(call, history, { vocabulary, texts: [...own, ...fileTexts(showing)] });
}

function callsThatShow(marker: string, history: readonly IContent[]): readonly ToolCallBlock[] {
  const blocks = history.flatMap((entry) => entry.blocks);
  const shown = new Set(
    blocks.flatMap((block) =>
      block.type === 'tool_response' && asText(block.result).includes(marker) ? block.callId : [],
    ),
  );
  return blocks.filter((block) => block.type === 'tool_call' && shown.has(block.id)) as ToolCallBlock[];
}
