import type { Command } from 'commander';
import { serveArchive } from '../../../mcp/archive-server.ts';
import { userArchive } from '../../../sessions/archive/user-archive.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { packageVersion } from '../../output/package-version.ts';

/** `density mcp`: removed text for agents that speak the Model Context Protocol. */
export function defineMcp(command: Command): void {
  command
    .description(
      'Serves the archive of removed text to an agent, by the Model Context Protocol on standard input and output. `recall` brings a text back by the hash in its marker, `search_removed` finds texts, and `archive_status` says how much is kept. The agent starts it; it ends with its input. Hides keys, tokens and passwords of known shapes. It reads nothing but files of density and asks nothing of the network.',
    )
    .action(async () => {
      // If the settings cannot be read, the archive can still be read.
      const layers = await layersInForce({}).catch(() => []);
      await serveArchive({
        archive: userArchive(layers),
        version: packageVersion(),
        input: process.stdin,
        output: process.stdout,
      });
    });
}
