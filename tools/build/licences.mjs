import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the package that a module belongs to; undefined for our own modules. */
function packageOf(module) {
  const [, folder] = /^([^\0]*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replaceAll(path.sep, '/')) ?? [];
  return folder;
}

/** The licences of all packages whose code is in the bundle, as one text. */
export function licences(chunks) {
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules ?? {}));
  const used = modules.filter(([, { renderedLength }]) => renderedLength > 0).flatMap(([id]) => packageOf(id) ?? []);
  const texts = [...new Set(used)].map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^(?:licen[cs]e|copying)(?:\.|$)/i.test(one));
    const by = typeof author === 'string' ? author : author?.name;
    const text = file
      ? readFileSync(path.join(folder, file), 'utf8').trim()
      : `No licence file; by ${by ?? 'its authors'}.`;
    const notice = existsSync(path.join(folder, 'NOTICE'))
      ? `\n\n${readFileSync(path.join(folder, 'NOTICE'), 'utf8').trim()}`
      : '';
    return `${name} ${version} (${license})\n\n${text}${notice}\n`;
  });
  return `The files of this folder contain code of these packages.\n\n${[...new Set(texts)].sort().join(`\n${'-'.repeat(80)}\n\n`)}`;
}
