import type { FormatSample } from '../contracts/format.ts';
import { IDENTIFIED, TURNS } from './gemini-checkpoint-fixture.ts';

/** Invented requests of the Gemini API: a body, and bare lists of turns. */
export const geminiApiSample: FormatSample = {
  shape: 'document',
  texts: [
    `${JSON.stringify(
      {
        model: 'gemini-x',
        contents: TURNS,
        systemInstruction: { parts: [{ text: 'You help.' }] },
        tools: [{ functionDeclarations: [{ name: 'read_file' }] }],
      },
      null,
      2,
    )}\n`,
    JSON.stringify(TURNS),
    JSON.stringify(IDENTIFIED, null, 1),
  ],
  holds: ['error', 'media'],
  idsArePlaces: true,
};
