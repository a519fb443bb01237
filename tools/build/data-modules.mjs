import path from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Files of `src` that export only data, which is made of code. In the package each is its data: otherwise whoever reads a setting
 * loads the code of all rules, because each row is written beside the rule that reads it. The entry `.` would load 437 kB of
 * code instead of 270, and `settings` 252 instead of 75.
 */
const DATA_MODULES = new Set([path.join(ROOT, 'src/strategies/settings/rule-rows.ts')]);

/** @type {Map<string, Promise<string>>} */
const evaluated = new Map();

async function evaluate(file) {
  const bundled = await rolldown({ cwd: ROOT, input: file, platform: 'node', checks: { bundlerTimings: false } });
  const { output } = await bundled.generate({ format: 'esm' });
  await bundled.close();
  const exported = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${literal(value)};`)
    .join('\n');
}

/** The value as JavaScript: JSON and regular expressions. */
function literal(value) {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function') throw new TypeError(`Expected data, got ${value}.`);
    return String(JSON.stringify(value));
  }
  return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${literal(one)}`)}}`;
}

/** A plugin of the bundler that replaces data modules by their data. */
export const dataModules = {
  name: 'data-modules',
  load(file) {
    if (!DATA_MODULES.has(file)) return null;
    if (!evaluated.has(file)) evaluated.set(file, evaluate(file));
    return evaluated.get(file);
  },
};
