import type { ToolCallBlock } from '../content.ts';
import { fieldOf, isRecord } from '../foreign-value.ts';
import { oneLine } from '../lines/one-line.ts';
import { type ToolDefinition, type ToolVocabulary, toolDefinition, toolRole } from '../vocabularies/vocabulary.ts';
import { patchedFiles, patchedFilesOfScript } from './patch.ts';
import { shellAccess } from './shell-access.ts';
import { isGlob, resolvePath } from './workspace-path.ts';

/** Which files a tool call touches. All paths are absolute and normalised. */
export interface FileAccess {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** It reads the files in `reads`, at least one, and does nothing else that anyone could know of. */
  readonly isPureRead: boolean;
  /** Its tool reads or writes files, but its parameters name none (REQ-HD-013.5). */
  readonly isUnrecognized: boolean;
}

const NO_FILES: readonly string[] = [];
const NONE: FileAccess = { reads: NO_FILES, writes: NO_FILES, isPureRead: false, isUnrecognized: false };
const UNRECOGNIZED: FileAccess = { ...NONE, isUnrecognized: true };

/** The access of a call without what programs change that a shell runs, and with it; one object where that is equal. */
export interface FileAccessVariants {
  readonly plain: FileAccess;
  readonly withShellWrites: FileAccess;
}

/**
 * The files that `call` reads and writes, as far as the vocabulary of its agent knows its tool. Never throws,
 * whatever the parameters are; what cannot be named for certain is left out and the call is then no pure read.
 * `workspaceRoot` is absolute. `includesShellWrites`: programs that a shell runs write what they are known to change.
 */
export function fileAccess(
  call: ToolCallBlock,
  vocabulary: ToolVocabulary,
  workspaceRoot: string,
  { includesShellWrites = false }: { includesShellWrites?: boolean } = {},
): FileAccess {
  const { plain, withShellWrites } = fileAccessVariants(call, vocabulary, workspaceRoot);
  return includesShellWrites ? withShellWrites : plain;
}

/** `fileAccess` both ways; a shell's script is read once. */
export function fileAccessVariants(
  call: ToolCallBlock,
  vocabulary: ToolVocabulary,
  workspaceRoot: string,
): FileAccessVariants {
  const definition = toolDefinition(vocabulary, call.name);
  if (definition?.parser === 'shell') return shellReadings(definition, call.parameters, workspaceRoot);
  const plain = definition === undefined ? NONE : toolAccess(definition, call.parameters, workspaceRoot);
  return { plain, withShellWrites: plain };
}

function shellReadings(definition: ToolDefinition, parameters: unknown, workspaceRoot: string): FileAccessVariants {
  const directory = callDirectory(definition, parameters, workspaceRoot);
  const { reads, writes, allWrites, readsOnly } = shellAccess(parsedTexts(definition, parameters), directory);
  const plain = { reads, writes, isPureRead: readsOnly && reads.length > 0, isUnrecognized: false };
  return { plain, withShellWrites: allWrites.length === writes.length ? plain : { ...plain, writes: allWrites } };
}

function toolAccess(definition: ToolDefinition, parameters: unknown, workspaceRoot: string): FileAccess {
  if (definition.parser !== undefined) return patchAccess(definition, parameters, workspaceRoot);
  const role = toolRole(definition, parameters);
  if (role !== 'read' && role !== 'write') return NONE;
  if (!isRecord(parameters)) return UNRECOGNIZED;

  const single = firstText(parameters, definition.pathKeys);
  const files = single === undefined ? [] : [resolvePath(workspaceRoot, single)];
  let isPureRead = role === 'read';
  if (definition.listKeys !== undefined) {
    const { paths, isComplete } = listedPaths(parameters, definition.listKeys);
    const concrete = paths.filter((path) => path !== '' && !isGlob(path));
    for (const path of concrete) files.push(resolvePath(workspaceRoot, path));
    isPureRead &&= isComplete && concrete.length === paths.length;
    if (files.length === 0 && paths.length > 0) return NONE;
  }
  if (files.length === 0) return UNRECOGNIZED;
  return role === 'write'
    ? { reads: NO_FILES, writes: files, isPureRead: false, isUnrecognized: false }
    : { reads: files, writes: NO_FILES, isPureRead, isUnrecognized: false };
}

/** Longest key parameter in a summary, in UTF-16 units. */
const KEY_LIMIT_CHARS = 120;

/** Where tools that no vocabulary lists usually say what they are about. */
const USUAL_KEYS = [
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
 * What a call is about in one short line: its path or paths as the model wrote them, its command, or what it looks
 * for. `undefined` when its parameters say nothing of the kind (REQ-HD-008.3).
 */
export function keyParameter(call: ToolCallBlock, vocabulary: ToolVocabulary): string | undefined {
  const definition = toolDefinition(vocabulary, call.name);
  const { parameters } = call;
  const key = keyText(definition, parameters) ?? (isRecord(parameters) ? firstText(parameters, USUAL_KEYS) : undefined);
  return key === undefined || key.trim() === '' ? undefined : oneLine(key, KEY_LIMIT_CHARS);
}

function keyText(definition: ToolDefinition | undefined, parameters: unknown): string | undefined {
  if (definition === undefined) return typeof parameters === 'string' ? parameters : undefined;
  if (definition.parser !== undefined) {
    const texts = parsedTexts(definition, parameters).map((text) => (typeof text === 'string' ? text : words(text)));
    const files = definition.parser === 'shell' ? [] : texts.flatMap(parserOf(definition));
    return files.length > 0 ? files.join(', ') : texts.length > 0 ? texts.join('; ') : undefined;
  }
  if (!isRecord(parameters)) return undefined;
  const single = firstText(parameters, definition.textKeys) ?? firstText(parameters, definition.pathKeys);
  if (single !== undefined) return single;
  const { paths } = listedPaths(parameters, definition.listKeys);
  return paths.length > 0 ? paths.join(', ') : undefined;
}

/** The words of an argument vector as a person would type them: `bash -lc X` is X. */
function words(argv: readonly string[]): string {
  return argv.length === 3 && /^-[a-z]*c$/.test(argv[1]!) ? argv[2]! : argv.join(' ');
}

function parserOf(definition: ToolDefinition): (text: string) => string[] {
  return definition.parser === 'script' ? patchedFilesOfScript : patchedFiles;
}

function patchAccess(definition: ToolDefinition, parameters: unknown, workspaceRoot: string): FileAccess {
  const directory = callDirectory(definition, parameters, workspaceRoot);
  const texts = parsedTexts(definition, parameters);
  const files = texts.flatMap((text) => (typeof text === 'string' ? parserOf(definition)(text) : []));
  const isUnrecognized = files.length === 0 && definition.role === 'write';
  return { ...NONE, writes: files.map((file) => resolvePath(directory ?? workspaceRoot, file)), isUnrecognized };
}

/** The directory a call starts in; `undefined` when the shell remembers one that only the agent knew. */
function callDirectory(definition: ToolDefinition, parameters: unknown, workspaceRoot: string): string | undefined {
  const given = isRecord(parameters) ? firstText(parameters, definition.directoryKeys) : undefined;
  if (given !== undefined) return resolvePath(workspaceRoot, given);
  return definition.keepsDirectory ? undefined : workspaceRoot;
}

/** The scripts, argument vectors or patches of a call. */
function parsedTexts(definition: ToolDefinition, parameters: unknown): (string | readonly string[])[] {
  if (typeof parameters === 'string') return [parameters];
  if (!isRecord(parameters)) return [];
  for (const key of definition.textKeys ?? []) {
    const value = fieldOf(parameters, key);
    if (typeof value === 'string' && value !== '') return [value];
    if (isTextList(value) && value.length > 0) return [value];
  }
  return listedPaths(parameters, definition.listKeys).paths;
}

function firstText(parameters: Readonly<Record<string, unknown>>, keys: readonly string[] = []): string | undefined {
  for (const key of keys) {
    const value = fieldOf(parameters, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** What the list parameters name; `isComplete`: every element could be read. */
function listedPaths(
  parameters: Readonly<Record<string, unknown>>,
  keys: readonly string[] = [],
): { paths: string[]; isComplete: boolean } {
  const paths: string[] = [];
  let isComplete = true;
  for (const key of keys) {
    const value = fieldOf(parameters, key);
    if (value === undefined) continue;
    for (const element of Array.isArray(value) ? value : [value]) {
      const path: unknown = isRecord(element) ? fieldOf(element, 'path') : element;
      if (typeof path === 'string') paths.push(path);
      else isComplete = false;
    }
  }
  return { paths, isComplete };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}
