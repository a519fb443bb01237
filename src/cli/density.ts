#!/usr/bin/env node
import module from 'node:module';

// Since Node 22.1, later starts reuse the bytecode of the first. This must run before anything else loads.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
if (process.argv[2] === 'statusline' && process.argv.length === 3) {
  // An agent runs it at every turn: nothing but the line is loaded.
  await (await import('./commands/statusline/statusline.ts')).printStatusLine();
} else await (await import('./main.ts')).main();
