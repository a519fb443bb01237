#!/usr/bin/env node
import module from 'node:module';

// From Node 22.1 on: later starts use the bytecode of the first. It must be on before anything else is loaded.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
const { main } = await import('./main.ts');
await main();
