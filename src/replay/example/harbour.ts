/** One column of an invented harbour office: what it is called, what it holds, an example of it. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'date' | 'flag' | 'reference' | 'status';
  readonly example: string;
  readonly note: string;
}

/** One kind of record that the harbour office keeps. */
export interface Entity {
  /** Lower camel case, singular. */
  readonly name: string;
  readonly plural: string;
  readonly about: string;
  readonly fields: readonly Field[];
}

const field = (name: string, kind: Field['kind'], example: string, note: string): Field => ({
  name,
  kind,
  example,
  note,
});

/** The records of the invented project in which the example session takes place. */
export const ENTITIES: readonly Entity[] = [
  {
    name: 'berth',
    plural: 'berths',
    about: 'A place on a pontoon where one boat can lie for the night.',
    fields: [
      field('code', 'text', "'C-14'", 'Pontoon letter and number, as painted on the cleat.'),
      field('lengthCm', 'integer', '1150', 'Longest boat that fits, fenders included.'),
      field('widthCm', 'integer', '380', 'Clear width between the finger pontoons.'),
      field('hasPower', 'flag', 'true', 'Whether the pedestal beside it works.'),
      field('priceCents', 'integer', '2400', 'Price of one night in the high season.'),
    ],
  },
  {
    name: 'boat',
    plural: 'boats',
    about: 'A boat that has been in the harbour at least once.',
    fields: [
      field('name', 'text', "'Silverfin'", 'As written on the stern.'),
      field('registration', 'text', "'HB-2291'", 'Registration or sail number.'),
      field('lengthCm', 'integer', '1040', 'Length over all.'),
      field('draughtCm', 'integer', '175', 'Draught with the keel down.'),
      field('ownerId', 'reference', "'member-7'", 'The member who answers for it.'),
      field('insuredUntil', 'date', "'2027-03-31'", 'Last day of the liability insurance.'),
    ],
  },
  {
    name: 'booking',
    plural: 'bookings',
    about: 'A stay of one boat in one berth.',
    fields: [
      field('boatId', 'reference', "'boat-12'", 'Who comes.'),
      field('berthId', 'reference', "'berth-3'", 'Where they lie.'),
      field('arrivesOn', 'date', "'2026-07-04'", 'First night.'),
      field('leavesOn', 'date', "'2026-07-09'", 'Day of departure; not a night.'),
      field('status', 'status', "'confirmed'", 'One of requested, confirmed, arrived, left, cancelled.'),
    ],
  },
  {
    name: 'member',
    plural: 'members',
    about: 'A person who owns a boat or works on one.',
    fields: [
      field('fullName', 'text', "'Marit Dahl'", 'For the letters.'),
      field('email', 'text', "'marit@dahl.example'", 'Where bills go.'),
      field('phone', 'text', "'+47 555 0142'", 'Called when a line has parted.'),
      field('joinedOn', 'date', "'2019-05-02'", 'Decides the order of the waiting list.'),
      field('isCrew', 'flag', 'false', 'Crew may open the fuel dock.'),
    ],
  },
  {
    name: 'bill',
    plural: 'bills',
    about: 'What a stay costs and whether it has been paid.',
    fields: [
      field('bookingId', 'reference', "'booking-31'", 'The stay it is for.'),
      field('amountCents', 'integer', '12000', 'Sum of all lines, tax included.'),
      field('issuedOn', 'date', "'2026-07-09'", 'Day of departure as a rule.'),
      field('reminders', 'integer', '0', 'How many reminders have been sent.'),
      field('isPaid', 'flag', 'false', 'Set when the bank says so.'),
    ],
  },
  {
    name: 'warning',
    plural: 'warnings',
    about: 'A notice of wind, swell or an unusual tide.',
    fields: [
      field('station', 'text', "'outer mole'", 'Where it was measured.'),
      field('levelCm', 'integer', '212', 'Height above chart datum.'),
      field('startsOn', 'date', "'2026-10-18'", 'First day it holds.'),
      field('status', 'status', "'active'", 'One of active, expired, withdrawn.'),
    ],
  },
];

/** Columns that somebody asks for in the course of the day. */
export const NEW_FIELDS: readonly Field[] = [
  field('depthCm', 'integer', '240', 'Depth at lowest tide; the dredger reports it in spring.'),
  field('noteForCrew', 'text', "'long warps needed'", 'Shown to the crew only, never to guests.'),
  field('checkedOn', 'date', "'2026-04-12'", 'Last inspection.'),
  field('isSheltered', 'flag', 'true', 'Whether it may be used in a south-westerly gale.'),
];

/** `berth` → `Berth`. */
export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
