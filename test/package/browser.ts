import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A browser that is installed, or undefined; prints that there is none. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((place) => existsSync(place));
if (chromiumPath === undefined) {
  console.log(`No Chromium found (${PLACES.join(', ')}, CHROMIUM_PATH): reports are not opened in a browser.`);
}
