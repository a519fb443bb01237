import type { ToolCallBlock } from '../content.ts';
import { asText, fieldOf, isList, isRecord, keysOf } from '../foreign-value.ts';
import { scriptCalls } from '../shell/script-calls.ts';

/** The text that a write removes from files and adds to them. */
export interface EditText {
  /** Texts that a file contained before, or the write would have failed: replaced text and the context of a patch. */
  readonly before: readonly string[];
  /** Texts that a file contains afterwards. */
  readonly after: readonly string[];
  /** True if the files contain nothing but `after` afterwards. */
  readonly isWhole: boolean;
}

/** Parameters with the old and the new text of one replacement, over all known agents. */
const REPLACEMENTS: readonly (readonly [before: string, after: string])[] = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['oldText', 'newText'],
  ['old_text', 'new_text'],
  ['old_str', 'new_str'],
  ['search', 'replace'],
];
/** Parameters with a list of replacements. */
const REPLACEMENT_LISTS = ['edits', 'replacements'];
/** Parameters with a whole file. */
const WHOLE_TEXTS = ['content', 'file_text', 'contents'];
/** Parameters with text that is added to a file. */
const ADDED_TEXTS = ['replacement_text', 'insert_text', 'text'];
const EDIT_KEYS = new Set([...REPLACEMENTS.flat(), ...REPLACEMENT_LISTS, ...WHOLE_TEXTS, ...ADDED_TEXTS]);
/** Parameters with changes in a notation of their own. */
const CHANGE_KEYS = new Set(['diff', 'patch', 'new_source', 'code_edit', 'blocks']);

/** True if a parameter of this name contains what a write changes. */
export const isEditKey = (key: string): boolean => EDIT_KEYS.has(key) || CHANGE_KEYS.has(key);

const SEARCH = /^(?:<{5}<*|-{5}-*) SEARCH/;
const DIVIDER = /^={5}=*\s*$/;
const REPLACE = /^(?:>{5}>*|\+{5}\+*) REPLACE/;

/** The texts of a write; `undefined` if its parameters contain none. Linear in the parameters. */
export function editText({ parameters }: ToolCallBlock): EditText | undefined {
  const texts = typeof parameters === 'string' ? [parameters] : isRecord(parameters) ? stringsOf(parameters) : [];
  const patches = texts.flatMap(patchesIn);
  if (patches.length > 0) return patches.map(patchText).reduce(joined);
  if (!isRecord(parameters)) return undefined;
  const isEdit = keysOf(parameters).some((key) => EDIT_KEYS.has(key));
  const replaced = isEdit ? [parameters, ...replacementsIn(parameters)].flatMap(replacementOf) : [];
  if (replaced.length > 0) return replaced.reduce(joined);
  const blocks = texts.filter((text) => /^(?:<{5}<*|-{5}-*) SEARCH/m.test(text)).map(searchReplaceText);
  if (blocks.length > 0) return blocks.reduce(joined);
  if (!isEdit) return undefined;
  const whole = textAt(parameters, WHOLE_TEXTS);
  if (whole !== undefined) return { before: [], after: [whole], isWhole: true };
  const added = textAt(parameters, ADDED_TEXTS);
  return added === undefined ? undefined : { before: [], after: [added], isWhole: false };
}

/** The text if it contains a patch, or the patches that a script passes on. */
function patchesIn(text: string): readonly string[] {
  if (!text.includes('*** Begin Patch')) return [];
  if (!text.includes('tools.apply_patch(')) return [text];
  const { calls } = scriptCalls(text);
  const texts = calls.flatMap(({ parameters }) => (isRecord(parameters) ? stringsOf(parameters) : asText(parameters)));
  return texts.filter((inner) => inner.includes('*** Begin Patch'));
}

function joined(one: EditText, other: EditText): EditText {
  return {
    before: [...one.before, ...other.before],
    after: [...one.after, ...other.after],
    isWhole: one.isWhole && other.isWhole,
  };
}

function replacementsIn(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  return REPLACEMENT_LISTS.flatMap((key) => {
    const list = fieldOf(parameters, key);
    return isList(list) ? list.filter(isRecord) : [];
  });
}

function replacementOf(parameters: Readonly<Record<string, unknown>>): EditText[] {
  for (const [oldKey, newKey] of REPLACEMENTS) {
    const before = fieldOf(parameters, oldKey);
    const after = fieldOf(parameters, newKey);
    const isReplacement = typeof before === 'string' && before !== '';
    if (!isReplacement && typeof after !== 'string') continue;
    return [{ before: isReplacement ? [before] : [], after: typeof after === 'string' ? [after] : [], isWhole: false }];
  }
  return [];
}

/** The texts of a patch in Codex syntax: context and removed lines before, context and added lines after. */
function patchText(text: string): EditText {
  const body = text.slice(text.indexOf('*** Begin Patch'));
  const before: string[] = [];
  const after: string[] = [];
  let isWhole = true;
  let isUpdate = false;
  let hunk = { before: [] as string[], after: [] as string[] };
  const endHunk = (): void => {
    if (hunk.before.length > 0) before.push(hunk.before.join('\n'));
    if (hunk.after.length > 0) after.push(hunk.after.join('\n'));
    hunk = { before: [], after: [] };
  };
  for (const line of body.split('\n')) {
    if (line.startsWith('*** ') || line.startsWith('@@')) {
      endHunk();
      if (line.startsWith('*** End Patch')) break;
      if (/^\*\*\* (?:Update|Add|Delete) File: /.test(line)) isUpdate = line.startsWith('*** Update');
      isWhole &&= !isUpdate;
    } else if (line.startsWith('+')) hunk.after.push(line.slice(1));
    else if (line.startsWith('-')) hunk.before.push(line.slice(1));
    else if (isUpdate) {
      hunk.before.push(line.slice(1));
      hunk.after.push(line.slice(1));
    }
  }
  endHunk();
  return { before, after, isWhole };
}

function searchReplaceText(text: string): EditText {
  const before: string[] = [];
  const after: string[] = [];
  let part: string[] | undefined;
  for (const line of text.split('\n')) {
    if (SEARCH.test(line)) part = [];
    else if (part !== undefined && DIVIDER.test(line)) {
      before.push(part.join('\n'));
      part = [];
    } else if (part !== undefined && REPLACE.test(line)) {
      after.push(part.join('\n'));
      part = undefined;
    } else if (!(part?.length === 0 && /^(?::start_line:|:end_line:|-{5}-*$)/.test(line))) part?.push(line);
  }
  return { before, after, isWhole: false };
}

function stringsOf(parameters: Readonly<Record<string, unknown>>): string[] {
  return keysOf(parameters)
    .map((key) => fieldOf(parameters, key))
    .filter((value) => typeof value === 'string');
}

function textAt(parameters: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  return keys.map((key) => fieldOf(parameters, key)).find((value) => typeof value === 'string');
}
