/** The body of a skill, as its agent gives it to the model. */
export interface SkillText {
  readonly kind: 'skill';
  readonly start: number;
  readonly end: number;
  readonly lineEnd: '\n';
  /** The folder of its files, as it is written. */
  readonly folder: string;
  /**
   * The tool whose result it follows in the same turn. If it follows no result, a person typed the name of the skill, and their words may
   * be in its body.
   */
  readonly after?: string;
}

/** The start of a body in Claude Code. It comes after the result of its call. Source: Claude Code 2.1.330. */
const BODY = /^Base directory for this skill: ([^\n]+)\n/;
const SKILL_TOOL = 'Skill';
/** A skill in Codex. Source: codex-rs/core, `SkillInstructions`. */
const CODEX = /^<skill>\n<name>[^\n]+<\/name>\n<path>([^\n]+)[\\/][^\\/\n]+<\/path>\n[\s\S]*\n<\/skill>\n?$/;
const CODEX_END = '\n</skill>';

/** The skill that is the whole text. */
export function skillText(text: string): SkillText | undefined {
  const folder = BODY.exec(text)?.[1];
  if (folder !== undefined)
    return { kind: 'skill', start: 0, end: text.length, lineEnd: '\n', folder, after: SKILL_TOOL };
  const codex = text.startsWith('<skill>\n') ? CODEX.exec(text)?.[1] : undefined;
  const end = text.indexOf(CODEX_END);
  if (codex === undefined || end !== text.lastIndexOf(CODEX_END)) return undefined;
  return { kind: 'skill', start: 0, end, lineEnd: '\n', folder: codex };
}
