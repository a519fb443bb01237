/** The definition of a tool, `undefined` for one that the agent's vocabulary does not list. */
export function toolDefinition(vocabulary, toolName) {
    return Object.hasOwn(vocabulary.tools, toolName) ? vocabulary.tools[toolName] : undefined;
}
/** What this call of a tool does, which `command` may decide; `other` for unknown tools. */
export function toolRole(definition, parameters) {
    if (definition === undefined)
        return 'other';
    if (definition.command === undefined)
        return definition.role;
    const { key, roles } = definition.command;
    const chosen = isRecord(parameters) ? parameters[key] : undefined;
    return typeof chosen === 'string' && Object.hasOwn(roles, chosen) ? roles[chosen] : 'other';
}
/** Whether parameters have named fields at all (REQ-HD-013.5). */
export function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
