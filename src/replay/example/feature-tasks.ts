import type { Desk } from './desk.ts';
import { capitalised, type Entity, type Field } from './harbour.ts';
import { checkOf, declarationOf, fromRow, pathsOf } from './source-files.ts';

/** Somebody needs a column: model, store, test, a run that fails, the mend, documentation. */
export function addField(desk: Desk, entity: Entity, field: Field): void {
  const paths = pathsOf(entity);
  const last = entity.fields.at(-1) as Field;
  const title = `${entity.name} without ${field.name} is refused`;
  desk.human(
    `${capitalised(entity.plural)} need a \`${field.name}\` (for example ${field.example}). ${field.note} ` +
      'It is required on creation, survives an update, and belongs into the README as well.',
  );
  desk.turn(
    `I'll look at how ${entity.plural} are put together first.`,
    desk.search(`\\b${last.name}\\b`),
    desk.list(`src/${entity.plural}`),
  );
  desk.turn('', desk.read(paths.model), desk.read(paths.store));
  desk.turn('Now the tests and the checks there are already.', desk.read(paths.tests), desk.read('src/validation.ts'));
  desk.turn(
    'The model first.',
    desk.replace(paths.model, declarationOf(last), `${declarationOf(last)}\n${declarationOf(field)}`),
  );
  desk.turn(
    '',
    desk.replace(paths.model, checkOf(entity, last), `${checkOf(entity, last)}\n${checkOf(entity, field)}`),
  );
  desk.turn(
    'Then the column list of the store.',
    desk.replace(paths.store, `"${last.name}"] as const`, `"${last.name}", "${field.name}"] as const`),
  );
  desk.turn(
    'The list uses single quotes; I will look at the lines as they are.',
    desk.read(paths.store, { offset: 0, limit: 12 }),
  );
  desk.turn('', desk.replace(paths.store, `'${last.name}'] as const`, `'${last.name}', '${field.name}'] as const`));
  desk.turn(
    '',
    desk.test(entity, {
      file: paths.tests,
      title: `${entity.plural} > a new ${entity.name} can be found again`,
      reason: `ValidationError: ${entity.name}.${field.name}: expected ${field.kind === 'integer' ? 'a whole number' : 'a value'}, got undefined`,
      line: 16,
    }),
  );
  desk.turn(
    'As expected: the example body of the tests lacks the new field.',
    desk.replace(
      paths.tests,
      `${last.name}: ${last.example} }`,
      `${last.name}: ${last.example}, ${field.name}: ${field.example} }`,
    ),
  );
  desk.turn(
    '',
    desk.test(entity, {
      file: paths.tests,
      title: `${entity.plural} > a new ${entity.name} can be found again`,
      reason: `AssertionError: expected { id: '${entity.name}-1', …(${entity.fields.length}) } to match object { …(${entity.fields.length + 1}) }\n- Expected\n+ Received\n-   "${field.name}": ${field.example},`,
      line: 18,
    }),
  );
  desk.turn(
    `It is stored but does not come back: \`to${capitalised(entity.name)}\` builds the record field by field.`,
    desk.read(paths.store),
  );
  desk.turn(
    '',
    desk.replace(
      paths.store,
      `    ${last.name}: ${fromRow(last)},`,
      `    ${last.name}: ${fromRow(last)},\n    ${field.name}: ${fromRow(field)},`,
    ),
    desk.replace(
      paths.tests,
      `  test('a change touches nothing else'`,
      `  test('a ${title}', () => {\n    const { ${field.name}: _left, ...rest } = body;\n    expect(() => parse${capitalised(entity.name)}(rest)).toThrow('${entity.name}.${field.name}');\n  });\n\n  test('a change touches nothing else'`,
    ),
  );
  desk.turn('', desk.test(undefined));
  desk.turn('Green. The README last.', desk.read('README.md'));
  desk.turn(
    '',
    desk.replace(
      'README.md',
      `- \`${last.name}\`: ${last.note}`,
      `- \`${last.name}\`: ${last.note}\n- \`${field.name}\`: ${field.note}`,
    ),
  );
  desk.say(
    `\`${field.name}\` is in: checked on creation, stored, returned, kept by an update and documented. ` +
      `${capitalised(entity.plural)} have one more test; the whole suite passes.`,
  );
}

/** A limit that cannot be trusted: found by reading, changed in two places, one edit from a stale memory. */
export function boundLimit(desk: Desk, entity: Entity): void {
  const paths = pathsOf(entity);
  desk.human(
    `GET /${entity.plural}?limit=-1 answers with nearly everything and limit=abc with nothing. Both should be a 400.`,
  );
  desk.turn('', desk.read(paths.routes), desk.search('limit', 'src'));
  desk.turn(
    '`Number()` turns both into something that `slice` accepts. A check of its own is the honest answer.',
    desk.read('src/validation.ts'),
  );
  const check = `${capitalised(entity.name)}Limit`;
  desk.turn(
    '',
    desk.replace(
      'src/validation.ts',
      `export function flag(`,
      `/** How many ${entity.plural} one answer may hold. */\nexport function bounded${check}(value: string | null): number {\n  const limit = value === null ? 50 : Number(value);\n  if (Number.isInteger(limit) && limit >= 1 && limit <= 500) return limit;\n  throw new ValidationError('limit', 'a whole number from 1 to 500', value);\n}\n\nexport function flag(`,
    ),
  );
  desk.turn(
    '',
    desk.replace(
      paths.routes,
      `const limit = Number(request.query.get('limit') || 50);`,
      `const limit = bounded${check}(request.query.get('limit'));`,
    ),
  );
  desk.turn('That is not quite how the line reads.', desk.read(paths.routes, { offset: 0, limit: 14 }));
  desk.turn(
    '',
    desk.replace(
      paths.routes,
      `const limit = Number(request.query.get('limit') ?? 50);`,
      `const limit = bounded${check}(request.query.get('limit'));`,
    ),
    desk.replace(
      paths.routes,
      `import type { Request, Response, Router } from '../router.js';`,
      `import type { Request, Response, Router } from '../router.js';\nimport { bounded${check} } from '../validation.js';`,
    ),
  );
  desk.turn(
    '',
    desk.test(entity),
    desk.shell('npm run lint', 'Checked 31 files in 18ms. No fixes applied.\n\nExit Code: 0'),
  );
  desk.say('Both are refused now with a message that names `limit`; leaving it out still means 50.');
}
