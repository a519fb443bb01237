import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRecord } from '../../src/content/foreign-value.ts';
import { readProjectFile } from '../../src/settings/project/project-file.ts';
import { PROJECT_SCHEMA, setProjectProfile } from '../../src/settings/project/set-project-profile.ts';
import { SETTINGS_REGISTRY, type SettingRow } from '../../src/settings/registry.ts';
import { afterFile } from '../after-file.ts';
import { runs } from '../property-runs.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SCHEMA_FILE = 'docs/settings.schema.json';

const folder = mkdtempSync(path.join(tmpdir(), 'density-schema-'));
afterFile(() => rmSync(folder, { recursive: true, force: true }));

function valueSchema(row: SettingRow): Record<string, unknown> {
  switch (row.type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { enum: row.enumValues };
    case 'text':
      return { type: 'string', pattern: row.pattern.source };
    case 'number': {
      const { minimum, maximum, isAboveMinimum, isInteger } = row.range;
      return {
        type: isInteger ? 'integer' : 'number',
        ...(minimum !== undefined && { [isAboveMinimum ? 'exclusiveMinimum' : 'minimum']: minimum }),
        ...(maximum !== undefined && { maximum }),
      };
    }
  }
}

const propertyOf = (row: SettingRow) => ({
  description: row.type === 'text' ? `${row.help} Value: ${row.rule}.` : row.help,
  ...valueSchema(row),
  ...(row.default !== undefined && { default: row.default }),
});

const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'The settings of a project for high-density (.density.json)',
  type: 'object',
  properties: {
    $schema: { description: 'Where this schema is; only editors read it.', type: 'string' },
    ...Object.fromEntries(SETTINGS_REGISTRY.map((row) => [row.key, propertyOf(row)])),
  },
  additionalProperties: false,
};

const isValid = new Ajv().compile(SCHEMA);

async function isRead(settings: unknown): Promise<boolean> {
  const file = path.join(folder, '.density.json');
  writeFileSync(file, JSON.stringify(settings));
  return readProjectFile(file).then(
    () => true,
    () => false,
  );
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The JSON objects of a page that name a setting, or that stand in a paragraph on the project's file. */
function examplesOf(page: string): [page: string, example: Record<string, unknown>][] {
  const keys = new Set<string>(SETTINGS_REGISTRY.map(({ key }) => key));
  const paragraphs = readFileSync(path.join(ROOT, page), 'utf8').split(/\n\n(?!```json)|\n(?=- )/);
  return paragraphs.flatMap((paragraph) =>
    [...paragraph.matchAll(/```json\n(.*?)```|`(\{[^`]*\})`/gs)].flatMap(([, block, span]) => {
      const object = jsonObject(block ?? span ?? '');
      const isExample =
        object && (paragraph.includes('.density.json') || Object.keys(object).some((key) => keys.has(key)));
      return isExample ? [[page, object] as [string, Record<string, unknown>]] : [];
    }),
  );
}

const EXAMPLES = ['README.md', ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`)]
  .filter((page) => page.endsWith('.md'))
  .flatMap(examplesOf);

describe('the schema of the settings file', () => {
  test('is the registry (`npx vitest run -u` with this file writes it again)', async () => {
    await expect(`${JSON.stringify(SCHEMA, null, 2)}\n`).toMatchFileSnapshot(path.join(ROOT, SCHEMA_FILE));
  });

  test.each(EXAMPLES)('an example of %s is valid: %j', async (_page, example) => {
    expect([isValid(example), isValid.errors, await isRead(example)]).toEqual([true, null, true]);
  });

  test('the pages have examples', () => {
    const pages = EXAMPLES.map(([page]) => page);
    expect(pages).toEqual(expect.arrayContaining(['docs/settings.md', 'docs/plugin.md', 'docs/strategies.md']));
  });

  test.each([
    ['a key that no setting has', { 'live-prunning': 'on' }],
    ['a value that is not one of the names', { 'live-pruning': 'dry' }],
    ['a text for a switch', { 'compression.density.archive': 'on' }],
    ['a ratio of 0 where it is above 0', { 'compression-threshold': 0 }],
    ['a part of a token', { 'context-limit': 1000.5 }],
    ['the name of a profile with a folder', { 'compression.profile': '../x' }],
    ['a list', []],
  ])('refuses %s, as the reader does', async (_what, settings) => {
    expect([isValid(settings), await isRead(settings)]).toEqual([false, false]);
  });

  test('accepts what the reader accepts, and nothing else', async () => {
    const key = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...SETTINGS_REGISTRY.map((row) => row.key), '$Schema') },
      fc.string(),
    );
    const texts = SETTINGS_REGISTRY.flatMap((row) =>
      row.type === 'enum' ? row.enumValues : row.type === 'text' ? (row.example ?? []) : [],
    );
    const value = fc.oneof(
      fc.constantFrom(...texts, 'mine', 'a,b', ' ', ',', '/x'),
      fc.boolean(),
      fc.constantFrom(-1, 0, 0.5, 1, 1.5, 1e21),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.jsonValue(),
    );
    let accepted = 0;
    const settings = fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(settings, async (record) => {
        // What a file can hold: `-0` and keys such as `__proto__` change on the way.
        const held = JSON.parse(JSON.stringify(record)) as unknown;
        const valid = isValid(held);
        if (valid) accepted++;
        expect(valid).toBe(await isRead(held));
      }),
    );
    expect(accepted).toBeGreaterThan(runs(10));
  });
});

describe('the file of a project', () => {
  test('may name its schema, which is no setting', async () => {
    const file = path.join(folder, '.density.json');
    writeFileSync(file, JSON.stringify({ $schema: PROJECT_SCHEMA, 'context-limit': 5000 }));
    expect(await readProjectFile(file)).toEqual({ 'context-limit': 5000 });
    await setProjectProfile(file, 'mine');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ $schema: PROJECT_SCHEMA });
  });

  test('names its schema when it is created where the package is installed', async () => {
    const project = mkdtempSync(path.join(folder, 'project-'));
    const file = path.join(project, '.density.json');
    const schema = path.join(project, PROJECT_SCHEMA);
    mkdirSync(path.dirname(schema), { recursive: true });
    writeFileSync(schema, '{}');
    await setProjectProfile(file, 'mine');
    const written = JSON.parse(readFileSync(file, 'utf8'));
    expect(written).toEqual({ $schema: PROJECT_SCHEMA, 'compression.profile': 'mine' });
    expect([isValid(written), await readProjectFile(file)]).toEqual([true, { 'compression.profile': 'mine' }]);
  });

  test('names a schema that the package has', () => {
    const { name, files } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(PROJECT_SCHEMA).toBe(`./node_modules/${name}/${SCHEMA_FILE}`);
    expect(files).toContain('docs');
  });
});
