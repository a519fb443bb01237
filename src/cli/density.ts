#!/usr/bin/env node
import module from 'node:module';

// Since Node 22.1, later starts reuse the bytecode of the first. This must run before anything else loads.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
const { main } = await import('./main.ts');
await main();
