import type { PauseTable } from './pause-lengths.ts';

/** Source: 11,880 pauses with times in 193 recorded sessions of public repositories, measured on 2026-11-29 (docs/economics.md). */
export const RECORDED_PAUSES: PauseTable = {
  toolWait: [10777, 88, 32, 18, 13, 11, 7, 7, 5, 5, 5, 4, 4, 4, 4, 4, 3, 2, 1, 1],
  pause: [1102, 352, 258, 198, 174, 162, 148, 136, 129, 118, 111, 103, 85, 65, 49, 42, 35, 31, 28, 23],
};
