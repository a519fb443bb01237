import { capitalised, ENTITIES, type Entity, type Field } from './harbour.ts';

const TYPES: Readonly<Record<Field['kind'], string>> = {
  text: 'string',
  integer: 'number',
  date: 'string',
  flag: 'boolean',
  reference: 'string',
  status: 'string',
};

const CHECKS: Readonly<Record<Field['kind'], string>> = {
  text: 'text',
  integer: 'integer',
  date: 'calendarDay',
  flag: 'flag',
  reference: 'identifier',
  status: 'text',
};

/** The line that declares a field in the record's interface. */
export const declarationOf = (field: Field): string =>
  `  /** ${field.note} */\n  readonly ${field.name}: ${TYPES[field.kind]};`;

/** The line that checks a field of a request body. */
export const checkOf = (entity: Entity, field: Field): string =>
  `    ${field.name}: ${CHECKS[field.kind]}(fields.${field.name}, '${entity.name}.${field.name}'),`;

function model(entity: Entity): string {
  const type = capitalised(entity.name);
  const checks = [...new Set(entity.fields.map(({ kind }) => CHECKS[kind]))].sort();
  return `import { ${[...checks, 'record'].join(', ')} } from '../validation.js';

/** ${entity.about} */
export interface ${type} {
  readonly id: string;
${entity.fields.map(declarationOf).join('\n')}
}

export type New${type} = Omit<${type}, 'id'>;

/** Reads a ${entity.name} from a request body. Throws a ValidationError that names the first wrong field. */
export function parse${type}(body: unknown): New${type} {
  const fields = record(body, '${entity.name}');
  return {
${entity.fields.map((field) => checkOf(entity, field)).join('\n')}
  };
}

/** What the log says about a ${entity.name}: enough to find it again, nothing personal. */
export function describe${type}(${entity.name}: ${type}): string {
  return \`${entity.name} \${${entity.name}.id} (${entity.fields[0]?.name} \${${entity.name}.${entity.fields[0]?.name}})\`;
}
`;
}

function store(entity: Entity): string {
  const type = capitalised(entity.name);
  const columns = entity.fields.map(({ name }) => `'${name}'`).join(', ');
  return `import type { Database, Row } from '../database.js';
import type { New${type}, ${type} } from './${entity.name}.js';

const COLUMNS = [${columns}] as const;

export interface ${type}Filter {
  readonly text?: string;
  readonly limit?: number;
}

/** Keeps ${entity.plural}. Every method is one statement; nothing here starts a transaction of its own. */
export class ${type}Store {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(${entity.name}: New${type}): ${type} {
    const id = this.#database.nextId('${entity.name}');
    const names = ['id', ...COLUMNS].join(', ');
    const marks = ['id', ...COLUMNS].map(() => '?').join(', ');
    const values = COLUMNS.map((column) => ${entity.name}[column]);
    this.#database.run(\`insert into ${entity.plural} (\${names}) values (\${marks})\`, [id, ...values]);
    return { id, ...${entity.name} };
  }

  find(id: string): ${type} | undefined {
    const row = this.#database.first('select * from ${entity.plural} where id = ?', [id]);
    return row === undefined ? undefined : to${type}(row);
  }

  list(filter: ${type}Filter = {}): ${type}[] {
    const rows = this.#database.all('select * from ${entity.plural} order by id', []);
    const found = rows.map(to${type}).filter((${entity.name}) => matches(${entity.name}, filter));
    return found.slice(0, filter.limit ?? found.length);
  }

  update(id: string, changes: Partial<New${type}>): ${type} | undefined {
    const current = this.find(id);
    if (current === undefined) return undefined;
    const changed = COLUMNS.filter((column) => changes[column] !== undefined);
    const assignments = changed.map((column) => \`\${column} = ?\`).join(', ');
    const values = changed.map((column) => changes[column]);
    if (changed.length > 0) {
      this.#database.run(\`update ${entity.plural} set \${assignments} where id = ?\`, [...values, id]);
    }
    return { ...current, ...changes };
  }

  remove(id: string): boolean {
    return this.#database.run('delete from ${entity.plural} where id = ?', [id]).changes > 0;
  }
}

function to${type}(row: Row): ${type} {
  return {
    id: String(row.id),
${entity.fields.map((field) => `    ${field.name}: ${fromRow(field)},`).join('\n')}
  };
}

function matches(${entity.name}: ${type}, filter: ${type}Filter): boolean {
  if (filter.text === undefined) return true;
  const text = filter.text.toLowerCase();
  return COLUMNS.some((column) => String(${entity.name}[column]).includes(text));
}
`;
}

/** How a stored column becomes a field again. */
export function fromRow(field: Field): string {
  if (field.kind === 'integer') return `Number(row.${field.name})`;
  return field.kind === 'flag' ? `row.${field.name} === 1` : `String(row.${field.name})`;
}

function routes(entity: Entity): string {
  const type = capitalised(entity.name);
  return `import type { Request, Response, Router } from '../router.js';
import { describe${type}, parse${type} } from './${entity.name}.js';
import type { ${type}Store } from './${entity.name}-store.js';

/** The paths under /${entity.plural}. Errors are left to the router, which knows how to answer them. */
export function ${entity.name}Routes(router: Router, store: ${type}Store): void {
  router.get('/${entity.plural}', (request: Request): Response => {
    const text = request.query.get('text') ?? undefined;
    const limit = Number(request.query.get('limit') ?? 50);
    return { status: 200, body: store.list({ ...(text !== undefined && { text }), limit }) };
  });

  router.get('/${entity.plural}/:id', (request: Request): Response => {
    const ${entity.name} = store.find(request.parameters.id);
    if (${entity.name} === undefined) return { status: 404, body: { error: 'no such ${entity.name}' } };
    return { status: 200, body: ${entity.name} };
  });

  router.post('/${entity.plural}', (request: Request): Response => {
    const ${entity.name} = store.insert(parse${type}(request.body));
    request.log(\`created \${describe${type}(${entity.name})}\`);
    return { status: 201, body: ${entity.name} };
  });

  router.patch('/${entity.plural}/:id', (request: Request): Response => {
    const ${entity.name} = store.update(request.parameters.id, request.body as object);
    if (${entity.name} === undefined) return { status: 404, body: { error: 'no such ${entity.name}' } };
    request.log(\`changed \${describe${type}(${entity.name})}\`);
    return { status: 200, body: ${entity.name} };
  });

  router.delete('/${entity.plural}/:id', (request: Request): Response => {
    if (!store.remove(request.parameters.id)) return { status: 404, body: { error: 'no such ${entity.name}' } };
    return { status: 204 };
  });
}
`;
}

function tests(entity: Entity): string {
  const type = capitalised(entity.name);
  const body = `{ ${entity.fields.map(({ name, example }) => `${name}: ${example}`).join(', ')} }`;
  return `import { beforeEach, describe, expect, test } from 'vitest';
import { memoryDatabase } from '../src/database.js';
import { parse${type} } from '../src/${entity.plural}/${entity.name}.js';
import { ${type}Store } from '../src/${entity.plural}/${entity.name}-store.js';

const body = ${body};

describe('${entity.plural}', () => {
  let store: ${type}Store;

  beforeEach(() => {
    store = new ${type}Store(memoryDatabase());
  });

  test('a new ${entity.name} can be found again', () => {
    const { id } = store.insert(parse${type}(body));
    expect(store.find(id)).toMatchObject(body);
  });

${entity.fields
  .map(
    ({ name }) => `  test('a ${entity.name} without ${name} is refused', () => {
    const { ${name}: _left, ...rest } = body;
    expect(() => parse${type}(rest)).toThrow('${entity.name}.${name}');
  });`,
  )
  .join('\n\n')}

  test('a change touches nothing else', () => {
    const { id } = store.insert(parse${type}(body));
    store.update(id, {});
    expect(store.find(id)).toMatchObject(body);
  });

  test('what was removed is gone', () => {
    const { id } = store.insert(parse${type}(body));
    expect(store.remove(id)).toBe(true);
    expect(store.find(id)).toBeUndefined();
    expect(store.remove(id)).toBe(false);
  });
});
`;
}

/** Paths of an entity's files, relative to the project. */
export const pathsOf = (entity: Entity): Record<'model' | 'store' | 'routes' | 'tests', string> => ({
  model: `src/${entity.plural}/${entity.name}.ts`,
  store: `src/${entity.plural}/${entity.name}-store.ts`,
  routes: `src/${entity.plural}/${entity.name}-routes.ts`,
  tests: `test/${entity.plural}.test.ts`,
});

/** The files of the four layers of each entity, by path relative to the project. */
export function entityFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const entity of ENTITIES) {
    const paths = pathsOf(entity);
    files.set(paths.model, model(entity));
    files.set(paths.store, store(entity));
    files.set(paths.routes, routes(entity));
    files.set(paths.tests, tests(entity));
  }
  return files;
}
