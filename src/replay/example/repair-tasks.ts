import type { Desk } from './desk.ts';
import { capitalised, ENTITIES, type Entity } from './harbour.ts';
import { pathsOf } from './source-files.ts';

const OVERLAP = 'src/bookings/overlap.ts';
const bookings = ENTITIES.find(({ name }) => name === 'booking') as Entity;

/** A search that misses capitals: the person attaches the file, the agent mends it. */
export function mendSearch(desk: Desk, entity: Entity): void {
  const paths = pathsOf(entity);
  desk.human(
    `Searching ${entity.plural} for something with a capital letter finds nothing, lower case works. Here is the store:\n\n` +
      desk.inclusion(paths.store),
  );
  desk.turn(
    '`matches` lowers the text that is looked for, but not what it is compared with. A test that shows it first.',
    desk.read(paths.tests),
  );
  const first = entity.fields[0];
  desk.turn(
    '',
    desk.replace(
      paths.tests,
      `  test('what was removed is gone'`,
      `  test('the search does not care about capitals', () => {\n    store.insert(parse${capitalised(entity.name)}(body));\n    expect(store.list({ text: String(body.${first?.name}).toUpperCase() })).toHaveLength(1);\n  });\n\n  test('what was removed is gone'`,
    ),
  );
  desk.turn(
    '',
    desk.test(entity, {
      file: paths.tests,
      title: `${entity.plural} > the search does not care about capitals`,
      reason: 'AssertionError: expected [] to have a length of 1 but got +0\n- Expected\n+ Received\n- 1\n+ 0',
      line: 44,
    }),
  );
  desk.turn(
    'It fails for the reason given. The mend is one call.',
    desk.replace(
      paths.store,
      `String(${entity.name}[column]).includes(text)`,
      `String(${entity.name}[column]).toLowerCase().includes(text)`,
    ),
  );
  desk.turn('', desk.test(entity), desk.search('\\.includes\\(text\\)', 'src'));
  desk.say(
    `Mended for ${entity.plural}, with a test. The search above shows the stores that still have the old line; ` +
      'say the word and I will change them too.',
  );
}

/** One night too many: the same file is attached twice, before and after. */
export function mendOverlap(desk: Desk): void {
  desk.human(
    'The office could not book C-14 from the 4th although the other boat leaves on the 4th. I think it is in here:\n\n' +
      desk.inclusion(OVERLAP),
  );
  desk.turn(
    'The comment says nights, the last comparison says days. I will look at who calls it before I touch it.',
    desk.search('overlaps|conflicts|nights', 'src'),
    desk.read(pathsOf(bookings).model),
  );
  desk.turn('', desk.read(OVERLAP));
  desk.turn(
    '',
    desk.replace(OVERLAP, 'other.arrivesOn <= one.leavesOn', 'other.arrivesOn < one.leavesOn'),
    desk.write(
      'test/overlap.test.ts',
      `import { describe, expect, test } from 'vitest';
import { conflicts, nights, overlaps } from '../src/bookings/overlap.js';
import type { Booking } from '../src/bookings/booking.js';

const stay = (id: string, arrivesOn: string, leavesOn: string): Booking =>
  ({ id, boatId: 'boat-1', berthId: 'berth-3', arrivesOn, leavesOn, status: 'confirmed' }) as Booking;

describe('overlap', () => {
  test('who leaves makes room on the same day', () => {
    expect(overlaps(stay('a', '2026-07-01', '2026-07-04'), stay('b', '2026-07-04', '2026-07-06'))).toBe(false);
    expect(overlaps(stay('b', '2026-07-04', '2026-07-06'), stay('a', '2026-07-01', '2026-07-04'))).toBe(false);
  });

  test('a shared night is a conflict', () => {
    const wanted = stay('c', '2026-07-03', '2026-07-05');
    expect(conflicts(wanted, [stay('a', '2026-07-01', '2026-07-04')])).toHaveLength(1);
  });

  test('nights are counted over the change of the month', () => {
    expect(nights(stay('d', '2026-07-30', '2026-08-02'))).toBe(3);
  });
});
`,
    ),
  );
  desk.turn('', desk.test(undefined));
  desk.say('It was one `=` too many; the day of departure is free again, and a test says so in both directions.');
  desk.human(
    `And a stay from the 4th to the 4th should be refused, not counted as no nights. As the file stands now:\n\n${desk.inclusion(OVERLAP)}`,
  );
  desk.turn(
    '',
    desk.replace(
      OVERLAP,
      '/** Number of nights of a stay; a stay that ends before it begins has none. */',
      "/** Whether a stay has a night at all. The office once entered eleven that had none. */\nexport function isStay(booking: Booking): boolean {\n  return booking.status !== 'cancelled' && nights(booking) > 0;\n}\n\n/** Number of nights of a stay; a stay that ends before it begins has none. */",
    ),
  );
  desk.turn('', desk.read(pathsOf(bookings).routes), desk.read(OVERLAP));
  desk.turn(
    '',
    desk.replace(
      pathsOf(bookings).routes,
      'const booking = store.insert(parseBooking(request.body));',
      "const wanted = parseBooking(request.body);\n    if (!isStay({ id: '', ...wanted })) return { status: 400, body: { error: 'a stay needs at least one night' } };\n    const booking = store.insert(wanted);",
    ),
  );
  desk.turn('', desk.test(bookings));
  desk.say('Refused with a 400 now. `nights` still answers 0 for such a record, because old ones exist.');
}

/** A name that says too little, changed wherever it stands. */
export function renameDescribe(desk: Desk, entity: Entity): void {
  const type = capitalised(entity.name);
  const paths = pathsOf(entity);
  desk.human(`\`describe${type}\` is only used for the log. Please call it \`logLineOf${type}\` everywhere.`);
  desk.turn('', desk.search(`describe${type}`));
  desk.turn('', desk.read(paths.model), desk.read(paths.routes));
  desk.turn('', desk.replace(paths.model, `export function describe${type}(`, `export function logLineOf${type}(`));
  desk.turn(
    'In the routes it stands three times, so each with its surroundings.',
    desk.replace(paths.routes, `describe${type}`, `logLineOf${type}`),
  );
  desk.turn(
    '',
    desk.replace(paths.routes, `import { describe${type}, parse`, `import { logLineOf${type}, parse`),
    desk.replace(paths.routes, `\`created \${describe${type}(`, `\`created \${logLineOf${type}(`),
    desk.replace(paths.routes, `\`changed \${describe${type}(`, `\`changed \${logLineOf${type}(`),
  );
  desk.turn('', desk.search(`describe${type}|logLineOf${type}`), desk.test(entity));
  desk.say(`Renamed in both files; nothing else mentions \`describe${type}\`.`);
}
