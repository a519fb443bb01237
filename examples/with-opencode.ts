import { prunedTransform } from 'high-density/opencode';

/** A plugin: put this file into `.opencode/plugin/`. */
export const Density = async ({ directory }: { directory: string }) => prunedTransform({ workspaceRoot: directory });
