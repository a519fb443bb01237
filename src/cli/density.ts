#!/usr/bin/env node
import module from 'node:module';

if ('enableCompileCache' in module) await (await import('./cache-bytecode.ts')).cacheBytecode();
if (process.argv[2] === 'statusline' && process.argv.length === 3) {
  // An agent runs it at every turn: nothing but the line is loaded.
  await (await import('./commands/statusline/statusline.ts')).printStatusLine();
} else
  await (await import('./main.ts')).main({ words: process.argv.slice(2), out: process.stdout, err: process.stderr });
