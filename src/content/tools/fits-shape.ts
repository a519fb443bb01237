import type { ToolCallBlock } from '../content.ts';
import { isEditKey } from '../files/edit-text.ts';
import { parsedTexts, textsAt } from '../files/tool-parameters.ts';
import { fieldOf, isList, isRecord, keysOf } from '../foreign-value.ts';
import { type ToolDefinition, toolRole } from '../vocabularies/vocabulary.ts';
import { plainToolName } from './tool-name.ts';

/** Parameters of a tool that works somewhere else than on the files of the workspace. */
const ELSEWHERE = new Set(
  'repo repository owner branch ref sha project project_id projectId bucket host hostname server url uri database device container'.split(
    ' ',
  ),
);
/** Names that say that the tool changes files, whatever else it is given. */
const NAMES_FILES = /file|line|notebook|diff|patch/;
/** An address that is not a file's, or text of several lines. */
const NO_PATH = /^(?!file:)[a-zA-Z][a-zA-Z\d+.-]+:\/\/|[\n\r\0]/;
const LONGEST_PATH_CHARS = 4096;

/**
 * True if a call with these parameters can mean what the definition, which is another agent's, says: they contain one
 * path, text or list that it names, a write also says what is written, and nothing says that the files are elsewhere.
 */
export function fitsShape(
  definition: ToolDefinition,
  { name, parameters }: Pick<ToolCallBlock, 'name' | 'parameters'>,
): boolean {
  if (definition.parser !== undefined) return hasScript(definition, parameters);
  if (!isRecord(parameters)) return false;
  const keys = keysOf(parameters);
  if (keys.some((key) => ELSEWHERE.has(key))) return false;
  const role = toolRole(definition, parameters);
  if (role === 'search' || role === 'shell') {
    const { textKeys = [], pathKeys = [], listKeys = [] } = definition;
    return [...textKeys, ...pathKeys, ...listKeys].some((key) => keys.includes(key));
  }
  if (role === 'other' || !namesFiles(definition, parameters)) return false;
  return role === 'read' || keys.some(isEditKey) || NAMES_FILES.test(plainToolName(name));
}

function hasScript(definition: ToolDefinition, parameters: unknown): boolean {
  const texts = parsedTexts(definition, parameters);
  if (texts.length === 0 || (typeof parameters === 'string' && !isOwnLanguage(definition))) return false;
  if (definition.parser === 'apply-patch') return texts.some((text) => text.includes('*** Begin Patch'));
  return definition.parser !== 'script' || texts.some((text) => typeof text === 'string' && text.includes('tools.'));
}

/** Whether the language is known by its text. */
const isOwnLanguage = ({ parser }: ToolDefinition): boolean => parser === 'apply-patch' || parser === 'script';

/** Whether there is exactly one path, or a list; agents disagree on which of several paths counts. */
function namesFiles({ pathKeys, listKeys }: ToolDefinition, parameters: Readonly<Record<string, unknown>>): boolean {
  const paths = new Set(textsAt(parameters, pathKeys));
  const lists =
    listKeys?.some((key) => isList(fieldOf(parameters, key)) || typeof fieldOf(parameters, key) === 'string') ?? false;
  return paths.size <= 1 && (paths.size === 1 || lists) && [...paths].every(isPath);
}

const isPath = (text: string): boolean => text.length <= LONGEST_PATH_CHARS && !NO_PATH.test(text);
