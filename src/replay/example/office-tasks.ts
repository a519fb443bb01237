import type { Desk } from './desk.ts';
import { capitalised, ENTITIES, type Entity } from './harbour.ts';
import { pathsOf } from './source-files.ts';

const entityOf = (name: string): Entity => ENTITIES.find((entity) => entity.name === name) as Entity;

const arrivals = (guard: string): string => `import type { Boat } from '../boats/boat.js';
import type { Booking } from '../bookings/booking.js';
import { nights } from '../bookings/overlap.js';

/** One line of the list on the office wall. */
export interface Arrival {
  readonly day: string;
  readonly boat: string;
  readonly berthId: string;
  readonly nights: number;
  readonly isInsured: boolean;
}

/** Who comes between two days, both included, in the order in which they are to be called. */
export function arrivalsBetween(
  bookings: readonly Booking[],
  boats: ReadonlyMap<string, Boat>,
  days: { readonly from: string; readonly to: string },
): Arrival[] {
  return bookings
    .filter(({ status, arrivesOn }) => ${guard}arrivesOn >= days.from && arrivesOn <= days.to)
    .map((booking) => {
      const boat = boats.get(booking.boatId);
      return {
        day: booking.arrivesOn,
        boat: boat?.name ?? booking.boatId,
        berthId: booking.berthId,
        nights: nights(booking),
        isInsured: boat !== undefined && boat.insuredUntil >= booking.leavesOn,
      };
    })
    .sort((one, other) => one.day.localeCompare(other.day) || one.boat.localeCompare(other.boat));
}
`;

/** A module that did not exist: written, tested, found wanting, written again. */
export function writeArrivals(desk: Desk): void {
  const boat = pathsOf(entityOf('boat'));
  const booking = pathsOf(entityOf('booking'));
  desk.human(
    'We want the list of arrivals that hangs on the wall: day, boat, berth, nights, and a mark when the insurance runs out ' +
      'before they leave. Pure function, in src/office/arrivals.ts, no database in it.',
  );
  desk.turn('What it can be made of:', desk.readMany(boat.model, booking.model, 'src/bookings/overlap.ts'));
  desk.turn('', desk.write('src/office/arrivals.ts', arrivals('')));
  desk.turn(
    '',
    desk.shell(
      'npx vitest run test/arrivals.test.ts',
      ' FAIL  test/arrivals.test.ts > a cancelled stay does not hang on the wall\nAssertionError: expected 1 to be +0\n ❯ test/arrivals.test.ts:31:27\n\n Test Files  1 failed (1)\n      Tests  1 failed | 4 passed (5)\n\nExit Code: 1',
    ),
  );
  desk.turn(
    'A cancelled stay is still listed. `status` has to be looked at.',
    desk.read('src/office/arrivals.ts', { offset: 14, limit: 16 }),
    desk.search('cancelled', 'src'),
  );
  desk.turn('', desk.write('src/office/arrivals.ts', arrivals("status !== 'cancelled' && ")));
  desk.turn(
    '',
    desk.test(undefined),
    desk.shell('npm run lint', 'Checked 33 files in 21ms. No fixes applied.\n\nExit Code: 0'),
  );
  desk.turn('One more look at the whole before I hand it over.', desk.read('src/office/arrivals.ts'));
  desk.say(
    'The list is there: cancelled stays are left out, the order is day, then name, and a boat that nobody knows shows its ' +
      'identifier instead of failing. `isInsured` is false for unknown boats.',
  );
}

/** A question that needs much reading and changes nothing. */
export function explain(desk: Desk, entity: Entity): void {
  const paths = pathsOf(entity);
  desk.human(`Before I talk to the auditor: can a ${entity.name} change without anybody seeing it in the log?`);
  desk.turn('', desk.search('request\\.log|store\\.(insert|update|remove)', 'src'));
  desk.turn('', desk.read(paths.routes), desk.read(paths.store), desk.read('src/database.ts'));
  desk.turn('And who else opens the database:', desk.read('src/server.ts'), desk.search('openDatabase|memoryDatabase'));
  desk.say(
    `Yes, in one way. Creating and changing a ${entity.name} is logged, deleting is not: the delete route answers 204 without a ` +
      `line. Nothing else writes: \`${capitalised(entity.name)}Store\` is only made in server.ts, and each method is one statement. ` +
      'An update with an empty body is logged as a change although nothing changes, which an auditor may ask about as well.',
  );
}

/** The answer to such a question, put into code. */
export function logRemoval(desk: Desk, entity: Entity): void {
  const paths = pathsOf(entity);
  const removal = `if (!store.remove(request.parameters.id)) return { status: 404, body: { error: 'no such ${entity.name}' } };`;
  desk.human('Then log the deletion too, please, with what was deleted and not only its id.');
  desk.turn('The record has to be read before it is gone.', desk.read(paths.routes, { offset: 32, limit: 14 }));
  desk.turn(
    '',
    desk.replace(
      paths.routes,
      removal,
      `const ${entity.name} = store.find(request.parameters.id);\n    ${removal}\n    request.log(\`removed \${JSON.stringify(${entity.name})}\`);`,
    ),
  );
  desk.turn('', desk.test(entity), desk.read(paths.routes));
  desk.say('Done. The line holds the whole record as it was; say so if parts of it must not stand in a log.');
}

/** A run that fails once and not again: nothing is changed, much is looked at. */
export function chaseFlake(desk: Desk, entity: Entity): void {
  const paths = pathsOf(entity);
  const flake = {
    file: paths.tests,
    title: `${entity.plural} > what was removed is gone`,
    reason:
      'Error: Test timed out in 5000ms.\nIf this is a long-running test, pass a timeout value as the last argument.',
    line: 52,
  };
  desk.human('The pipeline was red this morning and green an hour later without a change. Can you see why?');
  desk.turn('', desk.test(undefined));
  desk.turn('Green here. Again, and then the log of the pipeline.', desk.test(undefined, flake));
  desk.turn('There it is.', desk.read(paths.tests), desk.read(paths.store));
  desk.turn('', desk.read('src/database.ts'), desk.test(entity));
  desk.turn(
    '',
    desk.test(undefined),
    desk.shell('uptime', ' 11:52:07 up 9 days,  2:14,  load average: 14.81, 9.20, 4.75\n\nExit Code: 0'),
  );
  desk.say(
    'The test itself does nothing that could wait: the store is synchronous and in memory. It timed out while the load of the ' +
      'machine was above 14. I would not raise the timeout; I would find out what else runs on that machine in the morning.',
  );
}
