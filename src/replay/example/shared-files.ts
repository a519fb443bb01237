import { capitalised, ENTITIES } from './harbour.ts';

const VALIDATION = `/** A request that cannot be accepted, and the field that is to blame. */
export class ValidationError extends Error {
  readonly field: string;

  constructor(field: string, expected: string, got: unknown) {
    super(\`\${field}: expected \${expected}, got \${JSON.stringify(got)}\`);
    this.field = field;
  }
}

export function record(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ValidationError(name, 'an object', value);
}

export function text(value: unknown, field: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new ValidationError(field, 'some text', value);
}

export function integer(value: unknown, field: string): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new ValidationError(field, 'a whole number', value);
}

export function calendarDay(value: unknown, field: string): string {
  if (typeof value === 'string' && /^\\d{4}-\\d{2}-\\d{2}$/.test(value)) return value;
  throw new ValidationError(field, 'a day as YYYY-MM-DD', value);
}

export function flag(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ValidationError(field, 'true or false', value);
}

export function identifier(value: unknown, field: string): string {
  if (typeof value === 'string' && /^[a-z]+-\\d+$/.test(value)) return value;
  throw new ValidationError(field, 'an identifier such as boat-12', value);
}
`;

const DATABASE = `export type Row = Record<string, string | number | null>;

/** The few things that the stores need of a database. */
export interface Database {
  run(sql: string, values: readonly unknown[]): { changes: number };
  first(sql: string, values: readonly unknown[]): Row | undefined;
  all(sql: string, values: readonly unknown[]): Row[];
  nextId(kind: string): string;
}

/** Understands exactly the statements that the stores write; the real one is in production.ts. */
export function memoryDatabase(): Database {
  const tables = new Map<string, Row[]>();
  const counters = new Map<string, number>();
  const table = (name: string): Row[] => {
    const rows = tables.get(name) ?? [];
    tables.set(name, rows);
    return rows;
  };
  return {
    run(sql, values) {
      const [, verb, name] = /^(insert into|update|delete from) (\\w+)/.exec(sql) ?? [];
      if (verb === 'insert into') {
        const columns = /\\(([^)]+)\\) values/.exec(sql)?.[1]?.split(', ') ?? [];
        table(name ?? '').push(Object.fromEntries(columns.map((column, index) => [column, toCell(values[index])])));
        return { changes: 1 };
      }
      const rows = table(name ?? '');
      const at = rows.findIndex((row) => row.id === values.at(-1));
      if (at === -1) return { changes: 0 };
      if (verb === 'delete from') rows.splice(at, 1);
      else assign(rows[at] as Row, sql, values);
      return { changes: 1 };
    },
    first: (sql, values) => table(/from (\\w+)/.exec(sql)?.[1] ?? '').find((row) => row.id === values[0]),
    all: (sql) => [...table(/from (\\w+)/.exec(sql)?.[1] ?? '')],
    nextId(kind) {
      const next = (counters.get(kind) ?? 0) + 1;
      counters.set(kind, next);
      return \`\${kind}-\${next}\`;
    },
  };
}

const toCell = (value: unknown): string | number => (typeof value === 'boolean' ? Number(value) : (value as string));

function assign(row: Row, sql: string, values: readonly unknown[]): void {
  const columns = /set (.+) where/.exec(sql)?.[1]?.split(', ').map((part) => part.split(' ')[0]) ?? [];
  for (const [index, column] of columns.entries()) row[column ?? ''] = toCell(values[index]);
}
`;

const OVERLAP = `import type { Booking } from './booking.js';

/** Nights are counted, not days: whoever leaves on the fourth makes room for whoever arrives on the fourth. */
export function overlaps(one: Booking, other: Booking): boolean {
  if (one.berthId !== other.berthId) return false;
  if (one.status === 'cancelled' || other.status === 'cancelled') return false;
  return one.arrivesOn < other.leavesOn && other.arrivesOn <= one.leavesOn;
}

/** The stays that stand in the way of \`wanted\`, oldest first. */
export function conflicts(wanted: Booking, booked: readonly Booking[]): Booking[] {
  return booked
    .filter((booking) => booking.id !== wanted.id && overlaps(booking, wanted))
    .sort((one, other) => one.arrivesOn.localeCompare(other.arrivesOn));
}

/** Number of nights of a stay; a stay that ends before it begins has none. */
export function nights(booking: Booking): number {
  const from = Date.parse(\`\${booking.arrivesOn}T00:00:00Z\`);
  const to = Date.parse(\`\${booking.leavesOn}T00:00:00Z\`);
  return Math.max(0, Math.round((to - from) / 86_400_000));
}
`;

const server = (): string => `import { createRouter } from './router.js';
import { log, openDatabase } from './production.js';
${ENTITIES.map(({ name, plural }) => `import { ${name}Routes } from './${plural}/${name}-routes.js';\nimport { ${capitalised(name)}Store } from './${plural}/${name}-store.js';`).join('\n')}

const port = Number(process.env.PORT ?? 8080);
const database = openDatabase(process.env.DATABASE ?? 'harbour.sqlite');
const router = createRouter();

${ENTITIES.map(({ name }) => `${name}Routes(router, new ${capitalised(name)}Store(database));`).join('\n')}

router.listen(port, () => log(\`harbour office listens on \${port}\`));
`;

const readme = (): string => `# Harbour office

The booking service of a small harbour: who lies where, for how long, and what they owe.

## Running it

\`\`\`sh
npm install
npm run dev      # http://localhost:8080
npm test
\`\`\`

## What it keeps

${ENTITIES.map(({ plural, about, fields }) => `### ${capitalised(plural)}\n\n${about}\n\n${fields.map(({ name, note }) => `- \`${name}\`: ${note}`).join('\n')}`).join('\n\n')}

## House rules

- Days are text in the form \`YYYY-MM-DD\`; the harbour has one time zone and it is not yours.
- Money is whole cents. A price that needs a fraction of a cent is a mistake.
- A store runs one statement per method. Whatever needs two belongs into \`src/office/\`.
`;

const PACKAGE = `{
  "name": "harbour-office",
  "version": "3.8.0",
  "type": "module",
  "scripts": {
    "dev": "tsx watch src/server.ts",
    "test": "vitest run",
    "lint": "biome check ."
  },
  "devDependencies": {
    "@biomejs/biome": "^2.6.0",
    "tsx": "^4.20.0",
    "typescript": "^7.0.0",
    "vitest": "^4.1.0"
  }
}
`;

/** The files that belong to no single entity, by path relative to the project. */
export function sharedFiles(): Map<string, string> {
  return new Map([
    ['README.md', readme()],
    ['package.json', PACKAGE],
    ['src/server.ts', server()],
    ['src/database.ts', DATABASE],
    ['src/validation.ts', VALIDATION],
    ['src/bookings/overlap.ts', OVERLAP],
  ]);
}
