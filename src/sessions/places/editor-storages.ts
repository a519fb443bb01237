import path from 'node:path';
import { folderOf, type Surroundings } from './surroundings.ts';

/** Editor extensions that record sessions, by the name of their storage. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'saoudrizwan.claude-dev': 'Cline',
  'rooveterinaryinc.roo-cline': 'Roo Code',
  'kilocode.kilo-code': 'Kilo Code',
};

/** Editors with these extensions, by the name of their configuration folder. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
/** Data folders of editors on a computer that they are connected to. */
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.cursor-server', '.windsurf-server'];

/** The folder of the editors' configurations. Source: https://code.visualstudio.com/docs/configure/settings */
function configurations(around: Surroundings): string {
  if (around.platform === 'darwin') return path.join(around.home, 'Library', 'Application Support');
  if (around.platform === 'win32') return folderOf(around, 'APPDATA', 'AppData', 'Roaming');
  return folderOf(around, 'XDG_CONFIG_HOME', '.config');
}

/** The folders of tasks that Cline and its kin keep in the storage of each editor; most do not exist. */
export function editorStorages(around: Surroundings): { readonly agent: string; readonly folder: string }[] {
  const roots = [
    ...EDITORS.map((editor) => path.join(configurations(around), editor, 'User')),
    ...SERVERS.map((server) => path.join(around.home, server, 'data', 'User')),
  ];
  return roots.flatMap((root) =>
    Object.entries(EXTENSIONS).map(([extension, agent]) => ({
      agent,
      folder: path.join(root, 'globalStorage', extension, 'tasks'),
    })),
  );
}
