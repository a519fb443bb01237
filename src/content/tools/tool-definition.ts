import type { ToolCallBlock } from '../content.ts';
import { addTo, groupBy } from '../group-by.ts';
import { VOCABULARIES } from '../vocabularies/index.ts';
import type { ToolDefinition, ToolVocabulary } from '../vocabularies/vocabulary.ts';
import { fitsShape } from './fits-shape.ts';
import { plainToolName } from './tool-name.ts';

/**
 * The definition of the tool that is called: the vocabulary's own, or else what all agents together mean by its name, if
 * the parameters fit. `undefined` for an unknown tool (docs/readings.md, row 26).
 */
export function toolDefinition(vocabulary: ToolVocabulary, call: ToolCallBlock): ToolDefinition | undefined {
  return Object.hasOwn(vocabulary.tools, call.name) ? vocabulary.tools[call.name] : sharedDefinition(call);
}

/** Names that say nothing of files: what opens may be a page or a door. */
const SAYS_NOTHING = new Set(['open', 'goto']);

const union = (one: readonly string[] = [], other: readonly string[] = []): readonly string[] => [
  ...new Set([...one, ...other]),
];

const ALL_TOOLS = [...VOCABULARIES.values()].flatMap(({ tools }) => Object.entries(tools));

/** The definitions of all agents by plain name, and by the names themselves: one for each meaning of the name. */
const SHARED: ReadonlyMap<string, readonly ToolDefinition[]> = withNames(
  new Map([...definitionsByName()].map(([name, definitions]) => [name, meanings(definitions)])),
);

/**
 * The definition that some agent gives a tool of this name, if the parameters fit it; `undefined` if none fits, or if
 * several that mean different things do.
 */
function sharedDefinition({ name, parameters }: ToolCallBlock): ToolDefinition | undefined {
  let found: ToolDefinition | undefined;
  for (const definition of SHARED.get(name) ?? SHARED.get(plainToolName(name)) ?? []) {
    if (!fitsShape(definition, { name, parameters })) continue;
    if (found !== undefined) return undefined;
    found = definition;
  }
  return found;
}

/** True if a tool of this name may run commands. */
export function mayRunCommands({ tools }: ToolVocabulary, name: string): boolean {
  const own = Object.hasOwn(tools, name) ? [tools[name]!] : undefined;
  const definitions = own ?? SHARED.get(name) ?? SHARED.get(plainToolName(name)) ?? [];
  return definitions.some(({ role, command }) => [role, ...Object.values(command?.roles ?? {})].includes('shell'));
}

function withNames(byName: ReadonlyMap<string, ToolDefinition[]>): Map<string, ToolDefinition[]> {
  const all = new Map(byName);
  for (const [name, { numbersLines }] of ALL_TOOLS) {
    const shared = byName.get(plainToolName(name)) ?? [];
    all.set(name, numbersLines ? shared.map((definition) => ({ ...definition, numbersLines })) : shared);
  }
  return all;
}

function definitionsByName(): Map<string, ToolDefinition[]> {
  const byName = new Map<string, ToolDefinition[]>();
  // Only a tool of just the same name numbers lines as that one does.
  for (const [name, { numbersLines, ...definition }] of ALL_TOOLS) addTo(byName, plainToolName(name), definition);
  for (const name of SAYS_NOTHING) byName.delete(name);
  return byName;
}

/** Definitions that mean the same, each with the parameters that any of them names. */
function meanings(definitions: readonly ToolDefinition[]): ToolDefinition[] {
  const alike = groupBy(definitions, ({ role, parser, command }) => JSON.stringify([role, parser, command]));
  const all = [...alike.values()].map((same) => same.reduce(mergedDefinition));
  // One agent's requirements leave its shell unparsed; that is not another meaning.
  const isParsed = all.some(({ role, parser }) => role === 'shell' && parser !== undefined);
  return isParsed ? all.filter(({ role, parser }) => role !== 'shell' || parser !== undefined) : all;
}

/** The shell keeps its directory if it does for any agent: fewer files are then certain. */
function mergedDefinition(one: ToolDefinition, other: ToolDefinition): ToolDefinition {
  return {
    ...one,
    pathKeys: union(one.pathKeys, other.pathKeys),
    listKeys: union(one.listKeys, other.listKeys),
    textKeys: union(one.textKeys, other.textKeys),
    directoryKeys: union(one.directoryKeys, other.directoryKeys),
    ...((one.keepsDirectory ?? other.keepsDirectory) && { keepsDirectory: true }),
  };
}
