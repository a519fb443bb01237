import type { ToolCallBlock } from '../content.ts';
import { isRecord } from '../foreign-value.ts';
import { oneLine } from '../lines/one-line.ts';
import { toolDefinition } from '../tools/tool-definition.ts';
import type { ToolDefinition, ToolVocabulary } from '../vocabularies/vocabulary.ts';
import { innerCalls } from './inner-calls.ts';
import { patchParser } from './patch.ts';
import { firstText, listedPaths, parsedTexts } from './tool-parameters.ts';

/** The longest key parameter in a summary, in UTF-16 units. */
const KEY_LIMIT_CHARS = 120;

/** Parameters that usually identify a call of a tool that no vocabulary lists. */
const DEFAULT_KEYS = [
  'file_path',
  'absolute_path',
  'path',
  'filePath',
  'command',
  'cmd',
  'pattern',
  'query',
  'url',
  'description',
];

/**
 * One short line that identifies a call: its paths as the model wrote them, its command, or its search pattern.
 * `undefined` if the parameters contain none of these (REQ-HD-008.3).
 */
export function keyParameter(call: ToolCallBlock, vocabulary: ToolVocabulary): string | undefined {
  const definition = toolDefinition(vocabulary, call);
  const key = keyOf(definition, call);
  return key === undefined || key.trim() === '' ? undefined : oneLine(key, KEY_LIMIT_CHARS);
}

/** A script is named after the calls that it makes, if it does nothing else. */
function keyOf(definition: ToolDefinition | undefined, call: ToolCallBlock): string | undefined {
  const { parameters } = call;
  const script = definition?.parser === 'script' ? innerCalls(definition, call) : undefined;
  if (script?.isUnderstood)
    return script.calls.map((inner) => keyOf(inner.definition, inner.call) ?? inner.call.name).join('; ');
  return keyText(definition, parameters) ?? (isRecord(parameters) ? firstText(parameters, DEFAULT_KEYS) : undefined);
}

function keyText(definition: ToolDefinition | undefined, parameters: unknown): string | undefined {
  if (definition === undefined) return typeof parameters === 'string' ? parameters : undefined;
  if (definition.parser !== undefined) {
    const texts = parsedTexts(definition, parameters).map((text) => (typeof text === 'string' ? text : words(text)));
    const files = isShell(definition) ? [] : texts.flatMap(patchParser(definition));
    return files.length > 0 ? files.join(', ') : texts.length > 0 ? texts.join('; ') : undefined;
  }
  if (!isRecord(parameters)) return undefined;
  const single = firstText(parameters, definition.textKeys) ?? firstText(parameters, definition.pathKeys);
  if (single !== undefined) return single;
  const { paths } = listedPaths(parameters, definition.listKeys);
  return paths.length > 0 ? paths.join(', ') : undefined;
}

const isShell = ({ parser }: ToolDefinition): boolean => parser === 'shell' || parser === 'powershell';

/** An argument vector as a person would type it: `bash -lc X` is X. */
function words(argv: readonly string[]): string {
  return argv.length === 3 && /^-[a-z]*c$/.test(argv[1]!) ? argv[2]! : argv.join(' ');
}
