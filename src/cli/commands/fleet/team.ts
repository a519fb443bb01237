import type { Command } from 'commander';
import { defineToken } from './token.ts';
import { defineWorker } from './worker.ts';

/** `density team`: commands for a team with a Redis server. */
export function defineTeam(command: Command): void {
  command.description(
    "For a team with a Redis server: workers that do the work of commands with --redis, and tokens for the team's proxy (`density proxy --team`).",
  );
  defineWorker(command.command('worker').summary('do the work of commands with --redis'));
  defineToken(command.command('token').summary("make, list and revoke tokens for a team's proxy"));
}
