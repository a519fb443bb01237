import { append } from '../../../content/append.ts';
import { counted } from '../../../content/counted.ts';
import { leftOutMarker } from './markers.ts';
import { printsOnly, type Shaper } from './shaper.ts';

/** A line that says that a test, or a file of tests, passed, by runner. */
const PASSED: readonly RegExp[] = [
  // Vitest, Jest, Mocha
  /^\s*(?:✓|✔|√)\s/,
  /^\s*PASS\s+\S+\.[cm]?[jt]sx?\b/,
  // pytest
  /^(?=\S+::\S)\S+\s.*\bPASSED\b/,
  /^\S+\.py [.]+\s*(?:\[\s*\d+%\])?$/,
  // go test
  /^\s*--- PASS: /,
  /^ok\s+\S+\s+(?:\(cached\)|[\d.]+m?s)(?:\s|$)/,
  // cargo test
  /^test \S.* \.\.\. ok$/,
  // TAP, node --test
  /^\s*ok \d+\b(?!.*# (?:TODO|SKIP))/i,
  // bun, gradle, dotnet, ctest
  /^\s*\(pass\)\s/,
  /^\S+ > .*PASSED$/,
  /^\s*Passed\s+\S.*\[[<\d][^[]*\]$/,
  /^\s*\d+\/\d+ Test\s+#\d+: .*\bPassed\b/,
];
/** What go test, TAP and node --test print beside each. */
const BESIDE: readonly RegExp[] = [
  /^=== (?:RUN|PAUSE|CONT|NAME)\b/,
  /^\s*# Subtest: /,
  /^\s+duration_ms[: ]/,
  /^\s+type: '(?:test|suite)'$/,
  /^\s+(?:---|\.\.\.)$/,
];

/** A run may end well and still say that something failed, and end without a summary if a file of tests cannot load. */
const FAILED =
  /\b[1-9]\d* (?:failed|failing|failures|errors?)\b|^ ?(?:FAIL|FAILED|not ok|INTERNALERROR>)(?!\w)|Error while loading conftest|\bFailed Suites\b|--- FAIL:|^(?:Process exited with code|Exit code:?) -?[1-9]/im;
/** How runners sum up, by which they are known where the command does not say it. */
const SUMMARY =
  /^[ \t]*(?:Tests?:?\s+(?:\d+ \w+, ){0,1000}\d+ passed\b|\d+ passing\b|\d+ pass$|# pass \d+$|=+ .*\d passed\b|test result: ok\b|ok\s+\S+\s+(?:\(cached\)|[\d.]+s)$)/m;
/** Reports of fewer tests are read line by line. */
const MIN_TESTS = 20;
const MIN_RUN = 3;

/** The lines of tests that passed are a count, in a run without failures. Tests of files that the agent wrote or named stay. */
export const passingTests: Shaper = {
  name: 'passingTests',
  isLossy: true,
  appliesTo: (about) => printsOnly(about, 'tests', 'output'),
  shape(text, { isNamed, prints }) {
    if (FAILED.test(text) || !(prints?.has('tests') || SUMMARY.test(text))) return text;
    const lines = text.split('\n');
    const tests = lines.map((line) => PASSED.some((known) => known.test(line)));
    if (tests.filter(Boolean).length <= MIN_TESTS) return text;
    const passed = lines.map((line, at) => tests[at] || BESIDE.some((known) => known.test(line)));
    const out: string[] = [];
    for (let at = 0; at < lines.length; ) {
      let end = at;
      while (passed[end] && !isNamed(lines[end]!)) end++;
      if (end - at >= MIN_RUN) out.push(leftOutMarker(`${counted(end - at, 'line')} of tests that passed`));
      else append(out, lines.slice(at, end));
      if (end < lines.length) out.push(lines[end]!);
      at = end + 1;
    }
    return out.join('\n');
  },
};
