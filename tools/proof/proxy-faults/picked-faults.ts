import type { Random } from '../../../bench/random.ts';
import { CLIENT_FAULTS, type ClientFault } from './exchange.ts';
import { CHANGE_FAULTS, type ChangeFault } from './faulty-state.ts';
import { UPSTREAM_FAULTS, type UpstreamFault } from './faulty-upstream.ts';
import { BODY_FAULTS, type BodyFault } from './invented-requests.ts';

/** The faults of one request. */
export interface Faults {
  change?: ChangeFault;
  upstream?: UpstreamFault;
  client?: ClientFault;
  body?: BodyFault;
}

export function pickedFaults(random: Random): Faults {
  const faults: Faults = {};
  const pickOne = (): void => {
    switch (random.integer(4)) {
      case 0:
        faults.change = random.pick(CHANGE_FAULTS);
        return;
      case 1:
        faults.upstream = random.pick(UPSTREAM_FAULTS);
        return;
      case 2:
        faults.client = random.pick(CLIENT_FAULTS);
        return;
      default:
        faults.body = random.pick(BODY_FAULTS);
    }
  };
  // Between faults a conversation has to go on as it should.
  if (random.next() < 0.8) pickOne();
  if (random.next() < 0.2) pickOne();
  // The provider refuses what is no JSON.
  if (faults.change === 'returns garbage bytes') faults.upstream = '400 to what is new';
  return faults;
}
