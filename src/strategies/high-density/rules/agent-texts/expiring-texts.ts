import { agentTextAt } from '../../../../content/agent-text/agent-text.ts';
import type { ReportText } from '../../../../content/agent-text/report-text.ts';
import type { SkillText } from '../../../../content/agent-text/skill-text.ts';
import { blockTexts } from '../../../../content/block-text.ts';
import type { IContent, TextBlock, ToolCallBlock } from '../../../../content/content.ts';
import { counted } from '../../../../content/counted.ts';
import { resolvePath } from '../../../../content/files/workspace-path.ts';
import type { BlockPlace } from '../../../reasons/call-place.ts';
import { leftOutMarker } from '../../shapers/markers.ts';
import type { Draft, RulesInForce } from '../rule.ts';

/** A report was sent with at least `leastSentCalls` model calls. */
export interface OldReport {
  readonly rule: 'oldReport';
  readonly leastSentCalls: number;
}

/** No call used the skill in `folder` for at least `leastSentCalls` model calls. */
export interface UnusedSkill {
  readonly rule: 'unusedSkill';
  readonly folder: string;
  readonly leastSentCalls: number;
}

interface AgentTextSettings {
  readonly reportCalls: number;
  readonly skillCalls: number;
}

/** The whole lines within so many characters are kept: what a report found, or what a skill is for. */
const KEPT_CHARACTERS = 400;
/** Less is not worth a marker. */
const MIN_CHARACTERS = 500;

/** A text of which the first lines say enough later. */
type ShortenedText = ReportText | SkillText;

const NAMES: Readonly<Record<ShortenedText['kind'], string>> = { report: 'a report', skill: 'a skill' };

/** The text of a block with its first whole lines, then a marker on a line of its own; all around it is kept. `undefined` if little would be left out. Linear. */
function shortenedText(text: string, { kind, start, end, lineEnd }: ShortenedText): string | undefined {
  let kept = start;
  let lines = 1;
  for (const at of lineEndsIn(text, { start, end, lineEnd })) {
    const next = at + lineEnd.length;
    if (next - start <= KEPT_CHARACTERS) kept = next;
    else lines++;
  }
  if (end - kept < MIN_CHARACTERS) return undefined;
  const isAtLineStart = kept > start || start === 0;
  const before = text.slice(0, kept) + (isAtLineStart ? '' : lineEnd);
  const after = text.slice(end);
  const isAtLineEnd = after === '' || after.startsWith('\n') || lineEnd !== '\n';
  return `${before}${leftOutMarker(`${counted(lines, 'line')} of ${NAMES[kind]}`)}${isAtLineEnd ? '' : lineEnd}${after}`;
}

/** Where lines end. In JSON a backslash may be escaped itself. */
function* lineEndsIn(
  text: string,
  { start, end, lineEnd }: Pick<ShortenedText, 'start' | 'end' | 'lineEnd'>,
): Generator<number> {
  if (lineEnd === '\n') {
    for (let at = text.indexOf(lineEnd, start); at !== -1 && at < end; at = text.indexOf(lineEnd, at + 1)) yield at;
    return;
  }
  for (let at = text.indexOf('\\', start); at !== -1 && at < end; at = text.indexOf('\\', at + 2))
    if (text[at + 1] === 'n') yield at;
}

/** A text that may be shortened. `usedIn`: the answers of the model until it was put there, or used last. */
interface Expiring extends BlockPlace {
  readonly raw: TextBlock;
  readonly by: TextBlock;
  readonly text: ShortenedText;
  usedIn: number;
}

/** What tools that start sub-agents and tasks are called, where a report does not say which one did. */
const STARTING_TOOLS = ['Agent', 'Task', 'spawn_agent'];
const SKILL_TOOL = 'Skill';

/** The reports and skills in a history to which entries are only added. */
export class ExpiringTexts {
  readonly #inForce: RulesInForce<AgentTextSettings>;
  readonly #texts: Expiring[] = [];
  /** By the id of a call that a report may be of. */
  readonly #toolOf = new Map<string, string>();
  #entries = 0;
  #turns = 0;
  /** In that answer of the model the next text expires. */
  #nextTurn = Number.POSITIVE_INFINITY;

  constructor(inForce: RulesInForce<AgentTextSettings>) {
    this.#inForce = inForce;
  }

  /** Reads what is new in a history; true if `prune` may edit it in another way than last time. Linear in it. */
  add(history: readonly IContent[]): boolean {
    let isOther = false;
    for (; this.#entries < history.length; this.#entries++) {
      const { speaker, blocks } = history[this.#entries]!;
      if (speaker === 'ai') this.#turns++;
      for (const [block, item] of blocks.entries()) {
        if (item.type === 'tool_call' && this.#use(item)) isOther = true;
        if (speaker === 'human' && item.type === 'text') this.#note(history, { entry: this.#entries, block });
      }
    }
    return isOther || this.#turns >= this.#nextTurn;
  }

  /** Linear in the texts. */
  prune(draft: Draft<OldReport | UnusedSkill>): void {
    this.#nextTurn = Number.POSITIVE_INFINITY;
    for (const { entry, block, raw, by, text, usedIn } of this.#texts) {
      const leastSentCalls = this.#callsFor(text);
      if (this.#turns - usedIn < leastSentCalls) {
        this.#nextTurn = Math.min(this.#nextTurn, usedIn + leastSentCalls);
        continue;
      }
      if (draft.blockAt(entry, block) !== raw) continue;
      const reason =
        text.kind === 'report'
          ? ({ rule: 'oldReport', leastSentCalls } as const)
          : ({ rule: 'unusedSkill', folder: text.folder, leastSentCalls } as const);
      draft.replaceBlock(entry, block, { by, reason });
    }
  }

  #callsFor({ kind }: ShortenedText): number {
    const { reportCalls, skillCalls } = this.#inForce.rules;
    return (kind === 'report' ? reportCalls : skillCalls) || Number.POSITIVE_INFINITY;
  }

  #note(history: readonly IContent[], { entry, block }: BlockPlace): void {
    const text = agentTextAt(history, entry, block);
    if (text === undefined || text.kind === 'file' || this.#isProtected(text)) return;
    const raw = history[entry]!.blocks[block] as TextBlock;
    const shortened = shortenedText(raw.text, text);
    if (shortened === undefined) return;
    this.#texts.push({ entry, block, raw, by: { ...raw, text: shortened }, text, usedIn: this.#turns });
    this.#nextTurn = Math.min(this.#nextTurn, this.#turns + this.#callsFor(text));
  }

  #isProtected(text: ShortenedText): boolean {
    const { protection, workspaceRoot } = this.#inForce;
    if (text.kind === 'skill')
      return protection.coversTool(SKILL_TOOL) || protection.coversFile(resolvePath(workspaceRoot, text.folder));
    const tool = this.#toolOf.get(text.callId ?? '');
    return (tool === undefined ? STARTING_TOOLS : [tool]).some((name) => protection.coversTool(name));
  }

  /** True if a text that expired is used again. */
  #use(call: ToolCallBlock): boolean {
    this.#toolOf.set(call.id, call.name);
    let wasExpired = false;
    for (const expiring of this.#texts) {
      const { text } = expiring;
      if (text.kind !== 'skill' || !usesSkill(call, text, expiring.raw)) continue;
      if (this.#turns - expiring.usedIn >= this.#callsFor(text)) wasExpired = true;
      expiring.usedIn = this.#turns;
    }
    return wasExpired;
  }
}

/** Tools of servers: those that every agent has say nothing about a skill whose body names them. */
const SERVER_TOOL = /^mcp__/;

/** True if a call names the folder of a skill or a file in it, asks for it again, or calls a tool of a server that its body names. */
function usesSkill(call: ToolCallBlock, { folder }: SkillText, { text }: TextBlock): boolean {
  if (SERVER_TOOL.test(call.name) && text.includes(call.name)) return true;
  const parts = folder.split(/[\\/]/).filter(Boolean);
  const name = parts.at(-1)!;
  const folders = [parts.slice(-2).join('/'), parts.slice(-2).join('\\')];
  return blockTexts(call).some(
    (one) => (call.name === SKILL_TOOL && isName(one, name)) || folders.some((end) => one.includes(end)),
  );
}

/** True for the name of a skill, perhaps of a plugin. */
const isName = (asked: string, name: string): boolean => asked === name || asked.endsWith(`:${name}`);
