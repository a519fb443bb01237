import type { ToolCallBlock } from '../content.ts';
import { isRecord } from '../foreign-value.ts';
import { isPowerShell, powershellAccess } from '../shell/powershell-access.ts';
import { shellAccess } from '../shell/shell-access.ts';
import { isPreview } from '../tools/preview.ts';
import { toolDefinition } from '../tools/tool-definition.ts';
import { type ToolDefinition, type ToolVocabulary, toolRole } from '../vocabularies/vocabulary.ts';
import { innerCalls } from './inner-calls.ts';
import { patchParser } from './patch.ts';
import { firstText, listedPaths, parsedTexts } from './tool-parameters.ts';
import { isGlob, resolvePath } from './workspace-path.ts';

/** The files that a call reads and writes, as absolute, normalised paths. */
export interface FileAccess {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** True if the call reads at least one file and, as far as is known, does nothing else. */
  readonly isPureRead: boolean;
  /** True if the tool reads or writes files but its parameters name none (REQ-HD-013.5). */
  readonly isUnrecognized: boolean;
}

const NO_FILES: readonly string[] = [];
const NONE: FileAccess = { reads: NO_FILES, writes: NO_FILES, isPureRead: false, isUnrecognized: false };
const NO_VARIANTS: FileAccessVariants = { plain: NONE, withShellWrites: NONE };
const UNRECOGNIZED: FileAccess = { ...NONE, isUnrecognized: true };

/** The access of a call without and with the files that programs in its shell script change; one object if both are equal. */
export interface FileAccessVariants {
  readonly plain: FileAccess;
  readonly withShellWrites: FileAccess;
}

/**
 * The files that `call` reads and writes, if the vocabulary lists its tool. Never throws, for any parameters; an
 * uncertain file is omitted, and the call is then not a pure read. `workspaceRoot` is absolute.
 * `includesShellWrites`: `writes` contains the files that programs in a shell script change.
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

/** `fileAccess` without and with shell writes; a script is parsed once. */
export function fileAccessVariants(
  call: ToolCallBlock,
  vocabulary: ToolVocabulary,
  workspaceRoot: string,
): FileAccessVariants {
  const definition = toolDefinition(vocabulary, call);
  return definition === undefined ? NO_VARIANTS : definedAccess(definition, call, workspaceRoot);
}

function definedAccess(definition: ToolDefinition, call: ToolCallBlock, workspaceRoot: string): FileAccessVariants {
  if (definition.parser !== undefined && isPreview(call.parameters)) return NO_VARIANTS;
  if (definition.parser === 'script') return scriptReadings(definition, call, workspaceRoot);
  if (definition.parser === 'shell' || definition.parser === 'powershell')
    return shellReadings(definition, call.parameters, workspaceRoot);
  const plain = toolAccess(definition, call.parameters, workspaceRoot);
  return { plain, withShellWrites: plain };
}

/** A script that is not understood still writes the files of its patches. */
function scriptReadings(definition: ToolDefinition, call: ToolCallBlock, workspaceRoot: string): FileAccessVariants {
  const { calls, isUnderstood } = innerCalls(definition, call);
  const inner = calls.map((one) => definedAccess(one.definition, one.call, workspaceRoot));
  if (!isUnderstood) {
    const patches = patchAccess(definition, call.parameters, workspaceRoot);
    inner.push({ plain: patches, withShellWrites: patches });
  }
  return {
    plain: together(inner.map(({ plain }) => plain)),
    withShellWrites: together(inner.map(({ withShellWrites }) => withShellWrites)),
  };
}

function together(all: readonly FileAccess[]): FileAccess {
  return {
    reads: [...new Set(all.flatMap(({ reads }) => reads))],
    writes: [...new Set(all.flatMap(({ writes }) => writes))],
    isPureRead: all.every(({ isPureRead }) => isPureRead),
    isUnrecognized: false,
  };
}

function shellReadings(definition: ToolDefinition, parameters: unknown, workspaceRoot: string): FileAccessVariants {
  const texts = parsedTexts(definition, parameters);
  const directory = callDirectory(definition, parameters, workspaceRoot);
  // The shell of Codex is PowerShell on Windows.
  const isOfPowerShell =
    definition.parser === 'powershell' || texts.some((text) => typeof text === 'string' && isPowerShell(text));
  const [script] = texts;
  if (isOfPowerShell && typeof script !== 'string') return NO_VARIANTS;
  const access = isOfPowerShell ? powershellAccess(String(script), directory) : shellAccess(texts, directory);
  const { reads, writes, allWrites, readsOnly } = access;
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

function patchAccess(definition: ToolDefinition, parameters: unknown, workspaceRoot: string): FileAccess {
  const directory = callDirectory(definition, parameters, workspaceRoot);
  const texts = parsedTexts(definition, parameters);
  const files = texts.flatMap((text) => (typeof text === 'string' ? patchParser(definition)(text) : []));
  const isUnrecognized = files.length === 0 && definition.role === 'write';
  return { ...NONE, writes: files.map((file) => resolvePath(directory ?? workspaceRoot, file)), isUnrecognized };
}

/** The directory in which a call starts; `undefined` if the shell kept one that only the agent knew. */
function callDirectory(definition: ToolDefinition, parameters: unknown, workspaceRoot: string): string | undefined {
  const given = isRecord(parameters) ? firstText(parameters, definition.directoryKeys) : undefined;
  if (given !== undefined) return resolvePath(workspaceRoot, given);
  return definition.keepsDirectory ? undefined : workspaceRoot;
}
