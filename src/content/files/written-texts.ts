import type { ToolCallBlock } from '../content.ts';
import { fieldOf, isList, isRecord, keysOf } from '../foreign-value.ts';
import { isPowerShell } from '../shell/powershell-access.ts';
import { withoutSides, writtenInScript } from '../shell/written-in-script.ts';
import { toolDefinition } from '../tools/tool-definition.ts';
import { type ToolDefinition, type ToolVocabulary, toolRole } from '../vocabularies/vocabulary.ts';
import { editText } from './edit-text.ts';
import { innerCalls } from './inner-calls.ts';
import { parsedTexts, textsAt } from './tool-parameters.ts';

/** What a call puts into files, and what it takes out of them or looks for in them. */
export interface WrittenTexts {
  readonly written: readonly string[];
  readonly replaced: readonly string[];
}

const NOTHING: WrittenTexts = { written: [], replaced: [] };

/** Parameters with text that is to be found and replaced. */
const OLD_KEYS = /^(?:old|search|find|before)/i;
const POWERSHELL_WRITES = /\b(?:Set-Content|Add-Content|Out-File|WriteAllText)\b|(?<!\d)>/i;

/**
 * The texts that a call writes, and those that it replaces: of every tool that writes files, of patches, and of shell scripts, as
 * `writtenInScript` finds them. Nothing for other tools. Never throws. Linear.
 */
export function writtenTexts(call: ToolCallBlock, vocabulary: ToolVocabulary): WrittenTexts {
  const definition = toolDefinition(vocabulary, call);
  if (definition !== undefined) return textsOf(definition, call);
  // Its name and its parameters may be anything: the text is a patch.
  return hasPatch(stringsIn(call.parameters)) ? changed(call, {}) : NOTHING;
}

const hasPatch = (texts: readonly string[]): boolean => texts.some((text) => text.includes('*** Begin Patch'));

function textsOf(definition: ToolDefinition, call: ToolCallBlock): WrittenTexts {
  const { parser } = definition;
  const { parameters } = call;
  if (parser === 'script') {
    const { calls, isUnderstood } = innerCalls(definition, call);
    if (isUnderstood) return calls.map((inner) => textsOf(inner.definition, inner.call)).reduce(together);
  }
  const isScript = parser === 'shell' || parser === 'powershell' || parser === 'script';
  if (!isScript && toolRole(definition, parameters) !== 'write') return NOTHING;
  const texts = parsedTexts(definition, parameters).map((text) => (typeof text === 'string' ? [text] : text));
  if (isScript && !hasPatch(texts.flat()))
    return { written: texts.flatMap((words) => ofScript(words, parser === 'powershell')), replaced: [] };
  return changed(call, definition);
}

function changed(call: ToolCallBlock, { pathKeys }: Pick<ToolDefinition, 'pathKeys'>): WrittenTexts {
  const { parameters } = call;
  const edit = editText(call);
  if (edit === undefined) return { written: stringsIn(parameters).map(withoutSides), replaced: oldStrings(parameters) };
  const paths = isRecord(parameters) ? textsAt(parameters, pathKeys) : [];
  return { written: [...edit.after, ...paths], replaced: edit.before };
}

const together = (one: WrittenTexts, other: WrittenTexts): WrittenTexts => ({
  written: [...one.written, ...other.written],
  replaced: [...one.replaced, ...other.replaced],
});

/** A script, or an argument vector such as `bash -lc <script>`. */
function ofScript(words: readonly string[], isOfPowerShell: boolean): readonly string[] {
  const script = words.at(-1) ?? '';
  if (isOfPowerShell || isPowerShell(script)) return POWERSHELL_WRITES.test(script) ? [script] : [];
  return writtenInScript(script);
}

/** Deeper values are no parameters of a tool. */
const MAX_DEPTH = 40;

/** All texts in a value, but those below keys of text that is replaced. */
function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth > MAX_DEPTH) return [];
  if (isList(value)) return value.flatMap((one) => stringsIn(one, depth + 1));
  if (!isRecord(value)) return [];
  return keysOf(value).flatMap((key) => (OLD_KEYS.test(key) ? [] : stringsIn(fieldOf(value, key), depth + 1)));
}

const oldStrings = (parameters: unknown): string[] =>
  isRecord(parameters)
    ? keysOf(parameters).flatMap((key) => (OLD_KEYS.test(key) ? stringsIn(fieldOf(parameters, key)) : []))
    : [];
