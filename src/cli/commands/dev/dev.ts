import type { Command } from 'commander';
import { defineCount } from './count.ts';
import { defineProvider } from './provider.ts';
import { defineShape } from './shape/shape.ts';

/** `density dev`: commands for people who build agents, tools or settings. */
export function defineDev(command: Command): void {
  command.description(
    'For people who build: a provider without a model, the form that output of a tool gets, and the tokens of text files.',
  );
  defineProvider(command.command('provider').summary('imitate a provider, without a model, to test agents'));
  defineShape(command.command('shape').summary('print the form that new output of a tool gets'));
  defineCount(command.command('count').summary('count the tokens of text files'));
}
