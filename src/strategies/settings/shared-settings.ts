import { OWN_TOOLS } from '../../content/tools/own-tools.ts';
import type { DensityRow, RowFields } from './density-row.ts';

/** What all rules keep, and the tools that they read. */
export const SHARED_SETTINGS = [
  {
    key: 'compression.density.protectedTools',
    flag: '--protected-tools <names>',
    type: 'text',
    isList: true,
    pattern: /[^\s,]/,
    rule: 'names of tools, with commas between them',
    defaultHelp: 'none',
    help: 'Tools whose calls and results are never removed.',
  },
  {
    key: 'compression.density.protectedPaths',
    flag: '--protected-paths <paths>',
    type: 'text',
    isList: true,
    pattern: /[^\s,]/,
    // A path with a slash starts at the workspace root; a bare name matches a file or folder anywhere.
    rule: 'files and folders, with commas between them',
    defaultHelp: 'none',
    help: 'Files and folders whose reads and inclusions are never removed.',
  },
  {
    key: 'compression.density.tools',
    flag: '--tools <tools>',
    type: 'text',
    isList: true,
    pattern: OWN_TOOLS,
    rule: 'tools as role=name:parameter, with commas between them; roles are read, write, search, shell and other',
    example: 'read=my_read:path',
    defaultHelp: 'none',
    help: 'Your own tools: `read=my_read:path,write=my_edit:file+path`, `shell=run:command`, `search=find:query`, `other=name`.',
  },
] as const satisfies readonly DensityRow[];

export type SharedSettings = RowFields<(typeof SHARED_SETTINGS)[number]>;
